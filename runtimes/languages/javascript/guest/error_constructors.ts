/**
 * The guest's error constructors. They differ from the engine's in one way: the header of `stack`
 * is written when `stack` is first read, as in V8. So a subclass that sets its `name` after
 * `super()` appears under that name.
 *
 * @module
 */
import {
  bare,
  copyStatics,
  dataDescriptor,
  defineHidden,
  ObjectGetPrototypeOf,
  ObjectSetPrototypeOf,
  ownDescriptor,
  ReflectApply,
  ReflectConstruct,
  ReflectDefineProperty,
  ReflectDeleteProperty,
  ReflectGet,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
  uncurryThis,
  WeakMapPrototypeGet,
  WeakMapPrototypeSet,
} from "./primordials.ts";
import { showAsBuiltIn } from "./function_text.ts";
import {
  addErrorConstructor,
  addErrorMaker,
  headerOf,
  installStackTraces,
  prepareStackTrace,
  setCapturing,
  takeTrace,
  type Trace,
  traceSettings,
} from "./stack_trace.ts";

type Constructor = new (...args: readonly unknown[]) => object;

const NAMES = [
  "EvalError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "TypeError",
  "URIError",
  "AggregateError",
  "SuppressedError",
] as const;

/** Errors whose header has not been written. */
const deferred = new WeakMap<object, Trace>();
const forget = uncurryThis(WeakMap.prototype.delete) as (map: object, key: object) => boolean;

function writeStack(holder: object, value: unknown, enumerable: boolean): void {
  forget(deferred, holder);
  ReflectDefineProperty(holder, "stack", dataDescriptor(value, enumerable));
}

/** The error on the prototype chain of `value` that waits for its header. */
function holderOf(value: unknown): object | undefined {
  let current = typeof value === "object" && value !== null ? value : null;
  while (current !== null) {
    if (WeakMapPrototypeGet(deferred, current) !== undefined) return current;
    current = ObjectGetPrototypeOf(current);
  }
  return undefined;
}

/**
 * The header of an error that this environment made. Node writes the code of its own errors after
 * their name.
 */
function codedHeaderOf(error: object): string {
  const code: unknown = ownDescriptor(error, "code")?.value;
  const header = headerOf(error);
  if (typeof code !== "string" || !StringPrototypeStartsWith(code, "ERR_")) return header;
  const name = String(ReflectGet(error, "name"));
  return `${name} [${code}]${StringPrototypeSlice(header, name.length)}`;
}

function readStack(self: unknown): unknown {
  const holder = holderOf(self);
  if (holder === undefined) return undefined;
  const trace = WeakMapPrototypeGet(deferred, holder) as Trace;
  const stack = `${trace.ours ? codedHeaderOf(holder) : headerOf(holder)}${trace.frames}`;
  writeStack(holder, stack, false);
  return stack;
}

const STACK_ACCESSOR: PropertyDescriptor = bare({
  get(this: unknown): unknown {
    return readStack(this);
  },
  set(this: unknown, value: unknown): void {
    if ((typeof this === "object" && this !== null) || typeof this === "function") {
      writeStack(this, value, holderOf(this) !== this);
    }
  },
  enumerable: false,
  configurable: true,
});

/** Delays writing the `stack` of the last error until it is first read. */
function deferHeader(error: object): void {
  const trace = takeTrace();
  if (trace === undefined) return;
  WeakMapPrototypeSet(deferred, error, trace);
  ReflectDefineProperty(error, "stack", STACK_ACCESSOR);
}

/** Shows an error's code in its header. */
export function showCode(error: object): void {
  const trace = WeakMapPrototypeGet(deferred, error) as Trace | undefined;
  if (trace !== undefined) WeakMapPrototypeSet(deferred, error, { ...trace, ours: true });
}

function isConstructor(value: unknown): value is Constructor {
  return typeof value === "function";
}

function createConstructor(native: Constructor): Constructor {
  const guest = function (...args: unknown[]): object {
    const error: object = ReflectConstruct(native, args, new.target ?? guest);
    deferHeader(error);
    return error;
  };
  copyStatics(native, guest);
  showAsBuiltIn(guest);
  addErrorConstructor(guest);
  defineHidden(native.prototype, "constructor", guest);
  if (!isConstructor(guest)) throw new TypeError("Not a constructor");
  return guest;
}

/** `Error.captureStackTrace`, `stackTraceLimit` and `prepareStackTrace`, as V8 has them. */
function defineStatics(native: Constructor, guest: Constructor): void {
  const capture = ReflectGet(native, "captureStackTrace");
  const captureStackTrace = (target: object, above?: unknown): void => {
    const args = above === undefined ? [target] : [target, above];
    setCapturing(true);
    try {
      ReflectApply(capture, native, args);
    } finally {
      setCapturing(false);
    }
    deferHeader(target);
  };
  addErrorMaker(captureStackTrace);
  defineHidden(guest, "captureStackTrace", captureStackTrace);
  const settings = bare(
    {
      stackTraceLimit: "limit",
      prepareStackTrace: "prepare",
    } as const,
  );
  for (const name of ["stackTraceLimit", "prepareStackTrace"] as const) {
    const field = settings[name];
    ReflectDefineProperty(guest, name, {
      get: () => traceSettings[field],
      set: (value: unknown) => void (traceSettings[field] = value),
      enumerable: false,
      configurable: true,
    });
  }
}

function replaceGlobal(name: string, parent: Constructor | undefined): Constructor {
  const native: unknown = ReflectGet(globalThis, name);
  if (!isConstructor(native)) throw new TypeError(`The engine has no ${name}`);
  const guest = createConstructor(native);
  if (parent !== undefined) ObjectSetPrototypeOf(guest, parent);
  defineHidden(globalThis, name, guest);
  return guest;
}

/**
 * Replaces the engine's constructors and installs the trace hook. Must run before any module
 * captures an error constructor.
 */
export function installErrors(): void {
  const native: unknown = ReflectGet(globalThis, "Error");
  if (!isConstructor(native)) throw new TypeError("The engine has no Error");
  ReflectDeleteProperty(native.prototype, "stack"); // each error has one of its own
  installStackTraces(takeNativeHook() ?? prepareStackTrace);
  const base = replaceGlobal("Error", undefined);
  defineStatics(native, base);
  for (const name of NAMES) replaceGlobal(name, base);
}

/**
 * The host may put a native function here that calls the driver's `prepareStackTrace` with a higher
 * stack limit. Without it a stack overflow error has no trace.
 */
function takeNativeHook(): unknown {
  const hook: unknown = ReflectGet(globalThis, "__stackHook");
  ReflectDeleteProperty(globalThis, "__stackHook");
  return hook;
}
