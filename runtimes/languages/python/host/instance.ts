/**
 * A machine with an image. It runs the driver and can be put back to its baseline.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { GuestHeap } from "../../../engine/guest_heap.ts";
import type { Baseline } from "../../../engine/baseline.ts";
import type { MemorySpan } from "../../../engine/image.ts";
import type { GlobalValues } from "../../../engine/snapshot/engine_state.ts";
import { WASM_PAGE_BYTES } from "../../../../wasm/metering/wasm_page.ts";
import { UNLIMITED_FUEL } from "../../../engine/fuel.ts";
import type { PyObject } from "./cpython.ts";
import { type ImageHead, STACK_BYTES } from "./image_head.ts";
import { Machine, type MachineOptions } from "./machine.ts";

/**
 * Bytes at the end of the linear stack that stay zero unless it overflows. Nearly all frames of
 * native code are smaller; a larger one can jump over these bytes.
 */
const GUARD = Buffer.alloc(65_536);

/** An instance created from an image. */
export class Instance {
  readonly machine: Machine;
  /** The baseline that this instance was put back to last. */
  #image: Baseline<ImageHead>;

  constructor(parts: MachineOptions, image: Baseline<ImageHead>) {
    this.machine = new Machine(parts);
    this.#image = image;
    this.machine.memory.size.bytes = image.pages * WASM_PAGE_BYTES;
    this.restore(image);
  }

  /**
   * Restores every byte of memory, the globals and the files to a baseline, by default the one of
   * the last time. False when this
   * instance has too much memory to spare, or too little that its guest can see: a new one must be
   * created.
   */
  restore(image: Baseline<ImageHead> = this.#image): boolean {
    const { python, memory } = this.machine;
    const bytes = image.pages * WASM_PAGE_BYTES;
    if (memory.size.isOwn && memory.bytes.length < bytes) memory.size.bytes = bytes;
    if (!image.restore(memory.bytes, memory.size, this.#image)) return false;
    this.#image = image;
    this.machine.errorTextAt = image.head.errorText;
    for (const [name, value] of this.#image.head.globals) python.global(name).value = value;
    python.fuel.value = UNLIMITED_FUEL;
    this.machine.forgetRun();
    return true;
  }

  /**
   * Runs a request through the driver. The driver returns one step after another, and this function
   * calls them, so that no frame of the driver lies below the guest's. Bytes in place of a step are
   * the answer. Returns a new reference, undefined when the driver itself raised. Throws what a
   * trap throws.
   */
  callDriver(request: PyObject): Uint8Array<ArrayBuffer> | undefined {
    const { python } = this.machine;
    const { fn } = python;
    let given = this.#tell(this.#image.head.begin, request);
    while (given !== 0 && !python.isBytes(given)) {
      const value = fn.PyObject_CallNoArgs(given);
      fn.Py_DecRef(given);
      given = value === 0
        ? this.#tell(this.#image.head.fail, fn.PyErr_GetRaisedException())
        : this.#tell(this.#image.head.resume, value);
    }
    if (given === 0) {
      fn.Py_DecRef(fn.PyErr_GetRaisedException());
      return undefined;
    }
    const answer = python.bytesOf(given).slice();
    fn.Py_DecRef(given);
    return answer;
  }

  /** Calls a function of the driver with an object, and gives up the reference to the object. */
  #tell(callee: PyObject, object: PyObject): PyObject {
    if (object === 0) return 0;
    const { fn } = this.machine.python;
    const given = fn.PyObject_CallOneArg(callee, object);
    fn.Py_DecRef(object);
    return given;
  }

  /** The memory in use: all below the stack, the used stack, and the used parts of the heap. */
  liveSpans(heap: GuestHeap): readonly MemorySpan[] {
    const { python, memory } = this.machine;
    python.fuel.value = UNLIMITED_FUEL; // the run may have left too little for the call
    const { stackEnd } = this.#image.head;
    const from = Number(python.stackPointer.value) >>> 0;
    const end = memory.u32(python.fn.emscripten_get_sbrk_ptr());
    return [[0, stackEnd], ...heap.spansInUse(memory.guestBytes, { from, end })];
  }

  /**
   * Whether native code went beyond Python's part of the linear stack and trapped there, or
   * overflowed the stack, and so overwrote the interpreter's data behind its end. Only V8's stack
   * bounds the recursion of native code, and it can last longer than the linear stack.
   */
  get stackOverflowed(): boolean {
    const { stackBase, stackEnd } = this.#image.head;
    const { memory: { bytes }, python } = this.machine;
    // a trap leaves the pointer where it was; frames of little use write nothing on the way down
    if (Number(python.stackPointer.value) < stackBase - STACK_BYTES) return true;
    return Buffer.compare(bytes.subarray(stackEnd, stackEnd + GUARD.length), GUARD) !== 0;
  }

  /** The mutable globals by name. */
  globals(): GlobalValues {
    const { python } = this.machine;
    return Object.fromEntries(
      this.#image.head.globals.map(([name]) => [name, Number(python.global(name).value)]),
    );
  }

  /** Sets the globals that the image holds. */
  setGlobals(values: GlobalValues): void {
    for (const [name, value] of this.#image.head.globals) {
      this.machine.python.global(name).value = values[name] ?? value;
    }
  }

  get threadState(): number {
    return this.#image.head.threadState;
  }

  /** The driver's function that returns the source line of a frame. */
  get lineOf(): PyObject {
    return this.#image.head.lineOf;
  }
}
