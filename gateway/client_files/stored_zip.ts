/**
 * Writes zip archives without compression. The same files give the same bytes on every machine:
 * compressed bytes would depend on the version of a library.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";

/** A file of an archive. */
export interface ZipFile {
  /** Its path, with slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

const LOCAL_ENTRY = 0x04034b50;
const CENTRAL_ENTRY = 0x02014b50;
const END_OF_ARCHIVE = 0x06054b50;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
/** Version 2.0 of the format, made on Unix, names in UTF-8. */
const VERSION = 20;
const MADE_ON_UNIX = (3 << 8) | VERSION;
const UTF8_NAMES = 0x800;
/** The first of January 1980, the earliest date of the format. */
const DATE = 0x21;
/** A regular file that its owner may write. */
const MODE = 0o100644;

/** An archive with the files in this order. Together they are smaller than 4 GiB. */
export function storedZip(files: readonly ZipFile[]): Uint8Array<ArrayBuffer> {
  const locals: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { path, bytes } of files) {
    const name = Buffer.from(path);
    const entry = { name, sum: crc32(bytes), size: bytes.length };
    const local = localEntry(entry);
    locals.push(local, name, bytes);
    directory.push(centralEntry(entry, offset), name);
    offset += local.length + name.length + bytes.length;
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  const end = endOfArchive(files.length, length, offset);
  return new Uint8Array(Buffer.concat([...locals, ...directory, end]));
}

interface Entry {
  readonly name: Uint8Array;
  readonly sum: number;
  readonly size: number;
}

function localEntry(entry: Entry): Buffer {
  const head = Buffer.alloc(LOCAL_BYTES);
  head.writeUInt32LE(LOCAL_ENTRY, 0);
  head.writeUInt16LE(VERSION, 4);
  writeCommon(head, 6, entry);
  return head;
}

function centralEntry(entry: Entry, offset: number): Buffer {
  const head = Buffer.alloc(CENTRAL_BYTES);
  head.writeUInt32LE(CENTRAL_ENTRY, 0);
  head.writeUInt16LE(MADE_ON_UNIX, 4);
  head.writeUInt16LE(VERSION, 6);
  writeCommon(head, 8, entry);
  head.writeUInt32LE(MODE * 0x10000, 38);
  head.writeUInt32LE(offset, 42);
  return head;
}

/** The fields that both kinds of entries have, from the flags to the length of the name. */
function writeCommon(head: Buffer, at: number, { name, sum, size }: Entry): void {
  head.writeUInt16LE(UTF8_NAMES, at);
  head.writeUInt16LE(DATE, at + 6);
  head.writeUInt32LE(sum, at + 8);
  head.writeUInt32LE(size, at + 12);
  head.writeUInt32LE(size, at + 16);
  head.writeUInt16LE(name.length, at + 20);
}

function endOfArchive(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END_OF_ARCHIVE, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
