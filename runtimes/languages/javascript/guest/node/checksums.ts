/**
 * The checksum of gzip, which `zlib` also exports.
 *
 * @module
 */

const POLYNOMIAL = 0xedb88320;

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
