/**
 * A booted engine: a QuickJS instance, the guest environment's driver, and the state of the current
 * run. It is made from source (to take an image) or from an image.
 *
 * @module
 */
import type { LimitName, OutputSink, RunRequest } from "../../../engine/engine.ts";
import type { ProgramCalls } from "../../../engine/program_calls.ts";
import type { Stream } from "../../../files/devices.ts";
import type { RunClock } from "../../../engine/clock.ts";
import { WORKSPACE } from "../../../../client/protocol/paths.ts";
import type { GuestHeap } from "../../../engine/guest_heap.ts";
import { CHUNK_HEAD_BYTES } from "../../../engine/heap_chunks.ts";
import type { Baseline } from "../../../engine/baseline.ts";
import { growMemory, type MemorySpan } from "../../../engine/image.ts";
import { WASM_PAGE_BYTES } from "../../../../wasm/metering/wasm_page.ts";
import { UNLIMITED_FUEL } from "../../../engine/fuel.ts";
import { answerHostCall, CALL_FUEL, type HostServices, type RunControl } from "./host_calls.ts";
import type { QuickJsLayout } from "./layout.ts";
import { QuickJs } from "./quickjs.ts";
import {
  EVAL_GLOBAL,
  isException,
  isString,
  objectAt,
  PROMISE_PENDING,
  UNDEFINED,
  type Value,
} from "./quickjs_abi.ts";

/**
 * Maximum bytes of shadow stack that a guest may use. Padding makes shadow stack correspond to
 * native stack; the process must have a quarter more of that (`--stack-size`).
 */
export const STACK_BYTES = 3_250_000;
/**
 * Bytes of the whole shadow stack, below the initial stack pointer: more than a guest may use, for
 * what runs between two checks of the stack. It is the first allocation of the heap, because the
 * module's own stack is too small for padded frames.
 */
export const MODULE_STACK_BYTES = 4 * 1024 * 1024;
/** The stack that the module starts on, at the beginning of memory; only the build uses it. */
export const INITIAL_STACK_BYTES = 1024 * 1024;
/** Memory reserved from the guest's allocations, so that its error can still be described. */
const MEMORY_RESERVE_BYTES = 5 * 1024 * 1024;
/** Share of the heap in use above which a thrown `null` means that memory ran out. */
const FULL_SHARE = 0.8;
/** Fuel for the stack of a new error, in addition to the guest code that formats it. */
const STACK_TRACE_FUEL = 25_000;

/** Number of the function `__host`. */
export const HOST_FUNCTION = 1;
/** Number of the function that writes the stacks of new errors. */
export const STACK_FUNCTION = 2;
/** Shadow stack beyond the guest's own for writing the stack of an overflow. */
const STACK_TRACE_BYTES = 128 * 1024;

/** The driver's functions: addresses of objects, in images, and values. */
export type Driver<Function = Value> = Readonly<Record<DriverFunction, Function>>;
export type DriverFunction = (typeof DRIVER_FUNCTIONS)[number];
export const DRIVER_FUNCTIONS = [
  ...["begin", "fire", "finish", "describe", "uncaught", "prepareStackTrace"] as const,
  ...["findDeclared", "takeDeclared", "restoreDeclared", "setClock"] as const,
] as const;

/** The parts of an image besides memory. */
export interface ImageHead {
  readonly runtime: number;
  readonly context: number;
  readonly stackPointer: number;
  readonly layout: QuickJsLayout;
  readonly driver: Driver<number>;
}

/** A rejected promise and its reason. Both are owned, because the guest may no longer hold them. */
export interface Rejection {
  readonly promise: Value;
  readonly reason: Value;
}

/** Dependencies of an instance. */
export interface InstanceOptions {
  readonly module: WebAssembly.Module;
  readonly maximumPages: number;
  /** Bytes of shadow stack a guest may use, at most {@link STACK_BYTES}. */
  readonly stackBytes: number;
  readonly clock: RunClock;
  readonly services: HostServices;
}

const MAX_COUNTER = 1;
/** The host's signal that the guest is out of memory. */
const OUT_OF_MEMORY = "out of memory";
const NO_OUTPUT: OutputSink = () => true;

function driverAt(addresses: Driver<number>): Driver {
  const entries = DRIVER_FUNCTIONS.map((name) => [name, objectAt(addresses[name])] as const);
  return Object.fromEntries(entries) as Driver;
}

/** An instance and its current run. */
export class Instance {
  readonly js: QuickJs;
  readonly clock: RunClock;
  readonly driver: Driver;
  readonly layout: QuickJsLayout;
  /** Why the run was stopped from outside the guest, if it was. */
  stopped: LimitName | undefined;
  /** Status of `process.exit`, once called. */
  exitStatus: number | undefined;
  /** Rejected promises without a handler. */
  readonly rejections = new Map<Value, Rejection>();
  /** The working directory that the guest reported. */
  workingDirectory = WORKSPACE;
  /** Fuel left when the run was stopped from outside. */
  fuelAtStop = 0n;
  #output: OutputSink = NO_OUTPUT;
  #wallMs = Infinity;
  #displayBytes = 0;
  #calls: ProgramCalls | undefined;
  readonly #services: HostServices;
  readonly #head: ImageHead;
  readonly #heapBytes: number;
  readonly #heapStart: number;
  readonly #stackBytes: number;

