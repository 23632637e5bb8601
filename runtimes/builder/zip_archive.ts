/**
 * Reads files from a zip archive.
 *
 * @module
 */
import { inflateRawSync } from "node:zlib";

const CENTRAL_ENTRY = 0x02014b50;
const END_OF_ARCHIVE = 0x06054b50;
const END_BYTES = 22;
const LOCAL_ENTRY_BYTES = 30;
const CENTRAL_ENTRY_BYTES = 46;
const DEFLATED = 8;
/** Maximum size of a file after decompression, in bytes. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** The bytes are not an archive. */
export class ZipFormatError extends Error {
  override readonly name = "ZipFormatError";
}

interface Entry {
  readonly path: string;
  /** The file's bytes. Throws when they are damaged, or more than the given number. */
  readonly read: (maximum: number) => Uint8Array<ArrayBuffer>;
}

function* entriesOf(archive: Uint8Array<ArrayBuffer>): Generator<Entry, void> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.length);
  const short = (at: number) => view.getUint16(at, true);
  const long = (at: number) => view.getUint32(at, true);
  let end = archive.length - END_BYTES;
  while (end >= 0 && long(end) !== END_OF_ARCHIVE) end--;
  if (end < 0) throw new ZipFormatError("the archive has no end");
  for (let at = long(end + 16); long(at) === CENTRAL_ENTRY;) {
    const [name, extra, comment] = [short(at + 28), short(at + 30), short(at + 32)];
    const entry = at;
    const next = at + CENTRAL_ENTRY_BYTES + name;
    const path = new TextDecoder().decode(archive.subarray(at + CENTRAL_ENTRY_BYTES, next));
    yield {
      path,
      read: (maximum) => {
        const local = long(entry + 42);
        const start = local + LOCAL_ENTRY_BYTES + short(local + 26) + short(local + 28);
        const bytes = archive.slice(start, start + long(entry + 20));
        const isDeflated = short(entry + 10) === DEFLATED;
        return isDeflated
          ? new Uint8Array(inflateRawSync(bytes, { maxOutputLength: maximum }))
          : bytes;
      },
    };
    at = next + extra + comment;
  }
}

/** The files of an archive below a folder, by their names relative to it. */
export function filesIn(
  archive: Uint8Array<ArrayBuffer>,
  folder: string,
): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const { path, read } of entriesOf(archive)) {
    if (path.startsWith(folder)) files.set(path.slice(folder.length), read(MAX_FILE_BYTES));
  }
  return files;
}

/**
 * The first file whose path is wanted; undefined when there is none. Throws when the archive is
 * damaged or the file has more than `maximum` bytes.
 */
export function readEntry(
  archive: Uint8Array<ArrayBuffer>,
  isWanted: (path: string) => boolean,
  maximum: number,
): Uint8Array<ArrayBuffer> | undefined {
  for (const { path, read } of entriesOf(archive)) {
    if (!isWanted(path)) continue;
    const bytes = read(maximum);
    if (bytes.length > maximum) throw new ZipFormatError(`${path} is too large`);
    return bytes;
  }
  return undefined;
}
