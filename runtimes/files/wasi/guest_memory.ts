/**
 * Checked access to the guest's memory.
 *
 * @module
 */
import { FileError } from "../file_error.ts";
import { decodePath } from "../path_text.ts";
import type { MemorySize } from "../../engine/memory_size.ts";
import { SIZE } from "./abi.ts";
import { MemoryFault } from "./errors.ts";

/** `IOV_MAX` of Linux. */
const MAX_BUFFERS = 1024;

/**
 * The guest's linear memory as host calls see it: every access is checked and throws a
 * MemoryFault for a bad pointer. Views are renewed after the memory grows.
 */
export class GuestMemory {
  #memory: WebAssembly.Memory | undefined;
  #size: MemorySize | undefined;
  #view = new DataView(new ArrayBuffer(0));

  /** Sets the memory of the instance that is served from now on. */
  attach(memory: WebAssembly.Memory, size: MemorySize): void {
    this.#memory = memory;
    this.#size = size;
    this.#view = viewOf(memory);
  }

  /** `length` bytes, shared with the guest until its memory grows. */
  bytes(pointer: number, length: number): Uint8Array<ArrayBuffer> {
    const at = this.#check(pointer, length >>> 0);
    return new Uint8Array(this.#current.buffer, at, length >>> 0);
  }

  /** A path in UTF-8. ENAMETOOLONG, EILSEQ. */
  path(pointer: number, length: number, maxBytes: number): string {
    const bytes = this.bytes(pointer, length);
    if (bytes.length > maxBytes) throw new FileError("ENAMETOOLONG");
    return decodePath(bytes);
  }

  getUint8(pointer: number): number {
    return this.#current.getUint8(this.#check(pointer, 1));
  }

  getUint16(pointer: number): number {
    return this.#current.getUint16(this.#check(pointer, 2), true);
  }

  getUint32(pointer: number): number {
    return this.#current.getUint32(this.#check(pointer, 4), true);
  }

  getUint64(pointer: number): bigint {
    return this.#current.getBigUint64(this.#check(pointer, 8), true);
  }

  setUint8(pointer: number, value: number): void {
    this.#current.setUint8(this.#check(pointer, 1), value);
  }

  setUint16(pointer: number, value: number): void {
    this.#current.setUint16(this.#check(pointer, 2), value, true);
  }

  setUint32(pointer: number, value: number): void {
    this.#current.setUint32(this.#check(pointer, 4), value, true);
  }

  setUint64(pointer: number, value: bigint): void {
    this.#current.setBigUint64(this.#check(pointer, 8), value, true);
  }

  /**
   * The buffers of an array of `iovec`s, in order, without empty ones. EINVAL for more than
   * Linux accepts, and for more bytes than the memory has, as the work of a call must be bounded.
   */
  buffers(pointer: number, count: number): Uint8Array<ArrayBuffer>[] {
    this.#check(pointer, (count >>> 0) * SIZE.iovec);
    if (count >>> 0 > MAX_BUFFERS) throw new FileError("EINVAL");
    const buffers: Uint8Array<ArrayBuffer>[] = [];
    let total = 0;
    for (let i = 0; i < count >>> 0; i++) {
      const at = (pointer >>> 0) + i * SIZE.iovec;
      const buffer = this.bytes(this.getUint32(at), this.getUint32(at + 4));
      if (buffer.length > 0) buffers.push(buffer);
      total += buffer.length;
    }
    if (total > this.#bytes) throw new FileError("EINVAL");
    return buffers;
  }

  /** The guest's view of its memory: memory beyond it must stay invisible. */
  get #bytes(): number {
    return this.#size?.bytes ?? 0;
  }

  get #current(): DataView<ArrayBuffer> {
    const memory = this.#memory;
    if (memory !== undefined && this.#view.buffer !== memory.buffer) {
      this.#view = viewOf(memory);
    }
    return this.#view;
  }

  /** The pointer as an unsigned number. */
  #check(pointer: number, length: number): number {
    const at = pointer >>> 0;
    if (at + length > this.#bytes) throw new MemoryFault();
    return at;
  }
}

function viewOf(memory: WebAssembly.Memory): DataView<ArrayBuffer> {
  const { buffer } = memory;
  if (!(buffer instanceof ArrayBuffer)) throw new TypeError("The memory is shared");
  return new DataView(buffer);
}
