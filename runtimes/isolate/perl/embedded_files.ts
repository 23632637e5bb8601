/**
 * The files inside the module: Perl's library, and, four times as large, a program that reads
 * photographs. Unused files are removed before the image is made, because every isolate would hold
 * them and put them back after every run.
 *
 * @module
 */
import { type ZeroPerl, ZeroPerlAbiError } from "./zeroperl.ts";

/** A file whose position in the table is searched for. */
const KNOWN = "/zeroperl/lib/5.42.0/strict.pm";
const PREFIX = "/zeroperl/";
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

  /** Removes a file's bytes and its name, except the part of the name that the linker shares. */
  remove(entry: number): void {
    const [path, from, to] = [0, 4, 8].map((offset) => this.#view.getUint32(entry + offset, true));
    if (path === undefined || from === undefined || to === undefined || from > to) {
      throw new ZeroPerlAbiError("an entry in the table of files is not as expected");
    }
    this.#bytes.fill(0, from, to);
    this.#view.setUint32(entry, this.#bytes.indexOf(0, path), true);
  }
}

/** Removes the files whose path contains `part`. Returns their number. */
export function removeEmbeddedFiles(perl: ZeroPerl, part: string): number {
  const table = new FileTable(perl);
  let entry = table.entryOf(KNOWN);
  while (table.path(entry - ENTRY_BYTES) !== undefined) entry -= ENTRY_BYTES;
  const found: number[] = [];
  for (let path = table.path(entry); path !== undefined; path = table.path(entry)) {
    if (path.includes(part)) found.push(entry);
    entry += ENTRY_BYTES;
  }
  for (const at of found) table.remove(at);
  return found.length;
}
