/**
 * Writing of the binary format.
 *
 * @module
 */

const utf8 = new TextEncoder();

/** A plain loop copies fewer bytes than this faster than `TypedArray.set`. */
const SHORT_COPY = 24;

/** A growing buffer with the number encodings of the Wasm binary format. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Clears the content and keeps the memory. */
  clear(): void {
    this.#length = 0;
  }

  u8(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  /** Unsigned LEB128 of 32 bits. */
  u32(value: number): void {
    this.#reserve(5);
    let rest = value >>> 0;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Signed LEB128 of 32 bits; the same bytes serve as a 33 or 64 bit number. */
  s32(value: number): void {
    this.#reserve(5);
    let rest = value | 0;
    for (;;) {
      const low = rest & 0x7f;
      rest >>= 7;
      const done = (rest === 0 && (low & 0x40) === 0) ||
        (rest === -1 && (low & 0x40) !== 0);
      this.#bytes[this.#length++] = done ? low : low | 0x80;
      if (done) return;
    }
  }

  /** Copies `source[from..to)`. */
  copy(source: Uint8Array, from = 0, to: number = source.length): void {
    const count = to - from;
    this.#reserve(count);
    if (count < SHORT_COPY) {
      let at = this.#length;
      for (let i = from; i < to; i++) this.#bytes[at++] = source[i] ?? 0;
    } else {
      this.#bytes.set(source.subarray(from, to), this.#length);
    }
    this.#length += count;
  }

  /** Copies the content of another writer, or a part of it. */
  append(other: ByteWriter, from = 0, to: number = other.#length): void {
    this.copy(other.#bytes, from, to);
  }

  name(text: string): void {
    const encoded = utf8.encode(text);
    this.u32(encoded.length);
    this.copy(encoded);
  }

  /** A copy of the content, of exact size. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
