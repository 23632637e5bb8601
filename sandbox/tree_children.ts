/**
 * The direct children of each directory, so that the contents of one are found without a scan of
 * the whole tree.
 *
 * @module
 */
import { parentOf } from "./workspace_path.ts";

/** The paths of a workspace by the directory that holds them. */
export class TreeChildren {
  /** Empty directories have no entry. */
  readonly #of = new Map<string, Set<string>>();

  constructor(paths: Iterable<string>) {
    for (const path of paths) this.add(path);
  }

  /** Whether a directory is empty. */
  isEmpty(directory: string): boolean {
    return !this.#of.has(directory);
  }

  /** Everything below a directory, provided that all directories in between are present. */
  below(directory: string): readonly string[] {
    const found = [...this.#of.get(directory) ?? []];
    // the list grows during iteration: the contents of a directory follow the directory
    for (const path of found) for (const child of this.#of.get(path) ?? []) found.push(child);
    return found;
  }

  /** Adds a path, if it is missing. */
  add(path: string): void {
    const directory = parentOf(path);
    const children = this.#of.get(directory);
    if (children === undefined) this.#of.set(directory, new Set([path]));
    else children.add(path);
  }

  /** Removes a path, if it is present; paths below it stay. */
  delete(path: string): void {
    const directory = parentOf(path);
    const children = this.#of.get(directory);
    if (children?.delete(path) && children.size === 0) this.#of.delete(directory);
  }
}
