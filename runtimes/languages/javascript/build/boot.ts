/**
 * Makes the JavaScript engine's baseline image: a context with the guest environment loaded, before
 * any guest code runs. A boot gives the same bytes in every process, because clocks stand still and
 * random bytes are zero.
 *
 * @module
 */
import { BootError } from "../../../engine/boot_error.ts";
import { RunClock, STOPPED_TIME } from "../../../engine/clock.ts";
import { CHUNK_HEAD_BYTES } from "../../../engine/heap_chunks.ts";
import { captureNonZero, type MemoryImage } from "../../../engine/image.ts";
import { WASM_PAGE_BYTES } from "../../../../wasm/metering/wasm_page.ts";
import { UNLIMITED_FUEL } from "../../../engine/fuel.ts";
import { zeroFreeMemory } from "../host/free_memory.ts";
import { dropFunctionSources } from "./function_sources.ts";
import {
  type Driver,
  DRIVER_FUNCTIONS,
  HOST_FUNCTION,
  type ImageHead,
  INITIAL_STACK_BYTES,
  MODULE_STACK_BYTES,
  STACK_BYTES,
  STACK_FUNCTION,
} from "../host/instance.ts";
import { answerHostCall, type HostService, type HostServices } from "../host/host_calls.ts";
import { findLayout, type QuickJsLayout } from "../host/layout.ts";
import {
  addressOf,
  EVAL_COMPILE_ONLY,
  EVAL_GLOBAL,
  EVAL_MODULE,
  objectAt,
  PROMISE_REJECTED,
  UNDEFINED,
  type Value,
} from "../host/quickjs_abi.ts";
import { QuickJs, type QuickJsHooks } from "../host/quickjs.ts";
import {
  PackageError,
  type PreloadedPackages,
  preloadProgram,
  preloadServices,
} from "./preload.ts";

/** File name of the guest environment in stack traces. */
const PRELUDE_NAME = "belljar:prelude";
/** The image omits chunks of this size, in bytes, that are all zero. */
const CHUNK_BYTES = 4096;
/**
 * Least size of the free chunk at the end of the heap. Most programs need no more memory, and every
 * reset compares it. It must be large for the allocator's lists to be found in the image
 * (`guest_heap.ts`).
 */
const TOP_BYTES = 1024 * 1024;

/** Largest size of a small block's places in bytes, and the step between the sizes. */
const SMALL_BYTES = 128;
const SMALL_STEP = 8;
/** More than the free places of one size in the image. */
const MAX_PLACES = 10_000;

/** Runs of nothing before the image is taken. */
const WARM_UP_RUNS = 2;

const NO_SERVICE: HostService = { fuel: () => 0, workFuel: () => 0, call: () => undefined };
const BOOT_SERVICES: HostServices = {
  intl: {
    fuel: () => 0,
    workFuel: () => 0,
    call: () => `{"error":{"name":"Error","message":"not at boot"}}`,
  },
  files: {
    fuel: () => 0,
    workFuel: () => 0,
    call: () => `{"error":{"code":"EIO","message":"not at boot"}}`,
  },
  hashes: { serve: () => undefined },
  ciphers: { serve: () => undefined },
  texts: { serve: () => undefined },
  modules: NO_SERVICE,
  onDemand: "",
  random: (target) => void target.fill(0),
};

/** Starts the runtime on a shadow stack of its own. */
function startRuntime(js: QuickJs): void {
  js.fuel.value = UNLIMITED_FUEL;
  js.fn._initialize();
  js.stackPointer.value = js.allocate(MODULE_STACK_BYTES) + MODULE_STACK_BYTES;
  js.runtime = js.fn.JS_NewRuntime();
}

function startContext(js: QuickJs): void {
  js.fn.JS_SetMaxStackSize(js.runtime, STACK_BYTES);
  js.context = js.fn.JS_NewContext(js.runtime);
  const { interrupt, rejection } = js.hostFunctions;
  js.fn.JS_SetInterruptHandler(js.runtime, interrupt, 0);
  js.fn.JS_SetHostPromiseRejectionTracker(js.runtime, rejection, 0);
}

/**
 * The text of an exception that our own code threw. The guest environment may be only partly
 * loaded.
 */
function failure(js: QuickJs, error: Value): string {
  const parts = ["message", "stack"].map((name) => js.text(js.property(error, name)) ?? "");
  return [js.text(error) ?? "", ...parts].join("\n");
}

function checked(js: QuickJs, value: Value): Value {
  const error = js.exception(value);
  if (error !== undefined) throw new BootError(failure(js, error));
  return value;
}

