/**
 * Checked reading of the binary format.
 *
 * @module
 */
import { MeterError } from "./meter_error.ts";

/** Most bytes a LEB128 number of 32, 33 and 64 bits may take. */
const MAX_LEB32_BYTES = 5;
const MAX_LEB64_BYTES = 10;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a Wasm binary front to back. Every read is checked against `limit`, so input that is cut
 * off or claims a wrong length ends in a `MeterError` and never in a read past the end.
 */
export class ByteReader {
  readonly bytes: Uint8Array;
  /** Offset of the next byte. */
  pos: number;
  /** Offset after the last byte that may be read. */
  limit: number;

  constructor(bytes: Uint8Array, start = 0, end: number = bytes.length) {
    this.bytes = bytes;
    this.pos = start;
    this.limit = end;
  }

  fail(what: string, offset: number = this.pos): never {
    throw new MeterError(what, offset);
  }

  u8(): number {
    const byte = this.pos < this.limit ? this.bytes[this.pos] : undefined;
    if (byte === undefined) this.fail("unexpected end of input");
    this.pos++;
    return byte;
  }

  /** Unsigned LEB128 of 32 bits. */
  u32(): number {
    const first = this.u8();
    return first < 0x80 ? first : this.#longU32(first & 0x7f);
  }

  #longU32(low: number): number {
    const start = this.pos - 1;
    let value = low;
    for (let shift = 7; shift < 28; shift += 7) {
      const byte = this.u8();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    const last = this.u8();
    if (last > 0x0f) this.fail("LEB128 number does not fit in 32 bits", start);
    return (value | (last << 28)) >>> 0;
  }

  /** Signed LEB128 of 32 bits. */
  s32(): number {
    const start = this.pos;
    let value = 0;
    for (let shift = 0; shift < 7 * MAX_LEB32_BYTES; shift += 7) {
      const byte = this.u8();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        const unused = 25 - shift;
        return unused > 0 ? (value << unused) >> unused : value;
      }
    }
    this.fail("LEB128 number is longer than 5 bytes", start);
  }

  /** Skips a signed or unsigned LEB128 of up to 33 bits. */
  skipLeb32(): void {
    this.#skipLeb(MAX_LEB32_BYTES);
  }

  /** Skips a signed or unsigned LEB128 of up to 64 bits. */
  skipLeb64(): void {
    this.#skipLeb(MAX_LEB64_BYTES);
  }

  #skipLeb(maxBytes: number): void {
    const start = this.pos;
    for (let i = 0; i < maxBytes; i++) {
      if (this.u8() < 0x80) return;
    }
    this.fail(`LEB128 number is longer than ${maxBytes} bytes`, start);
  }

  skip(count: number): void {
    if (count > this.limit - this.pos) {
      this.fail(`unexpected end of input: ${count} more bytes are needed`);
    }
    this.pos += count;
  }

  /** Number of entries of a vector; each takes at least one byte, so the bytes left bound it. */
  count(what: string): number {
    const start = this.pos;
    const count = this.u32();
    if (count > this.limit - this.pos) {
      this.fail(
        `number of ${what} is ${count}, more than the bytes left`,
        start,
      );
    }
    return count;
  }

  /** A vector of bytes holding UTF-8. */
  name(): string {
    const start = this.pos;
    const length = this.u32();
    const from = this.pos;
    this.skip(length);
    try {
      return utf8.decode(this.bytes.subarray(from, this.pos));
    } catch {
      this.fail("name is not UTF-8", start);
    }
  }
}
