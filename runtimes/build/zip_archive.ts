/**
 * Reads files from a zip archive that is part of the sources.
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

/** The bytes are not an archive. */
export class ZipFormatError extends Error {
  override readonly name = "ZipFormatError";
}

/** The files of an archive below a folder, by their names relative to it. */
export function filesIn(
  archive: Uint8Array<ArrayBuffer>,
  folder: string,
): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.length);
  const short = (at: number) => view.getUint16(at, true);
  const long = (at: number) => view.getUint32(at, true);
  let end = archive.length - END_BYTES;
  while (end >= 0 && long(end) !== END_OF_ARCHIVE) end--;
  if (end < 0) throw new ZipFormatError("the archive has no end");
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (let at = long(end + 16); long(at) === CENTRAL_ENTRY;) {
    const [name, extra, comment] = [short(at + 28), short(at + 30), short(at + 32)];
    const next = at + CENTRAL_ENTRY_BYTES + name;
    const path = new TextDecoder().decode(archive.subarray(at + CENTRAL_ENTRY_BYTES, next));
    if (path.startsWith(folder)) {
      const local = long(at + 42);
      const start = local + LOCAL_ENTRY_BYTES + short(local + 26) + short(local + 28);
      const bytes = archive.slice(start, start + long(at + 20));
      const isDeflated = short(at + 10) === DEFLATED;
      files.set(
        path.slice(folder.length),
        isDeflated ? new Uint8Array(inflateRawSync(bytes)) : bytes,
      );
    }
    at = next + extra + comment;
  }
  return files;
}