/**
 * Evaluating a module returns a promise, which is already settled when the module awaits nothing.
 */
function fulfilled(js: QuickJs, promise: Value): Value {
  if (js.promiseState(promise) === PROMISE_REJECTED) {
    throw new BootError(failure(js, js.promiseResult(promise)));
  }
  return promise;
}

function takeDriver(js: QuickJs, global: Value): Driver<number> {
  const object = js.property(global, "__driver");
  const entries = DRIVER_FUNCTIONS.map((name) => {
    const value = js.property(object, name);
    if (!js.isFunction(value)) throw new BootError(`The driver has no function "${name}"`);
    return [name, addressOf(value)] as const;
  });
  js.release(object);
  js.release(checked(js, js.evaluate("delete globalThis.__driver", PRELUDE_NAME, EVAL_GLOBAL)));
  return Object.fromEntries(entries) as Driver<number>;
}

/**
 * Compiles the environment as a module: a module's top level has its own scope without being a
 * function. The result is bytecode without the texts of functions. An image that is made from it
 * has no gaps where a parser worked.
 */
function compilePrelude(
  module: WebAssembly.Module,
  { prelude, maximumPages }: { readonly prelude: string; readonly maximumPages: number },
): Uint8Array<ArrayBuffer> {
  const js = bootInstance(module, maximumPages);
  startContext(js);
  const flags = EVAL_MODULE | EVAL_COMPILE_ONLY;
  const compiled = checked(js, js.evaluate(prelude, PRELUDE_NAME, flags));
  dropFunctionSources(js);
  const bytecode = js.writeBytecode(compiled);
  if (bytecode === undefined) throw new BootError("The environment cannot be written as bytecode");
  return bytecode;
}

/** Runs a module from bytecode, which is placed far beyond the heap, so that it leaves no gap. */
function evaluateBytecode(js: QuickJs, bytecode: Uint8Array): Value {
  // only the memory, not the size that the allocator sees
  js.memory.grow(js.maximumPages - js.bytes.length / WASM_PAGE_BYTES);
  const pointer = js.bytes.length - bytecode.length;
  js.bytes.set(bytecode, pointer);
  const compiled = checked(js, js.readBytecode({ pointer, length: bytecode.length }));
  js.bytes.fill(0, pointer);
  return fulfilled(js, checked(js, js.fn.JS_EvalFunction(js.context, compiled)));
}

function loadPrelude(js: QuickJs, bytecode: Uint8Array): Driver<number> {
  const global = js.fn.JS_GetGlobalObject(js.context);
  const natives = [["__host", 3, HOST_FUNCTION], ["__stackHook", 2, STACK_FUNCTION]] as const;
  for (const [name, parameters, id] of natives) {
    const native = js.newFunction(name, parameters, id);
    js.setProperty(global, name, native);
    js.release(native);
  }
  js.release(evaluateBytecode(js, bytecode));
  const driver = takeDriver(js, global);
  js.release(global);
  return driver;
}

function bootInstance(
  module: WebAssembly.Module,
  maximumPages: number,
  hooks: Partial<QuickJsHooks> = {},
): QuickJs {
  const js = new QuickJs(module, {
    clock: new RunClock(STOPPED_TIME),
    maximumPages,
    hooks: {
      call: () => UNDEFINED,
      shouldInterrupt: () => false,
      rejection: () => undefined,
      charge: () => undefined,
      ...hooks,
    },
  });
  startRuntime(js);
  return js;
}

function probeLayout(module: WebAssembly.Module, maximumPages: number): QuickJsLayout {
  const js = bootInstance(module, maximumPages);
  startContext(js);
  return findLayout(js);
}

/** Compiles a file of a package. Returns the error in place of a function. */
function compileFile(js: QuickJs, name: string, code: string): Value {
  const value = js.evaluate(code, name, EVAL_GLOBAL);
  return js.exception(value) ?? value;
}

/** Host calls during boot: they drop output and supply no randomness and no time. */
function bootHostCall(js: QuickJs, argc: number, argv: number, services: HostServices): Value {
  const text = (index: number) => index < argc ? js.text(js.argument(argv, index)) ?? "" : "";
  if (text(0) === "compile") return compileFile(js, text(1), text(2));
  const reply = answerHostCall(text(0), services, {
    clock: new RunClock(STOPPED_TIME),
    write: () => undefined,
    wallMs: Infinity,
    displayBytes: 0,
    charge: () => true,
    stop: (limit) => {
      throw new BootError(`The environment hit a limit while loading: ${limit}`);
    },
    exit: () => {
      throw new BootError("The environment exited while loading");
    },
  }, {
    count: argc,
    text,
    utf8: (index) => new TextEncoder().encode(text(index)),
    bytes: (index) => index < argc ? js.arrayBufferBytes(js.argument(argv, index)) : undefined,
    data: (index) => new TextEncoder().encode(text(index)),
  });
  if (reply === undefined) return UNDEFINED;
  return typeof reply === "string" ? js.newString(reply) : js.newArrayBuffer(reply);
}

