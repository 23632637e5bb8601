/**
 * A booted Perl: an instance made from the image, and the driver's calls.
 *
 * @module
 */
import { applyRanges, type MemoryImage } from "../image.ts";
import type { WasiHost } from "../wasi/host.ts";
import type { PerlLayout } from "./layout.ts";
import { type ValueHandle, ZeroPerl } from "./zeroperl.ts";

/** Perl's own bound of descriptors it gives out for the files inside the module. */
export const FIRST_DESCRIPTOR = 32;
/**
 * Bytes of stack a run may use, padding for native frames included: recursion in Perl's own
 * functions ends below address 0, where there is no memory, well before V8's stack does.
 */
export const STACK_BYTES = 1_500_000;
/** Fuel enough for anything we run ourselves. */
export const UNLIMITED_FUEL: bigint = 1n << 61n;
const PAGE_BYTES = 65_536;
/** Before the first evaluation of a run: that of the program becomes number 0. */
const BEFORE_PROGRAM = 0xffff_fffe;
/** Name of the driver's file in stack frames. */
export const DRIVER_NAME = "belljar:driver";

/** What an image remembers beside memory. */
export interface ImageHead {
  /** Mutable globals by name, stack pointer included. */
  readonly globals: Readonly<Record<string, number>>;
  readonly layout: PerlLayout;
  /** The variable the driver leaves its answers in. */
  readonly outcome: ValueHandle;
  /** A handle whose array can be set. */
  readonly list: ValueHandle;
}

/** What a run hands to the driver, by the names of its variables. */
export type DriverVariables = Readonly<Record<string, string>>;

const encoder = new TextEncoder();

/** An instance that is, or was, at the image. */
export class Interpreter {
  readonly perl: ZeroPerl;
  readonly #head: ImageHead;

  constructor(module: WebAssembly.Module, host: WasiHost, image: MemoryImage<ImageHead>) {
    this.perl = new ZeroPerl(module, host);
    this.#head = image.head;
    const missing = image.pages - this.perl.bytes.length / PAGE_BYTES;
    if (missing > 0) this.perl.memory.grow(missing);
    applyRanges(this.perl.bytes, image.ranges);
    this.#restoreGlobals();
  }

  /**
   * Puts memory back to the image, every byte of it. False when this instance cannot be put
   * back because its memory grew: a new one must be made.
   */
  restore(image: MemoryImage<ImageHead>): boolean {
    const { bytes } = this.perl;
    if (bytes.length !== image.pages * PAGE_BYTES) return false;
    let end = 0;
    for (const { at, data } of image.ranges) {
      bytes.fill(0, end, at);
      bytes.set(data, at);
      end = at + data.length;
    }
    bytes.fill(0, end);
    this.#restoreGlobals();
    return true;
  }

  /** Assigns the driver's variables. */
  assign(variables: DriverVariables): void {
    for (const [name, text] of Object.entries(variables)) {
      const value = this.perl.newString(encoder.encode(text));
      this.perl.setVariable(`Belljar::${name}`, value);
      this.perl.release(value);
    }
  }

  /** Calls a function of the driver. False when it could not be called. */
  drive(name: "begin" | "run" | "end" | "finish" | "stand"): boolean {
    return this.perl.evaluate(`#line 1 "${DRIVER_NAME}"\nBelljar::${name}()`);
  }

  /** The next evaluation but one of the program's own is the first that it sees. */
  restartEvaluationCounter(): void {
    this.perl.view.setUint32(this.#head.layout.evaluationCounter, BEFORE_PROGRAM, true);
  }

  /** What the driver left; undefined when it is longer than `limit` bytes. */
  outcome(limit: number): string | undefined {
    const bytes = this.perl.stringBytes(this.#head.outcome, limit);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  }

  /** The stack as before any call, after a call that was left by an exception. */
  unwind(): void {
    this.perl.stackPointer.value = STACK_BYTES;
  }

  /** True when the last call ended because it ran out of stack. */
  get outOfStack(): boolean {
    return Number(this.perl.stackPointer.value) < STACK_MARGIN_BYTES;
  }

  /** Runs the END blocks in their order, each by `run` once it is in the driver's variable. */
  forEachEndBlock(run: () => void): void {
    const { perl } = this;
    const list = perl.view.getUint32(this.#head.layout.endBlocks, true);
    if (list === 0) return;
    perl.view.setUint32(this.#head.list, list, true);
    for (let index = 0; index < perl.call("zeroperl_array_length", this.#head.list); index++) {
      const block = perl.call("zeroperl_array_get", this.#head.list, index);
      perl.setVariable("Belljar::block", perl.call("zeroperl_new_ref", block));
      run();
    }
    perl.view.setUint32(this.#head.layout.endBlocks, 0, true);
  }

  #restoreGlobals(): void {
    for (const [name, global] of this.perl.globals) {
      global.value = this.#head.globals[name] ?? 0;
    }
    this.perl.fuel.value = UNLIMITED_FUEL;
    this.unwind();
  }
}

/** No function uses a frame larger than this and goes on. */
const STACK_MARGIN_BYTES = 16_384;