  constructor(parts: InstanceOptions, image: Baseline<ImageHead>) {
    this.clock = parts.clock;
    this.#services = parts.services;
    this.js = new QuickJs(parts.module, {
      clock: this.clock,
      maximumPages: parts.maximumPages,
      hooks: {
        call: (id, argc, argv) =>
          id === STACK_FUNCTION ? this.#stackTrace(argv) : this.#hostCall(argc, argv),
        shouldInterrupt: () => this.#shouldInterrupt(),
        rejection: (promise, reason, handled) => this.#rejection(promise, reason, handled),
        charge: (units) => void this.#charge(units),
      },
    });
    const { head } = image;
    this.#head = head;
    this.layout = head.layout;
    this.driver = driverAt(head.driver);
    this.js.runtime = head.runtime;
    this.js.context = head.context;
    growMemory(this.js.size, image.pages * WASM_PAGE_BYTES, parts.maximumPages);
    image.restore(this.js.bytes, this.js.size);
    this.js.stackPointer.value = head.stackPointer;
    this.js.fuel.value = UNLIMITED_FUEL;
    this.#heapStart = head.stackPointer;
    this.#stackBytes = parts.stackBytes;
    this.#heapBytes = parts.maximumPages * WASM_PAGE_BYTES - head.stackPointer -
      MEMORY_RESERVE_BYTES;
  }

  /** Whether the heap is nearly too full to allocate an error. */
  get memoryExhausted(): boolean {
    const used = this.js.size.bytes - this.#heapStart;
    return used > this.#heapBytes * FULL_SHARE;
  }

  /** Lets allocations use the reserve too, so that an error of a full heap can be described. */
  openReserve(): void {
    this.js.fn.JS_SetMemoryLimit(this.js.runtime, 0);
  }

  /** The object that holds top-level `let`, `const` and `class`; the caller owns it. */
  takeLexicals(): Value {
    const { js, layout } = this;
    return js.dup(js.view.getBigInt64(js.context + layout.globalLexicals, true));
  }

  /**
   * Prepares the state of one run: the clock starts, output goes to the sink, randomness is new.
   */
  startRun(output: OutputSink, { limits, cwd = WORKSPACE, clock, calls }: RunRequest): void {
    this.js.fuel.value = UNLIMITED_FUEL; // the previous run may have left too little for the driver
    this.workingDirectory = cwd;
    this.stopped = undefined;
    this.exitStatus = undefined;
    this.rejections.clear();
    this.#dropJobs();
    this.#output = output;
    this.#wallMs = limits.wallMs;
    this.#displayBytes = limits.displayBytes;
    this.endCalls();
    this.#calls = calls;
    const fuel = BigInt(limits.fuel);
    calls?.begin({
      clock: this.clock,
      fuelUsed: () => Number(fuel - BigInt(this.js.fuel.value)),
      memoryBytes: () => this.js.size.bytes,
      stop: (limit) => this.stop(limit),
    });
    this.clock.start(clock, calls);
    this.js.fn.JS_SetMemoryLimit(this.js.runtime, this.#heapBytes);
    this.js.fn.JS_SetMaxStackSize(this.js.runtime, this.#stackBytes);
    const seed = new Uint8Array(8);
    this.#services.random(seed);
    seed[0] = (seed[0] ?? 0) | 1; // the generator's state must not be zero
    this.js.bytes.set(seed, this.js.context + this.layout.randomState);
  }

  /** From now on the program makes no calls and waits for nothing. */
  endCalls(): void {
    this.#calls?.end();
    this.#calls = undefined;
  }

  /**
   * Drops the jobs of a run that ended early: they do not belong to the next run. What they hold is
   * not freed, and is at most what the failed run allocated.
   */
  #dropJobs(): void {
    const list = this.js.runtime + this.layout.jobs;
    this.js.view.setUint32(list, list, true);
    this.js.view.setUint32(list + 4, list, true);
  }

  /** Releases the recorded rejections. */
  releaseRejections(): void {
    for (const { promise, reason } of this.rejections.values()) {
      this.js.release(reason);
      this.js.release(promise);
    }
    this.rejections.clear();
  }

  /** Writes output of the run. At the limit the run is stopped. */
  write(stream: Stream, bytes: Uint8Array): void {
    if (!this.#output(stream, bytes)) this.stop("output");
  }

  /** Ends the run at the next fuel check; the first reason is kept. */
  stop(limit: LimitName): void {
    if (this.stopped !== undefined) return;
    this.stopped = limit;
    this.fuelAtStop = BigInt(this.js.fuel.value);
    this.js.fuel.value = -1n;
  }

  /** The memory in use: the module's data, and the used parts of the heap. */
  liveSpans(heap: GuestHeap): readonly MemorySpan[] {
    const { stackPointer } = this.#head;
    const end = this.js.view.getUint32(this.layout.topAddress, true) + CHUNK_HEAD_BYTES;
    const used = heap.spansInUse(this.js.guestBytes, { from: stackPointer, end });
    return [[INITIAL_STACK_BYTES, stackPointer - MODULE_STACK_BYTES], ...used];
  }

  /**
   * Restores every byte of memory to the baseline, and trusts nothing in it. False when this
   * instance has too much memory to spare: then a new one must be made.
   */
  restore(image: Baseline<ImageHead>): boolean {
    const { js } = this;
    if (!image.restore(js.bytes, js.size)) return false;
    js.stackPointer.value = image.head.stackPointer;
    js.fuel.value = UNLIMITED_FUEL;
    this.#output = NO_OUTPUT;
    this.rejections.clear();
    return true;
  }

  /** Whether the run continues. */
  #charge(units: number): boolean {
    if (this.stopped !== undefined) return false;
    const left = BigInt(this.js.fuel.value) - BigInt(units);
    this.js.fuel.value = left;
    return left >= 0n;
  }

  #control(): RunControl {
    return {
      clock: this.clock,
      write: (stream, bytes) => this.write(stream, bytes),
      wallMs: this.#wallMs,
      displayBytes: this.#displayBytes,
      calls: this.#calls,
      charge: (units) => this.#charge(units),
      stop: (limit) => this.stop(limit),
      exit: (status) => {
        this.exitStatus = status;
        this.#interruptSoon();
      },
    };
  }

