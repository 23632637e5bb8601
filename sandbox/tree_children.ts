/**
 * Which paths lie directly in which directory, so that what is below one is found without a look
 * at everything else.
 *
 * @module
 */
import { parentOf } from "./workspace_path.ts";

/** The paths of a workspace by the directory that holds them. */
export class TreeChildren {
  /** No directory is here that holds nothing. */
  readonly #of = new Map<string, Set<string>>();

  constructor(paths: Iterable<string>) {
    for (const path of paths) this.add(path);
  }

  /** Whether a directory holds nothing. */
  isEmpty(directory: string): boolean {
    return !this.#of.has(directory);
  }

  /** Everything below a directory, as far as all directories between are here too. */
  below(directory: string): readonly string[] {
    const found = [...this.#of.get(directory) ?? []];
    // it grows while it is walked: what is in a directory comes after the directory
    for (const path of found) for (const child of this.#of.get(path) ?? []) found.push(child);
    return found;
  }

  /** Adds a path; one that is there stays. */
  add(path: string): void {
    const directory = parentOf(path);
    const children = this.#of.get(directory);
    if (children === undefined) this.#of.set(directory, new Set([path]));
    else children.add(path);
  }

  /** Removes a path, if it is there; what is below it stays. */
  delete(path: string): void {
    const directory = parentOf(path);
    const children = this.#of.get(directory);
    if (children?.delete(path) && children.size === 0) this.#of.delete(directory);
  }
}
