/**
 * What stands around compressed data: the formats zlib (RFC 1950) and gzip (RFC 1952).
 *
 * @module
 */
import { adler32, crc32 } from "./checksums.ts";
import { deflate } from "./deflate.ts";
import { BadData, inflate } from "./inflate.ts";

/** Around the data stands nothing, or what one of the formats has. */
export type Format = "raw" | "zlib" | "gzip";

const GZIP_HEAD = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0];
const UNIX = 3;
const METHOD = 8;
const NOTHING = new Uint8Array(0);
/** Bits of gzip's flags. */
const HAS_CRC = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;

function joined(...parts: readonly ArrayLike<number>[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function littleEndian(value: number): number[] {
  return [value & 0xff, value >>> 8 & 0xff, value >>> 16 & 0xff, value >>> 24];
}

function bigEndian(value: number): number[] {
  return littleEndian(value).reverse();
}

/** The second byte of zlib's head tells the level, and makes both a multiple of 31. */
function zlibHead(level: number): number[] {
  const told = level < 0 || level === 6 ? 2 : level >= 7 ? 3 : level >= 2 ? 1 : 0;
  const head = 0x7800 | told << 6;
  return [0x78, (head & 0xff) + 31 - head % 31];
}

/** Compresses. */
export function compress(input: Uint8Array, format: Format, level: number): Uint8Array {
  const data = deflate(input, level);
  switch (format) {
    case "raw":
      return data;
    case "zlib":
      return joined(zlibHead(level), data, bigEndian(adler32(input)));
    case "gzip": {
      const effort = level === 9 ? 2 : level === 1 ? 4 : 0;
      const tail = [...littleEndian(crc32(input)), ...littleEndian(input.length)];
      return joined(GZIP_HEAD, [effort, UNIX], data, tail);
    }
  }
}

function endOfFile(): BadData {
  return new BadData("unexpected end of file", true);
}

function need(input: Uint8Array, end: number): void {
  if (end > input.length) throw endOfFile();
}

function word(input: Uint8Array, at: number): number {
  need(input, at + 4);
  return new DataView(input.buffer, input.byteOffset).getUint32(at, true);
}

function textEnd(input: Uint8Array, at: number): number {
  const end = input.indexOf(0, at);
  if (end < 0) throw endOfFile();
  return end + 1;
}

/** Index behind gzip's head. */
function gzipStart(input: Uint8Array, start: number): number {
  for (const [i, byte] of [0x1f, 0x8b].entries()) {
    const given = input[start + i];
    if (given === undefined) throw endOfFile();
    if (given !== byte) throw new BadData("incorrect header check");
  }
  need(input, start + 10);
  if (input[start + 2] !== METHOD) throw new BadData("unknown compression method");
  const flags = input[start + 3] ?? 0;
  if (flags & 0xe0) throw new BadData("unknown header flags set");
  let at = start + 10;
  if (flags & HAS_EXTRA) {
    need(input, at + 2);
    at += 2 + (input[at] ?? 0) + (input[at + 1] ?? 0) * 256;
  }
  if (flags & HAS_NAME) at = textEnd(input, at);
  if (flags & HAS_COMMENT) at = textEnd(input, at);
  if (flags & HAS_CRC) at += 2;
  need(input, at);
  return at;
}

/** Members stand one after the other; what follows and is none is left out. */
function gunzip(input: Uint8Array, limit: number): Uint8Array {
  let whole = NOTHING as Uint8Array;
  for (let at = 0; at === 0 || input[at] === 0x1f && input[at + 1] === 0x8b;) {
    const { output, end } = inflate(input, gzipStart(input, at), limit - whole.length);
    if (word(input, end) !== crc32(output)) throw new BadData("incorrect data check");
    if (word(input, end + 4) !== output.length) throw new BadData("incorrect length check");
    whole = whole.length === 0 ? output : joined(whole, output);
    at = end + 8;
  }
  return whole;
}

function inflateZlib(input: Uint8Array, limit: number): Uint8Array {
  const [first, second] = input;
  if (first === undefined || second === undefined) throw endOfFile();
  if ((first * 256 + second) % 31 !== 0) throw new BadData("incorrect header check");
  if ((first & 15) !== METHOD) throw new BadData("unknown compression method");
  if (first >> 4 > 7) throw new BadData("invalid window size");
  if (second & 32) throw new BadData("Missing dictionary");
  const { output, end } = inflate(input, 2, limit);
  need(input, end + 4);
  const check = bigEndian(adler32(output));
  if (!check.every((byte, i) => byte === input[end + i])) {
    throw new BadData("incorrect data check");
  }
  return output;
}

/** Decompresses to at most `limit` bytes; throws {@link BadData}, or `TooLarge`. */
export function decompress(
  input: Uint8Array,
  format: Format | "gzip or zlib",
  limit: number,
): Uint8Array {
  switch (format) {
    case "raw":
      return inflate(input, 0, limit).output;
    case "zlib":
      return inflateZlib(input, limit);
    case "gzip":
      return gunzip(input, limit);
    case "gzip or zlib":
      return input[0] === 0x1f ? gunzip(input, limit) : inflateZlib(input, limit);
  }
}
