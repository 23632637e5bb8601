/**
 * What is known of the guest's modules besides what they export: of which text they were made,
 * and which of the others they use. A module stays loaded from run to run until a file changes
 * that it is made of, directly or not.
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

  /** A module is loaded, of this text. */
  add(path: string, text: string): void {
    MapPrototypeSet(this.#byPath, path, { text, uses: new Set() });
  }

  /** The file `from` uses the module at `path`. */
  addUse(from: string, path: string): void {
    const record = MapPrototypeGet(this.#byPath, from) as ModuleRecord | undefined;
    record?.uses.add(path);
  }

  /** Forgets the modules that are not of the texts that `read` gives; gives their paths. */
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