  #hostCall(argc: number, argv: number): Value {
    const { js } = this;
    const argument = (index: number) => index < argc ? js.argument(argv, index) : UNDEFINED;
    const operation = argc > 0 ? js.text(argument(0)) ?? "" : "";
    this.#charge(CALL_FUEL);
    if (operation === "promise") return this.#promise(js.text(argument(1)), argument(2));
    if (operation === "compile") return this.#compile(argument(1), argument(2));
    if (operation === "memory") return js.newString(String(js.size.bytes));
    if (operation === "cwd") {
      this.workingDirectory = js.text(argument(1)) ?? "";
      return UNDEFINED;
    }
    const utf8 = (index: number) =>
      (index < argc ? js.stringBytes(argument(index)) : undefined) ?? new Uint8Array();
    const reply = answerHostCall(operation, this.#services, this.#control(), {
      count: argc,
      text: (index) => index < argc ? js.text(argument(index)) ?? "" : "",
      utf8,
      bytes: (index) => index < argc ? js.arrayBufferBytes(argument(index)) : undefined,
      data: (index) => index < argc ? this.#data(argument(index)) : new Uint8Array(),
    });
    if (reply === undefined) return UNDEFINED;
    return typeof reply === "string" ? js.newString(reply) : js.newArrayBuffer(reply);
  }

  /**
   * Bytes of an ArrayBuffer, or text as UTF-8. Ends the run when there is no memory to copy them.
   */
  #data(value: Value): Uint8Array<ArrayBuffer> {
    const { js } = this;
    const bytes = isString(value) ? js.stringBytes(value) : js.arrayBufferBytes(value);
    if (bytes === undefined) throw new RangeError(OUT_OF_MEMORY);
    return bytes;
  }

  /** The stack of a new error, written with more stack than the guest has. */
  #stackTrace(argv: number): Value {
    const { js } = this;
    this.#charge(STACK_TRACE_FUEL);
    const args = [js.argument(argv, 0), js.argument(argv, 1)];
    js.fn.JS_SetMaxStackSize(js.runtime, this.#stackBytes + STACK_TRACE_BYTES);
    const stack = js.call(this.driver.prepareStackTrace, args);
    js.fn.JS_SetMaxStackSize(js.runtime, this.#stackBytes);
    if (!isException(stack)) return stack;
    js.release(js.fn.JS_GetException(js.context));
    return UNDEFINED;
  }

  /** The value that a script returns, or what it throws. */
  #compile(name: Value, code: Value): Value {
    const { js } = this;
    const value = js.evaluate(js.text(code) ?? "", js.text(name) ?? "", EVAL_GLOBAL);
    return js.exception(value) ?? value;
  }

  /** The state of a promise as a digit, or its value or reason. */
  #promise(what: string | undefined, promise: Value): Value {
    const { js } = this;
    const state = js.promiseState(promise);
    if (what === "state") return js.newString(String(state));
    return state > PROMISE_PENDING ? js.promiseResult(promise) : UNDEFINED;
  }

  /** Makes the engine poll at its next opportunity, and at every later one. */
  #interruptSoon(): void {
    const address = this.js.context + this.layout.interruptCounter;
    this.js.view.setInt32(address, MAX_COUNTER, true);
  }

  #shouldInterrupt(): boolean {
    if (this.exitStatus === undefined) return false;
    this.#interruptSoon();
    return true;
  }

  #rejection(promise: Value, reason: Value, handled: boolean): void {
    const { js, rejections } = this;
    const known = rejections.get(promise);
    if (handled && known !== undefined) {
      rejections.delete(promise);
      js.release(known.reason);
      js.release(known.promise);
    } else if (!handled && known === undefined) {
      rejections.set(promise, { promise: js.dup(promise), reason: js.dup(reason) });
    }
  }
}
