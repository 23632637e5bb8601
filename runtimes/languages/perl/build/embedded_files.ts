/**
 * The files inside the module: Perl's library, and, four times as large, a program that reads
 * photographs. As part of memory they would be compared at each reset, and an isolate would hold them
 * twice. So they are removed before the image is made, and the host serves the library.
 *
 * @module
 */
import type { LibraryFile } from "../../../engine/packed_library.ts";
import { LIBRARY_ROOT, type ZeroPerl, ZeroPerlAbiError } from "../host/zeroperl.ts";

/** A file whose position in the table is searched for. */
const KNOWN = "/zeroperl/lib/5.42.0/strict.pm";
/** Where the module shows its files. */
const PLACE = `/${LIBRARY_ROOT}`;
const PREFIX = `${PLACE}/`;
/** In place of that name, one that nobody uses. */
const NO_NAME = 1;
/** An entry: pointers to the path, to the first byte, and past the last byte. */
const ENTRY_BYTES = 12;

/** The position of bytes in memory; -1 when they are absent. */
function find(memory: Uint8Array, wanted: Uint8Array): number {
  const first = wanted[0] ?? 0;
  for (let at = memory.indexOf(first); at >= 0; at = memory.indexOf(first, at + 1)) {
    if (wanted.every((byte, index) => memory[at + index] === byte)) return at;
  }
  return -1;
}

class FileTable {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;

  constructor(perl: ZeroPerl) {
    this.#bytes = perl.bytes;
    this.#view = perl.view;
  }

  /** The address of a file's entry. */
  entryOf(path: string): number {
    const name = find(this.#bytes, new TextEncoder().encode(`${path}\0`));
    const words = new Uint32Array(this.#bytes.buffer);
    const index = name < 0 ? -1 : words.indexOf(name);
    if (index < 0 || words.indexOf(name, index + 1) >= 0) {
      throw new ZeroPerlAbiError("the table of files was not found");
    }
    return index * 4;
  }

  /** The path of an entry; undefined when there is none at that address. */
  path(entry: number): string | undefined {
    const at = this.#view.getUint32(entry, true);
    const end = this.#bytes.indexOf(0, at);
    if (at === 0 || end < 0 || end - at > 256) return undefined;
    const text = new TextDecoder().decode(this.#bytes.slice(at, end));
    return text.startsWith(PREFIX) ? text : undefined;
  }

  /** Removes a file and returns its bytes. */
  take(entry: number): Uint8Array<ArrayBuffer> {
    const [from, to] = [4, 8].map((offset) => this.#view.getUint32(entry + offset, true));
    if (from === undefined || to === undefined || from > to) {
      throw new ZeroPerlAbiError("an entry in the table of files is not as expected");
    }
    const bytes = this.#bytes.slice(from, to);
    this.#bytes.fill(0, from, to);
    return bytes;
  }

  /** Gives the place of the files a name that nobody uses: then the host's are found there. */
  hide(): void {
    const name = find(this.#bytes, new TextEncoder().encode(`\0${PLACE}\0`));
    if (name < 0) throw new ZeroPerlAbiError("the place of the files was not found");
    this.#bytes.fill(NO_NAME, name + 2, name + 1 + PLACE.length);
  }
}

/**
 * Removes the files from the memory of a module that has not started. Returns them, in the order of
 * their paths.
 */
export function takeEmbeddedFiles(perl: ZeroPerl): readonly LibraryFile[] {
  const table = new FileTable(perl);
  let entry = table.entryOf(KNOWN);
  while (table.path(entry - ENTRY_BYTES) !== undefined) entry -= ENTRY_BYTES;
  const found: LibraryFile[] = [];
  for (let path = table.path(entry); path !== undefined; path = table.path(entry)) {
    found.push([path, table.take(entry)]);
    entry += ENTRY_BYTES;
  }
  table.hide();
  return found.sort(([a], [b]) => a < b ? -1 : 1);
}
