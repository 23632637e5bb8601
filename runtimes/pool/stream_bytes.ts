/**
 * The bytes of a stream that grows.
 *
 * @module
 */

const SMALLEST_CAPACITY = 1024;

/**
 * The bytes of one stream, in one buffer that grows by doubling. A guest may write its output byte
 * by byte, and a list of such chunks would take hundreds of times their size.
 */
export class StreamBytes {
  #buffer = new Uint8Array(0);
  #length = 0;
  #readLength = 0;

  append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#buffer.length, SMALLEST_CAPACITY));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = length;
  }

  /** The bytes that came since the last call. Valid until more come. */
  news(): Uint8Array<ArrayBuffer> {
    const bytes = this.#buffer.subarray(this.#readLength, this.#length);
    this.#readLength = this.#length;
    return bytes;
  }

  get length(): number {
    return this.#length;
  }

  /** The last bytes, at most so many. Valid until more come. */
  latest(most: number): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(Math.max(0, this.#length - most), this.#length);
  }

  /** A copy of all bytes. */
  take(): Uint8Array<ArrayBuffer> {
    return this.#buffer.slice(0, this.#length);
  }
}