function topOf(js: QuickJs, layout: QuickJsLayout): number {
  return js.view.getUint32(layout.topAddress, true);
}

/** A run of nothing, so that what the first run of a program makes for good is in the image. */
function warmUp(js: QuickJs, driver: Driver<number>): void {
  const setup = js.newString('{"env":[],"cwd":"/workspace","isWarmUp":true}');
  const begun = checked(js, js.call(objectAt(driver.begin), [setup]));
  const value = checked(js, js.evaluate("0", "main.js", EVAL_GLOBAL));
  const finished = checked(js, js.call(objectAt(driver.finish), [value]));
  for (const owned of [setup, begun, value, finished]) js.release(owned);
}

/** Loads packages, so that programs find them loaded. Throws a PackageError. */
function loadPackages(js: QuickJs, driver: Driver<number>, packages: PreloadedPackages): void {
  const setup = js.newString('{"env":[],"cwd":"/workspace","isWarmUp":true}');
  js.release(checked(js, js.call(objectAt(driver.begin), [setup])));
  for (const name of packages.preload) {
    const value = checked(js, js.evaluate(preloadProgram(name), "main.js", EVAL_GLOBAL));
    const reason = js.text(value) ?? "";
    if (reason !== "") throw new PackageError(`${name} cannot be loaded: ${reason}`);
    js.release(value);
  }
  const finished = checked(js, js.call(objectAt(driver.finish), [UNDEFINED]));
  for (const owned of [setup, finished]) js.release(owned);
}

/**
 * Fills the free places of the runtime's small blocks, so that a run's own objects are in new blocks,
 * one beside the other. Otherwise each run changes a place in many blocks, and so many pages.
 */
function fillSmallBlocks(js: QuickJs, layout: QuickJsLayout): void {
  for (let bytes = SMALL_STEP; bytes <= SMALL_BYTES; bytes += SMALL_STEP) {
    const top = topOf(js, layout);
    for (let place = 0; place < MAX_PLACES && topOf(js, layout) === top; place++) {
      js.fn.js_malloc(js.context, bytes);
    }
  }
}

/** The parts of an image. */
export interface BootParts {
  /** The guest environment. */
  readonly prelude: string;
  readonly maximumPages: number;
  /** The operator's packages. @default {none} */
  readonly packages?: PreloadedPackages | undefined;
}

/** Boots the module with the guest environment and takes the image. Throws a PackageError. */
export function bootImage(
  module: WebAssembly.Module,
  { prelude, maximumPages, packages }: BootParts,
): MemoryImage<ImageHead> {
  const layout = probeLayout(module, maximumPages);
  const bytecode = compilePrelude(module, { prelude, maximumPages });
  const services = { ...BOOT_SERVICES, ...(packages && preloadServices(packages)) };
  const js: QuickJs = bootInstance(module, maximumPages, {
    call: (id, argc, argv) =>
      id === HOST_FUNCTION ? bootHostCall(js, argc, argv, services) : UNDEFINED,
  });
  const stackPointer = Number(js.stackPointer.value);
  startContext(js);
  const driver = loadPrelude(js, bytecode);
  fillSmallBlocks(js, layout);
  for (let run = 0; run < WARM_UP_RUNS; run++) warmUp(js, driver);
  if (packages !== undefined) loadPackages(js, driver, packages);
  js.fn.free(js.fn.malloc(TOP_BYTES));
  const end = js.size.bytes;
  const stackBase = stackPointer - MODULE_STACK_BYTES;
  // what loading left there
  zeroFreeMemory(js, { first: stackBase - CHUNK_HEAD_BYTES, top: topOf(js, layout), end });
  js.bytes.fill(0, 0, INITIAL_STACK_BYTES);
  js.bytes.fill(0, stackBase, stackPointer);
  return {
    head: { runtime: js.runtime, context: js.context, stackPointer, layout, driver },
    pages: end / WASM_PAGE_BYTES,
    ranges: captureNonZero(js.bytes, [0, end], CHUNK_BYTES),
  };
}
