/**
 * The guest's linear memory, as the host reads and writes it. Pointers come from the guest and may be
 * any 32-bit number, signed or not. A pointer outside memory throws a RangeError.
 *
 * @module
 */
import type { MemorySize } from "../../../engine/memory_size.ts";
import { FileError } from "../../../files/file_error.ts";
import { decodePath } from "../../../files/path_text.ts";

const POINTER_BYTES = 4;
/** Maximum length of a path or name from the guest. */
const MAX_TEXT_BYTES = 1 << 16;
/** Buffers of one scatter or gather operation: `IOV_MAX` of the C library. */
const MAX_VECTORS = 1024;

const encoder = new TextEncoder();

/** A span of guest memory. */
export interface Span {
  readonly at: number;
  readonly length: number;
}

function bufferOf(memory: WebAssembly.Memory): ArrayBuffer {
  const { buffer } = memory;
  if (buffer instanceof ArrayBuffer) return buffer;
  throw new TypeError("The module's memory is shared");
}

/**
 * Views of the memory that stay valid when it grows. The instance that owns the memory needs this
 * object for its imports, so the memory is attached after the instance is made.
 */
export class GuestMemory {
  #memory: WebAssembly.Memory | undefined;
  #size: MemorySize | undefined;
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array();
  #view: DataView<ArrayBuffer> = new DataView(new ArrayBuffer(0));

  attach(memory: WebAssembly.Memory, size: MemorySize): void {
    this.#memory = memory;
    this.#size = size;
    this.#renew();
  }

  get memory(): WebAssembly.Memory {
    if (this.#memory === undefined) throw new TypeError("There is no memory yet");
    return this.#memory;
  }

  /** The size that the guest sees. */
  get size(): MemorySize {
    if (this.#size === undefined) throw new TypeError("There is no memory yet");
    return this.#size;
  }

  /** All of the memory, which can be more than the guest sees. */
  get bytes(): Uint8Array<ArrayBuffer> {
    if (this.#bytes.length === 0) this.#renew();
    return this.#bytes;
  }

  /** The part that the guest sees. */
  get guestBytes(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.size.bytes);
  }

  get view(): DataView<ArrayBuffer> {
    if (this.#bytes.length === 0) this.#renew();
    return this.#view;
  }

  /** Renews the view when memory has grown: the old buffer is then detached and has no length. */
  #renew(): void {
    this.#bytes = new Uint8Array(bufferOf(this.memory));
    this.#view = new DataView(bufferOf(this.memory));
  }

  /** The bytes of a span; a view, valid until memory grows. */
  span(at: number, length: number): Uint8Array<ArrayBuffer> {
    const from = at >>> 0;
    const to = from + (length >>> 0);
    if (to > this.size.bytes) throw new RangeError("the span leaves memory");
    return this.bytes.subarray(from, to);
  }

  /**
   * A NUL-terminated path or name. Calls `pay` with its length in bytes before the text is decoded.
   * Throws ENAMETOOLONG, and EILSEQ when the bytes are not text: the table of errors has no EFAULT.
   */
  path(at: number, pay: (bytes: number) => void = () => undefined): string {
    const from = at >>> 0;
    const window = this.bytes.subarray(from, from + MAX_TEXT_BYTES);
    const end = window.indexOf(0);
    pay(end < 0 ? window.length : end);
    if (end < 0) throw new FileError("ENAMETOOLONG");
    return decodePath(window.subarray(0, end));
  }

  u32(at: number): number {
    return this.view.getUint32(at >>> 0, true);
  }

  i32(at: number): number {
    return this.view.getInt32(at >>> 0, true);
  }

  setU32(at: number, value: number): void {
    this.view.setUint32(at >>> 0, value, true);
  }

  setI64(at: number, value: bigint): void {
    this.view.setBigInt64(at >>> 0, value, true);
  }

  /** Writes text with a NUL at its end. The caller has checked that it fits. */
  setText(at: number, text: string): void {
    this.bytes.set(encoder.encode(`${text}\0`), at >>> 0);
  }

  /** The buffers of a scatter or gather operation. Throws EINVAL when there are too many. */
  vectors(at: number, count: number): readonly Span[] {
    if (count >>> 0 > MAX_VECTORS) throw new FileError("EINVAL");
    const spans: Span[] = [];
    for (let index = 0; index < count; index++) {
      const record = (at >>> 0) + index * 2 * POINTER_BYTES;
      spans.push({ at: this.u32(record), length: this.u32(record + POINTER_BYTES) });
    }
    return spans;
  }
}
