/**
 * The size of a guest's memory.
 *
 * A memory of WebAssembly cannot shrink, and a new instance takes as long as dozens of resets. So a
 * metered module keeps the size that the guest sees in a global, and a reset puts that back. The
 * memory itself stays as large as earlier runs needed it.
 *
 * @module
 */
import { PAGES_EXPORT } from "../../wasm/metering/added_exports.ts";
import { WASM_PAGE_BYTES } from "../../wasm/metering/wasm_page.ts";

/** The size of one instance's memory. */
export class MemorySize {
  readonly #memory: WebAssembly.Memory;
  /** Absent from modules of earlier builds. */
  readonly #pages: WebAssembly.Global | undefined;

  /** `exports` are those of the metered module. */
  constructor(memory: WebAssembly.Memory, exports: WebAssembly.Exports) {
    const pages = exports[PAGES_EXPORT];
    this.#memory = memory;
    this.#pages = pages instanceof WebAssembly.Global ? pages : undefined;
    this.bytes = memory.buffer.byteLength; // an imported memory can be larger than the module says
  }

  /** Bytes that the guest sees, a multiple of 64 KiB. */
  get bytes(): number {
    return this.#pages === undefined
      ? this.#memory.buffer.byteLength
      : Number(this.#pages.value) * WASM_PAGE_BYTES;
  }

  /**
   * Sets the size, and grows the memory if it is smaller. Throws a RangeError, and changes nothing,
   * when the memory cannot be so large, or its module knows no other size than the memory's.
   */
  set bytes(bytes: number) {
    const missing = (bytes - this.#memory.buffer.byteLength) / WASM_PAGE_BYTES;
    if (missing > 0) this.#memory.grow(missing);
    if (this.#pages !== undefined) this.#pages.value = bytes / WASM_PAGE_BYTES;
    else if (missing < 0) throw new RangeError("The memory is larger already");
  }

  /** Whether the guest can see less than the memory has. */
  get isOwn(): boolean {
    return this.#pages !== undefined;
  }
}
