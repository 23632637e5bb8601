/**
 * A machine that was given an image: it runs the driver, and can be put back to the image.
 *
 * @module
 */
import { applyRanges, type MemoryImage } from "../image.ts";
import { UNLIMITED_FUEL } from "./cpython.ts";
import type { ImageHead } from "./image_head.ts";
import { Machine, type MachineParts } from "./machine.ts";

const PAGE_BYTES = 65_536;

/** An interpreter that stands on an image. */
export class Interpreter {
  readonly machine: Machine;
  readonly #image: MemoryImage<ImageHead>;

  constructor(parts: MachineParts, image: MemoryImage<ImageHead>) {
    this.machine = new Machine(parts);
    this.machine.errorTextAt = image.head.errorText;
    this.#image = image;
    const { memory } = this.machine.memory;
    memory.grow(image.pages - memory.buffer.byteLength / PAGE_BYTES);
    this.machine.memory.bytes.fill(0);
    this.#apply();
  }

  /**
   * Puts every byte of memory, the globals and the files back to the image. False when this
   * instance cannot be put back because its memory grew: a new one must be made.
   */
  restore(): boolean {
    const { bytes } = this.machine.memory;
    if (bytes.length !== this.#image.pages * PAGE_BYTES) return false;
    let end = 0;
    for (const { at, data } of this.#image.ranges) {
      bytes.fill(0, end, at);
      end = at + data.length;
    }
    bytes.fill(0, end);
    this.#apply();
    this.machine.forgetRun();
    return true;
  }

  /**
   * Calls the driver. Gives its answer, a view that is valid until Python runs again, or
   * undefined when it raised. Throws what a trap throws.
   */
  callDriver(request: number): Uint8Array<ArrayBuffer> | undefined {
    const { python } = this.machine;
    const result = python.fn.PyObject_CallOneArg(this.#image.head.run, request);
    return result === 0 ? undefined : python.bytesOf(result);
  }

  get threadState(): number {
    return this.#image.head.threadState;
  }

  #apply(): void {
    const { python, memory } = this.machine;
    applyRanges(memory.bytes, this.#image.ranges);
    for (const [name, value] of this.#image.head.globals) python.global(name).value = value;
    python.fuel.value = UNLIMITED_FUEL;
  }
}
