/**
 * Bytes of read-only files that are kept deflated: a library is large, and most of it is never read.
 *
 * @module
 */
import { inflateRawSync } from "node:zlib";

/** The bytes of one file. They come from a build and are trusted. */
export class PackedBytes {
  /** How many bytes they are when inflated. */
  readonly length: number;
  readonly #deflated: Uint8Array;
  /** Kept at least until the end of a run, because a run is one job of the event loop. */
  #inflated: WeakRef<Uint8Array> | undefined;

  constructor(deflated: Uint8Array, length: number) {
    this.#deflated = deflated;
    this.length = length;
  }

  /** The inflated bytes. They must not be changed. */
  get bytes(): Uint8Array {
    const known = this.#inflated?.deref();
    if (known !== undefined) return known;
    const inflated = inflateRawSync(this.#deflated, { maxOutputLength: this.length + 1 });
    if (inflated.length !== this.length) throw new RangeError("A packed file has another length");
    const bytes = new Uint8Array(inflated.buffer, inflated.byteOffset, inflated.length);
    this.#inflated = new WeakRef(bytes);
    return bytes;
  }
}

/** The bytes of a file that may be packed. They must not be changed. */
export function unpacked(content: Uint8Array | PackedBytes): Uint8Array {
  return content instanceof PackedBytes ? content.bytes : content;
}
