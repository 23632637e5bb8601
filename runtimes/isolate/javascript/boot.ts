/**
 * Makes the JavaScript engine's baseline image: a context with the guest environment loaded, before
 * any guest code runs. A boot gives the same bytes in every process, because clocks stand still and
 * random bytes are zero.
 *
 * @module
 */
import { BootError } from "../boot_error.ts";
import { RunClock, STOPPED_TIME } from "../clock.ts";
import { captureNonZero, captureRanges, type MemoryImage } from "../image.ts";
import { WASM_PAGE_BYTES } from "../wasm_page.ts";
import { UNLIMITED_FUEL } from "../fuel.ts";
import { type Allocations, BootHeap } from "./boot_heap.ts";
import { zeroFreeMemory } from "./free_memory.ts";
import { dropFunctionSources } from "./function_sources.ts";
import {
  type Driver,
  HOST_FUNCTION,
  type ImageHead,
  MODULE_STACK_BYTES,
  STACK_BYTES,
  STACK_FUNCTION,
} from "./instance.ts";
import { answerHostCall, type HostService, type HostServices } from "./host_calls.ts";
import { findLayout, type QuickJsLayout } from "./layout.ts";
import { EVAL_GLOBAL, EVAL_MODULE, PROMISE_REJECTED } from "./quickjs_abi.ts";
import { QuickJs, type QuickJsHooks, type Value } from "./quickjs.ts";

/** File name of the guest environment in stack traces. */
const PRELUDE_NAME = "belljar:prelude";
/** The image omits chunks of this size, in bytes, that are all zero. */
const CHUNK_BYTES = 4096;
/**
 * Least size of the free chunk at the end of the heap. It must be large for the allocator's lists
 * to be found in the image (`guest_heap.ts`).
 */
const TOP_BYTES = 128 * 1024;
/**
 * Pages beyond the heap that are there at the start of a run. Most programs need no more, and every
 * reset compares them.
 */
const SPARE_PAGES = 16;
/** Host call between compiling the environment and running it. */
const COMPILED = "compiled";

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
  places: NO_SERVICE,
  modules: NO_SERVICE,
  random: (target) => void target.fill(0),
};

function startRuntime(js: QuickJs): void {
  js.fuel.value = UNLIMITED_FUEL;
  js.fn.construct();
  js.runtime = js.fn.newRuntime();
}

function startContext(js: QuickJs): void {
  js.fn.runtimeSetMaxStackSize(js.runtime, STACK_BYTES);
  js.context = js.fn.newContext(js.runtime, 0);
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
  if (error !== 0) throw new BootError(failure(js, error));
  return value;
}

/**
 * Evaluating a module returns a promise, which is already settled when the module awaits nothing.
 */
function fulfilled(js: QuickJs, promise: Value): Value {
  if (js.fn.promiseState(js.context, promise) === PROMISE_REJECTED) {
    throw new BootError(failure(js, js.fn.promiseResult(js.context, promise)));
  }
  return promise;
}

function takeDriver(js: QuickJs, global: Value): Driver {
  const object = js.property(global, "__driver");
  const take = (name: string): Value => {
    const value = js.property(object, name);
    const kind = js.fn.typeOf(js.context, value);
    const isFunction = js.bytes.subarray(kind, kind + 8).join() ===
      new TextEncoder().encode("function").join();
    js.fn.free(kind);
    if (!isFunction) throw new BootError(`The driver has no function "${name}"`);
    return value;
  };
  const driver = {
    begin: take("begin"),
    fire: take("fire"),
    finish: take("finish"),
    describe: take("describe"),
    uncaught: take("uncaught"),
    prepareStackTrace: take("prepareStackTrace"),
    findDeclared: take("findDeclared"),
    takeDeclared: take("takeDeclared"),
    restoreDeclared: take("restoreDeclared"),
    setClock: take("setClock"),
  };
  js.release(object);
  js.release(checked(js, js.evaluate("delete globalThis.__driver", PRELUDE_NAME, EVAL_GLOBAL)));
  return driver;
}

/**
 * Evaluates the environment's source as a module: a module's top level has its own scope without
 * being a function. The source is placed beyond the end of the heap, so freeing it leaves no hole.
 */
function evaluatePrelude(js: QuickJs, prelude: string, layout: QuickJsLayout): Value {
  const source = new TextEncoder().encode(`__host("${COMPILED}");${prelude}\0`);
  const pointer = js.bytes.length - source.length;
  js.bytes.set(source, pointer);
  const place = { pointer, length: source.length - 1 };
  const promise = fulfilled(js, checked(js, js.evaluateAt(place, PRELUDE_NAME, EVAL_MODULE)));
  if (heapEndOf(js, layout) > pointer) throw new BootError("The environment needs more memory");
  js.bytes.fill(0, pointer);
  return promise;
}

