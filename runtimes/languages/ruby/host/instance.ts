/**
 * A booted Ruby: an instance made from the image, and the driver's calls.
 *
 * @module
 */
import type { WasiHost } from "../../../files/wasi/host.ts";
import { WASM_PAGE_BYTES } from "../../../../wasm/metering/wasm_page.ts";
import { UNLIMITED_FUEL } from "../../../engine/fuel.ts";
import type { ToolHead } from "../../../../shared/run_calls.ts";
import type { Baseline } from "../../../engine/baseline.ts";
import { clearRange } from "../../../engine/image.ts";
import { FIBER_LEFT, integerValue, STACK_TOP } from "./ruby_abi.ts";
import { type CallResult, type MethodId, RubyVm, type ValueHandle } from "./ruby_vm.ts";

/** The driver's flags for the end of a run in a context: files are open, fibers exist. */
const FILES = 1;
const FIBERS = 2;

/** Fuel for reporting where a program stopped. */
const TRACE_FUEL = 200_000_000n;

/** The parts of an image besides memory. */
export interface ImageHead {
  /** Mutable globals by name. */
  readonly globals: Readonly<Record<string, number>>;
  /**
   * The driver's module, and its methods: one runs the program, one writes what open files hold,
   * one reports where the program stopped.
   */
  readonly driver: ValueHandle;
  readonly run: MethodId;
  readonly flushFiles: MethodId;
  readonly stoppedAt: MethodId;
  /**
   * Asks the next run for the own form of its value. Absent in images of earlier builds, whose drivers
   * know no such form.
   */
  readonly askRepr?: MethodId;
  /** Begins a run with tools. Absent in images of earlier builds, whose drivers know no calls. */
  readonly beginCalls?: MethodId;
  /** Absent in an engine without contexts. */
  readonly contexts?: ContextsHead;
}

/** The parts of an image for contexts. */
export interface ContextsHead {
  /** Methods of the driver's module: one takes a program, one runs it, one ends the run. */
  readonly prepare: MethodId;
  readonly run: MethodId;
  readonly finish: MethodId;
  /** Address of the first chunk of the heap. */
  readonly firstChunk: number;
}

/** The parts that every instance is made from. */
export interface InstanceOptions {
  readonly module: WebAssembly.Module;
  readonly head: ImageHead;
  readonly pages: number;
  readonly baseline: Baseline<unknown>;
}

/** A run of a context. */
export interface ContextProgram {
  readonly code: string;
  readonly environment: ReadonlyMap<string, string>;
  readonly resultBytes: number;
  readonly directory: string;
}

/** The driver failed at something that must never fail. */
export class DriverError extends Error {
  override name = "DriverError";
}

/** An instance made from the image. */
export class Instance {
  readonly vm: RubyVm;
  readonly #options: InstanceOptions;

  constructor(parts: InstanceOptions, host: WasiHost) {
    this.#options = parts;
    this.vm = new RubyVm(parts.module, host);
    this.vm.size.bytes = Math.max(parts.pages * WASM_PAGE_BYTES, this.vm.size.bytes);
    if (!this.restore()) throw new DriverError("the module starts with more memory than the image");
  }

