/**
 * A booted Perl: an instance made from the image, and the driver's calls.
 *
 * @module
 */
import type { Baseline } from "../../../engine/baseline.ts";
import type { WasiHost } from "../../../files/wasi/host.ts";
import { WASM_PAGE_BYTES } from "../../../../wasm/metering/wasm_page.ts";
import { UNLIMITED_FUEL } from "../../../engine/fuel.ts";
import { HostFunctions } from "./host_functions.ts";
import type { PerlLayout } from "./layout.ts";
import type { MethodOrders } from "./method_orders.ts";
import { openFiles } from "./scalars.ts";
import { type ValueHandle, ZeroPerl } from "./zeroperl.ts";

/** Perl's own limit for the descriptors of files inside the module. */
export const FIRST_DESCRIPTOR = 32;
/**
 * Bytes of stack a run may use, padding for native frames included: recursion in Perl's own
 * functions ends below address 0, where there is no memory, well before V8's stack does.
 */
const STACK_BYTES = 1_500_000;
/** The stack lies below the data; between calls nothing on it is in use. */
export const MODULE_STACK_BYTES: number = 8 * 1024 * 1024;
/** Maximum length of a working directory's path, and a little more. */
const MAX_PLACE_BYTES = 8_192;
/** The number before the first evaluation of a run, so that the program's becomes number 0. */
const BEFORE_PROGRAM = 0xffff_fffe;
/** Name of the driver's file in stack frames. */
export const DRIVER_NAME = "belljar:driver";

/** The parts of an image besides memory. */
export interface ImageHead {
  /** Mutable globals by name, stack pointer included. */
  readonly globals: Readonly<Record<string, number>>;
  readonly layout: PerlLayout;
  readonly orders: MethodOrders;
  /** The variable the driver leaves its answers in. */
  readonly outcome: ValueHandle;
  /** A handle whose array can be set. */
  readonly list: ValueHandle;
}

/** The driver's variables for a run, by name. */
export type DriverVariables = Readonly<Record<string, string>>;

const encoder = new TextEncoder();

/** An instance created from the image. */
export class Instance {
  readonly perl: ZeroPerl;
  readonly #head: ImageHead;
  readonly #functions: HostFunctions;

  constructor(module: WebAssembly.Module, host: WasiHost, image: Baseline<ImageHead>) {
    this.perl = new ZeroPerl(module, host);
    this.#head = image.head;
    this.#functions = new HostFunctions(this.perl, image.head.orders);
    this.perl.size.bytes = image.pages * WASM_PAGE_BYTES;
    image.restore(this.perl.bytes, this.perl.size);
    this.#restoreGlobals();
  }

  /**
   * Restores memory to the baseline, every byte of it. False when this instance has too
   * much memory to spare: a new one must be created.
   */
  restore(image: Baseline<ImageHead>): boolean {
    if (!image.restore(this.perl.bytes, this.perl.size)) return false;
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
  drive(
    name: "begin" | "renew_input" | "run" | "end" | "finish" | "close_file" | "stand",
  ): boolean {
    return this.perl.evaluate(`#line 1 "${DRIVER_NAME}"\nBelljar::${name}()`);
  }

  /** Called when the program has slept, with the duration. */
  slept(ms: number): void {
    this.#functions.slept(ms);
  }

  /**
   * Numbers evaluations so that the program is number 0, and its own first one is number 1.
   * `within`: the number of the driver's evaluations around it.
   */
  restartEvaluationCounter(within: number): void {
    const { evaluationCounter } = this.#head.layout;
    this.perl.view.setUint32(evaluationCounter, BEFORE_PROGRAM - within, true);
  }

  /** Numbers the driver's next evaluation like the last one, so that the program does not notice it. */
  hideEvaluation(): void {
    const { evaluationCounter } = this.#head.layout;
    const last = this.perl.view.getUint32(evaluationCounter, true);
    this.perl.view.setUint32(evaluationCounter, last - 1, true);
  }

  /** The driver's answer; undefined when it is longer than `limit` bytes. */
  outcome(limit: number): Uint8Array | undefined {
    return this.perl.stringBytes(this.#head.outcome, limit);
  }

  /** The working directory that the driver recorded; empty when it is too long. */
  place(): string {
    const handle = this.perl.variable("Belljar::place");
    const bytes = this.perl.stringBytes(handle, MAX_PLACE_BYTES);
    this.perl.release(handle);
    return new TextDecoder().decode(bytes ?? new Uint8Array());
  }

  /** Resets the stack pointer after a call that an exception left. */
  unwind(): void {
    this.perl.stackPointer.value = STACK_BYTES;
  }

  /** True when the last call ended because it ran out of stack. */
  get outOfStack(): boolean {
    return Number(this.perl.stackPointer.value) < STACK_MARGIN_BYTES;
  }

  /** Runs the END blocks in order: puts each into the driver's variable, then calls `run`. */
  forEachEndBlock(run: () => void): void {
    const { perl } = this;
    const list = perl.view.getUint32(this.#head.layout.endBlocks, true);
    if (list === 0) return;
    perl.view.setUint32(this.#head.list, list, true);
    for (let index = 0; index < perl.call("zeroperl_array_length", this.#head.list); index++) {
      const block = perl.call("zeroperl_array_get", this.#head.list, index);
      this.#refer("Belljar::block", block);
      perl.release(block);
      run();
    }
    this.#refer("Belljar::end_blocks", this.#head.list);
    perl.view.setUint32(this.#head.layout.endBlocks, 0, true);
  }

  /**
   * Passes each of the program's files to the driver, in `Belljar::open_file`, for `close` to
   * close.
   */
  forEachFile(close: () => void): void {
    const { perl } = this;
    for (const file of openFiles(perl.view, this.#head.layout.arenas)) {
      perl.view.setUint32(this.#head.list, file, true);
      this.#refer("Belljar::open_file", this.#head.list);
      close();
    }
  }

  /** Zeroes unused memory where that is cheap. */
  tidy(): void {
    this.unwind();
    this.perl.bytes.fill(0, 0, STACK_BYTES);
  }

  /** Makes one of the driver's variables refer to a handle's value. */
  #refer(variable: string, handle: ValueHandle): void {
    const reference = this.perl.call("zeroperl_new_ref", handle);
    this.perl.setVariable(variable, reference);
    this.perl.release(reference);
  }

  #restoreGlobals(): void {
    for (const [name, global] of this.perl.globals) {
      global.value = this.#head.globals[name] ?? 0;
    }
    this.perl.fuel.value = UNLIMITED_FUEL;
    this.unwind();
  }
}

/** No function that continues uses a frame larger than this, in bytes. */
const STACK_MARGIN_BYTES = 16_384;