function loadPrelude(js: QuickJs, prelude: string, layout: QuickJsLayout): Driver {
  const global = js.fn.getGlobalObject(js.context);
  const natives = [["__host", 3, HOST_FUNCTION], ["__stackHook", 2, STACK_FUNCTION]] as const;
  for (const [name, parameters, id] of natives) {
    const native = js.newFunction(name, parameters, id);
    js.setProperty(global, name, native);
    js.release(native);
  }
  js.release(evaluatePrelude(js, prelude, layout));
  const driver = takeDriver(js, global);
  js.release(global);
  return driver;
}

function bootInstance(
  module: WebAssembly.Module,
  maximumPages: number,
  hooks: Partial<QuickJsHooks>,
): QuickJs {
  const js = new QuickJs(module, {
    clock: new RunClock(STOPPED_TIME),
    maximumPages,
    hooks: {
      hostCall: () => 0,
      shouldInterrupt: () => false,
      rejection: () => undefined,
      growing: () => undefined,
      charge: () => undefined,
      ...hooks,
    },
  });
  startRuntime(js);
  return js;
}

function probeLayout(module: WebAssembly.Module, maximumPages: number): QuickJsLayout {
  let rejections = 0;
  const js = bootInstance(module, maximumPages, { rejection: () => void rejections++ });
  startContext(js);
  return findLayout(js, () => rejections);
}

/** Host calls during boot: they drop output and supply no randomness and no time. */
function bootHostCall(js: QuickJs, argc: number, argv: number): Value {
  const text = (index: number) => index < argc ? js.text(js.fn.argument(argv, index)) ?? "" : "";
  if (text(0) === COMPILED) {
    dropFunctionSources(js);
    return 0;
  }
  const reply = answerHostCall(text(0), BOOT_SERVICES, {
    clock: new RunClock(STOPPED_TIME),
    write: () => undefined,
    wallMs: Infinity,
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
    bytes: () => undefined,
    data: () => new Uint8Array(),
  });
  if (reply === undefined) return 0;
  return typeof reply === "string" ? js.newString(reply) : js.newArrayBuffer(reply);
}

function topOf(js: QuickJs, layout: QuickJsLayout): number {
  return js.view.getUint32(layout.topAddress, true);
}

function heapEndOf(js: QuickJs, layout: QuickJsLayout): number {
  return js.view.getUint32(layout.breakAddress, true);
}

/** What one boot made. */
interface Booted {
  readonly image: MemoryImage<ImageHead>;
  readonly allocations: Allocations;
  readonly isDense: boolean;
}

/** Boots the module with the guest environment and takes the image. */
export function bootImage(
  module: WebAssembly.Module,
  options: { readonly prelude: string; readonly maximumPages: number },
): MemoryImage<ImageHead> {
  const layout = probeLayout(module, options.maximumPages);
  const boot = (expected?: Allocations) => bootOnce(module, { ...options, layout, expected });
  const { allocations } = boot();
  const { image, isDense } = boot(allocations);
  if (!isDense) throw new BootError("Two boots allocate differently");
  return image;
}

function bootOnce(
  module: WebAssembly.Module,
  { prelude, maximumPages, layout, expected }: {
    readonly prelude: string;
    readonly maximumPages: number;
    readonly layout: QuickJsLayout;
    readonly expected: Allocations | undefined;
  },
): Booted {
  const js: QuickJs = bootInstance(module, maximumPages, {
    hostCall: (id, argc, argv) => id === HOST_FUNCTION ? bootHostCall(js, argc, argv) : 0,
  });
  const stackPointer = Number(js.stackPointer.value);
  const memoryBytes = js.bytes.length;
  const heap = new BootHeap(js, expected);
  startContext(js);
  js.strings = { lengthBefore: layout.stringLengthBefore };
  js.fn.enableInterruptHandler(js.runtime);
  js.view.setUint32(js.runtime + layout.rejectionTracker, js.trackerIndex, true);
  const driver = loadPrelude(js, prelude, layout);
  dropFunctionSources(js);
  const allocations = heap.close();
  js.fn.free(js.fn.malloc(TOP_BYTES));
  const heapEnd = heapEndOf(js, layout);
  if (heapEnd > memoryBytes) throw new BootError("The environment needs more memory");
  // what loading left there, mostly the environment's own source
  zeroFreeMemory(js, { base: stackPointer, top: topOf(js, layout), end: heapEnd });
  js.bytes.fill(0, stackPointer - MODULE_STACK_BYTES, stackPointer);
  const image: MemoryImage<ImageHead> = {
    head: { runtime: js.runtime, context: js.context, stackPointer, heapEnd, layout, driver },
    pages: Math.ceil(heapEnd / WASM_PAGE_BYTES) + SPARE_PAGES,
    ranges: [
      ...captureRanges(js.bytes, [[0, stackPointer - MODULE_STACK_BYTES]]),
      ...captureNonZero(js.bytes, [stackPointer, heapEnd], CHUNK_BYTES),
    ],
  };
  return { image, allocations, isDense: !heap.hasLeftovers };
}
