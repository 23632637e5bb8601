/**
 * Records of the guest's modules in addition to their exports: the text they were loaded from, and
 * the modules they use. A module stays loaded from run to run until its file, or a file that it
 * uses directly or indirectly, changes.
 *
 * @module
 */
import { MapPrototypeGet, MapPrototypeSet } from "../primordials.ts";

interface ModuleRecord {
  readonly text: string;
  /** Paths of the modules it loaded. */
  readonly uses: Set<string>;
}

/** The records of one guest. */
export class ModuleRecords {
  readonly #byPath = new Map<string, ModuleRecord>();

  /** Records that a module was loaded from this text. */
  add(path: string, text: string): void {
    MapPrototypeSet(this.#byPath, path, { text, uses: new Set() });
  }

  /** Records that the file `from` uses the module at `path`. */
  addUse(from: string, path: string): void {
    const record = MapPrototypeGet(this.#byPath, from) as ModuleRecord | undefined;
    record?.uses.add(path);
  }

  /**
   * Removes the modules whose text differs from what `read` returns, and the modules that use them.
   * Returns their paths.
   */
  takeStale(read: (path: string) => string | undefined): readonly string[] {
    const stale = new Set<string>();
    for (const [path, { text }] of this.#byPath) if (read(path) !== text) stale.add(path);
    for (let before = 0; before !== stale.size;) {
      before = stale.size;
      for (const [path, { uses }] of this.#byPath) {
        for (const used of uses) if (stale.has(used)) stale.add(path);
      }
    }
    const paths = [...stale];
    for (const path of paths) this.#byPath.delete(path);
    return paths;
  }
}
