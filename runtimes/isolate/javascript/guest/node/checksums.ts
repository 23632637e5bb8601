/**
 * The checksums that compressed data carry.
 *
 * @module
 */

const POLYNOMIAL = 0xedb88320;
const ADLER_BASE = 65_521;
/** So many bytes add up to less than 2³² before the remainder must be taken. */
const ADLER_RUN = 3800;

function remainderOf(byte: number): number {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? rest >>> 1 ^ POLYNOMIAL : rest >>> 1;
  return rest;
}

let remainders: Int32Array | undefined;

/** CRC-32 of bytes that follow those whose CRC-32 is `before`. */
export function crc32(bytes: Uint8Array, before = 0): number {
  remainders ??= Int32Array.from({ length: 256 }, (_, byte) => remainderOf(byte));
  let crc = ~before;
  for (let i = 0; i < bytes.length; i++) {
    crc = crc >>> 8 ^ (remainders[(crc ^ (bytes[i] ?? 0)) & 0xff] ?? 0);
  }
  return ~crc >>> 0;
}

/** Adler-32 of bytes. */
export function adler32(bytes: Uint8Array): number {
  let [low, high] = [1, 0];
  for (let i = 0; i < bytes.length;) {
    const end = Math.min(i + ADLER_RUN, bytes.length);
    for (; i < end; i++) {
      low += bytes[i] ?? 0;
      high += low;
    }
    low %= ADLER_BASE;
    high %= ADLER_BASE;
  }
  return (high * 65_536 + low) >>> 0;
}
