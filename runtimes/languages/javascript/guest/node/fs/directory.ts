/**
 * `fs.Dir`: a directory that is read entry by entry.
 *
 * @module
 */
import { setName } from "../../web/expose.ts";
import { nodeError } from "../../web/node_error.ts";
import type { Callback } from "./dependencies.ts";
import type { Deliver } from "./deliver.ts";
import { Dirent, typeOfKind } from "./stats.ts";
import type { Listing } from "./recursive.ts";

/** A directory that `opendir` opened. Its entries are those at the time of opening. */
export class Dir {
  readonly path: string;
  readonly #listing: Listing;
  readonly #deliver: Deliver;
  #next = 0;
  #closed = false;

  constructor(path: string, listing: Listing, deliver: Deliver) {
    this.path = path;
    this.#listing = listing;
    this.#deliver = deliver;
  }

  readSync(): Dirent | null {
    this.#checkOpen();
    const at = this.#next;
    const name = this.#listing.names[at];
    if (name === undefined) return null;
    this.#next++;
    return new Dirent(name, this.path, typeOfKind(this.#listing.kinds[at] ?? ""));
  }

  read(callback?: Callback): Promise<Dirent | null> | undefined {
    return this.#deliver(() => this.readSync(), callback);
  }

  closeSync(): void {
    this.#checkOpen();
    this.#closed = true;
  }

  close(callback?: Callback): Promise<void> | undefined {
    return this.#deliver(() => this.closeSync(), callback);
  }

  async *entries(): AsyncGenerator<Dirent> {
    try {
      for (;;) {
        const entry = await this.read();
        if (entry === null || entry === undefined) return;
        yield entry;
      }
    } finally {
      if (!this.#closed) this.closeSync();
    }
  }

  [Symbol.asyncIterator](): AsyncGenerator<Dirent> {
    return this.entries();
  }

  #checkOpen(): void {
    if (this.#closed) throw nodeError(Error, "ERR_DIR_CLOSED", "Directory handle was closed");
  }
}

/** Names the class as guests see it. */
export function exposeDir(): void {
  setName(Dir, "Dir");
}