  /**
   * Restores every byte of memory to the baseline. False when this instance has too much
   * memory to spare: then a new one must be made.
   */
  restore(): boolean {
    if (!this.#options.baseline.restore(this.vm.bytes, this.vm.size)) return false;
    for (const [name, global] of this.vm.globals) {
      global.value = this.#options.head.globals[name] ?? 0;
    }
    this.vm.stackPointer.value = STACK_TOP;
    this.vm.fuel.value = UNLIMITED_FUEL;
    return true;
  }

  /** Passes the program to the driver. */
  prepare(code: string, environment: ReadonlyMap<string, string>, resultBytes: number): void {
    const args = [quoted(code), quoted(pairsOf(environment)), String(resultBytes)].join(", ");
    const { state } = this.vm.evaluate(`Belljar.prepare(${args})`);
    if (state !== 0) throw new DriverError("the program could not be prepared");
  }

  /** Asks the next run for the own form of its value, which its answer then has if it is JSON. */
  askRepr(): void {
    const { driver, askRepr } = this.#options.head;
    if (askRepr !== undefined) this.vm.release(this.vm.call(driver, askRepr).value);
  }

  /** Lets the next run call these tools. Without effect in an image that knows no calls. */
  beginCalls(tools: readonly ToolHead[]): void {
    const { driver, beginCalls } = this.#options.head;
    if (beginCalls === undefined) return;
    const text = this.vm.evaluateCleanly(quoted(JSON.stringify(tools)));
    if (text.state !== 0) throw new DriverError("the tools could not be passed");
    const { state, value } = this.vm.call(driver, beginCalls, text.value);
    this.vm.release(text.value);
    this.vm.release(value);
    if (state !== 0) throw new DriverError("the tools could not be declared");
  }

  /** Runs the program. Returns the driver's answer; undefined when the driver failed. */
  run(): Uint8Array | undefined {
    const { driver, run } = this.#options.head;
    const { value, state } = this.vm.call(driver, run);
    return state !== 0 || this.vm.unwinding ? undefined : this.vm.stringBytes(value);
  }

  /** Passes the program of a context to the driver. Throws what a trap or a limit throws. */
  prepareContext({ code, environment, resultBytes, directory }: ContextProgram): void {
    const parts = [quoted(code), quoted(pairsOf(environment)), resultBytes, quoted(directory)];
    const all = this.vm.evaluateCleanly(`[${parts.join(", ")}]`);
    if (all.state !== 0) throw new DriverError("the program could not be passed");
    const { state, value } = this.#drive("prepare", all.value);
    this.vm.release(all.value);
    this.vm.release(value);
    if (state !== 0) throw new DriverError("the program could not be prepared");
  }

  /**
   * Runs the program of a context. Returns the driver's answer; undefined when the driver failed.
   */
  runContext(): Uint8Array | undefined {
    return this.#bytes(this.#drive("run"));
  }

  /**
   * Ends a run of a context: closes files, if there are any, and clears what the program cannot
   * reach. Returns the working directory; undefined when the driver failed.
   */
  finishContext(hasFiles: boolean): string | undefined {
    const hasFibers = this.vm.view.getUint32(FIBER_LEFT, true) !== 0;
    const left = (hasFiles ? FILES : 0) + (hasFibers ? FIBERS : 0);
    const bytes = this.#bytes(this.#drive("finish", integerValue(left)));
    const next = this.vm.evaluateCleanly("nil"); // fails if no further program could be passed
    if (next.state !== 0) return undefined;
    this.vm.release(next.value);
    clearRange(this.vm.bytes, [0, STACK_TOP]);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  }

  /** Writes what files hold that the program left open. */
  flushFiles(): void {
    const { driver, flushFiles } = this.#options.head;
    this.vm.call(driver, flushFiles);
  }

  /**
   * The frames of a program that a limit or a trap stopped. The native stack is gone, but Ruby's
   * own stack is still in memory, so a call now finds the program's frames below it. An interrupted
   * operation, such as a collection, may make that call trap or fail; then there are no frames.
   */
  stoppedAt(): readonly string[] {
    this.vm.forgetUnwinding();
    this.vm.fuel.value = TRACE_FUEL;
    try {
      const { driver, stoppedAt } = this.#options.head;
      const { value, state } = this.vm.call(driver, stoppedAt);
      if (state !== 0 || this.vm.unwinding) return [];
      const frames: unknown = JSON.parse(new TextDecoder().decode(this.vm.stringBytes(value)));
      return Array.isArray(frames) ? frames.filter((frame) => typeof frame === "string") : [];
    } catch {
      return []; // whatever failed, this instance is not used again before it is put back
    }
  }

  #drive(step: "prepare" | "run" | "finish", argument?: ValueHandle): CallResult {
    const { driver, contexts } = this.#options.head;
    if (contexts === undefined) throw new DriverError("this engine has no contexts");
    return this.vm.call(driver, contexts[step], argument);
  }

  /** The bytes of the string that a call returned; undefined when it failed. */
  #bytes({ value, state }: CallResult): Uint8Array | undefined {
    if (state !== 0 || this.vm.unwinding) return undefined;
    const bytes = this.vm.stringBytes(value);
    this.vm.release(value);
    return bytes;
  }
}

/** Names and values, each followed by NUL. */
function pairsOf(environment: ReadonlyMap<string, string>): string {
  return [...environment].flat().map((text) => `${text}\0`).join("");
}

/** A text as a Ruby string literal that holds it in Base64. */
function quoted(text: string): string {
  return `"${new TextEncoder().encode(text).toBase64()}"`;
}
