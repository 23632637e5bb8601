/**
 * The bytes of a file.
 *
 * @module
 */
import { PackedBytes } from "./packed_bytes.ts";

const SMALLEST_CAPACITY = 256;
const EMPTY = new Uint8Array(0);

/**
 * The bytes of one file: a buffer that grows by doubling, so that appending n bytes one by one
 * costs O(n), and that is copied before the first write if it is shared.
 *
 * It checks no limits; its caller does. Methods return the number of bytes moved (copied
 * or zeroed, including those of a new buffer), by which a call is charged.
 */
export class FileContent {
  #buffer: Uint8Array<ArrayBufferLike> = EMPTY;
  #size = 0;
  /** `#buffer` may be shared and must not be written to. */
  #shared = false;
  /** In place of `#buffer`, until the first change. */
  #packed: PackedBytes | undefined;

  /** Content that uses `bytes` without a copy; they must not change any more. */
  static of(bytes: Uint8Array | PackedBytes): FileContent {
    const content = new FileContent();
    if (bytes instanceof PackedBytes) content.#packed = bytes;
    else content.#buffer = bytes;
    content.#size = bytes.length;
    content.#shared = true;
    return content;
  }

  /** Whether the first read of a run must inflate the bytes. */
  get isPacked(): boolean {
    return this.#packed !== undefined;
  }

  get size(): number {
    return this.#size;
  }

  /** The current bytes. Later writes go to a copy, so the result does not change. */
  share(): Uint8Array {
    this.#shared = true;
    return this.#present.subarray(0, this.#size);
  }

  /** Copies bytes from `position` on into `into`; returns their number. */
  read(position: number, into: Uint8Array): number {
    if (position >= this.#size) return 0;
    const end = Math.min(this.#size, position + into.length);
    into.set(this.#present.subarray(position, end));
    return end - position;
  }

  /** Writes all of `bytes` at `position`; a gap before it reads as zeros. */
  write(position: number, bytes: Uint8Array, maxSize: number): number {
    const end = position + bytes.length;
    const moved = this.#reserve(end, maxSize);
    const gap = Math.max(0, position - this.#size);
    if (gap > 0) this.#buffer.fill(0, this.#size, position);
    this.#buffer.set(bytes, position);
    this.#size = Math.max(this.#size, end);
    return moved + gap + bytes.length;
  }

  /** Cuts the content to `size`, or fills it up to `size` with zeros. */
  resize(size: number, maxSize: number): number {
    if (size > this.#size) {
      const moved = this.#reserve(size, maxSize);
      const gap = size - this.#size;
      this.#buffer.fill(0, this.#size, size);
      this.#size = size;
      return moved + gap;
    }
    this.#size = size;
    return this.#shrink();
  }

  get #present(): Uint8Array {
    return this.#packed?.bytes ?? this.#buffer;
  }

  /** Makes room for `size` bytes in a buffer that is not shared. */
  #reserve(size: number, maxSize: number): number {
    if (!this.#shared && size <= this.#buffer.length) return 0;
    const doubled = Math.max(SMALLEST_CAPACITY, this.#size * 2);
    return this.#move(
      size > this.#buffer.length ? Math.max(size, Math.min(doubled, maxSize)) : size,
    );
  }

  /** Gives memory back once three quarters of it are unused. */
  #shrink(): number {
    if (this.#size === 0) {
      this.#buffer = EMPTY;
      this.#packed = undefined;
      this.#shared = false;
      return 0;
    }
    if (this.#shared || this.#size * 4 > this.#buffer.length) return 0;
    return this.#buffer.length <= SMALLEST_CAPACITY ? 0 : this.#move(this.#size);
  }

  #move(capacity: number): number {
    const buffer = new Uint8Array(Math.max(capacity, this.#size));
    buffer.set(this.#present.subarray(0, this.#size));
    this.#buffer = buffer;
    this.#packed = undefined;
    this.#shared = false;
    return this.#size + buffer.length;
  }
}
