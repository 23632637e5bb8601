/**
 * Stack traces as programs of Node expect them: `stack` is a property of each error, with a header
 * and one `    at f (main.js:3:5)` per frame.
 *
 * QuickJS passes each new error and its call sites to a hook, which writes the frames. Frames of
 * this environment, and of the built-ins that it calls, are omitted. The header is written when
 * `stack` is first read: a class that sets its `name` after `super()` appears under that name.
 *
 * @module
 */
import { explainAbsence } from "./absent_globals.ts";
import {
  bare,
  dataDescriptor,
  defineHidden,
  NumberIsFinite,
  ObjectGetPrototypeOf,
  ObjectPrototypeHasOwnProperty,
  ownDescriptor,
  ReflectApply,
  ReflectConstruct,
  ReflectDefineProperty,
  ReflectDeleteProperty,
  ReflectGet,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
  SymbolPrototypeToString,
  uncurryGetter,
  uncurryThis,
  WeakMapPrototypeGet,
  WeakMapPrototypeSet,
} from "./primordials.ts";
import {
  type CallSiteReaders,
  framesOf,
  framesText,
  guestArray,
  isMadeByUs,
  readCallSites,
} from "./stack_frames.ts";

/** Number of this environment's frames that may lie between the guest's. */
const RESERVED_FRAMES = 16;
const DEFAULT_LIMIT = 10;
/** The engine's message for a stack overflow. */
const STACK_OVERFLOW = "Maximum call stack size exceeded";
/** The code of an assertion, whose class a program may call itself. */
const ASSERTION = "ERR_ASSERTION";

/** A stack whose header has not been written. */
interface Trace {
  /** The frames as text, each on a line of its own. */
  readonly frames: string;
  /** Whether this environment made the error, not the guest. */
  readonly ours: boolean;
}

const NativeError = Error;
const isError = ReflectGet(Error, "isError") as (value: object) => boolean;
/** Throws for anything that is not a `DOMException`. */
const codeOf = uncurryGetter(DOMException.prototype, "code");
const forget = uncurryThis(WeakMap.prototype.delete) as (map: object, key: object) => boolean;
const traces = new WeakMap<object, Trace>();
const state: { silent: number; limit: unknown; capturing: boolean } = {
  /** When above 0, errors get no traces. */
  silent: 0,
  limit: DEFAULT_LIMIT,
  /** A stack was requested for an object that need not be an error. */
  capturing: false,
};
let readers: CallSiteReaders | undefined;
let setNativeLimit: (value: number) => void = () => {};

/** A name or message as text. */
function textOf(value: unknown, fallback: string): string {
  if (value === undefined) return fallback;
  return typeof value === "symbol" ? SymbolPrototypeToString(value) : `${value}`;
}

/** Name and message as in `Error.prototype.toString`. */
export function headerOf(error: object): string {
  try {
    const name = textOf(ReflectGet(error, "name"), "Error");
    const message = textOf(ReflectGet(error, "message"), "");
    if (name === "") return message;
    return message === "" ? name : `${name}: ${message}`;
  } catch {
    return "Error";
  }
}

/** The header with the code of an error of Node, which stands after the name. */
function codedHeaderOf(error: object, ours: boolean): string {
  const code: unknown = ownDescriptor(error, "code")?.value;
  const header = headerOf(error);
  const isCoded = typeof code === "string" && StringPrototypeStartsWith(code, "ERR_") &&
    (ours || code === ASSERTION);
  if (!isCoded) return header;
  const name = textOf(ReflectGet(error, "name"), "Error");
  return `${name} [${code}]${StringPrototypeSlice(header, name.length)}`;
}

/** The error on the prototype chain of `value` that waits for its header. */
function holderOf(value: unknown): object | undefined {
  let current = typeof value === "object" && value !== null ? value : null;
  while (current !== null) {
    if (WeakMapPrototypeGet(traces, current) !== undefined) return current;
    current = ObjectGetPrototypeOf(current);
  }
  return undefined;
}

function writeStack(holder: object, value: unknown, enumerable: boolean): void {
  if (ReflectDefineProperty(holder, "stack", dataDescriptor(value, enumerable))) {
    forget(traces, holder);
  }
}

const STACK_ACCESSOR: PropertyDescriptor = bare({
  get(this: unknown): unknown {
    const holder = holderOf(this);
    if (holder === undefined) return undefined;
    const { frames, ours } = WeakMapPrototypeGet(traces, holder) as Trace;
    const stack = `${codedHeaderOf(holder, ours)}${frames}`;
    writeStack(holder, stack, false);
    return stack;
  },
  set(this: unknown, value: unknown): void {
    if ((typeof this === "object" && this !== null) || typeof this === "function") {
      writeStack(this, value, holderOf(this) !== this);
    }
  },
  enumerable: false,
  configurable: true,
});

/**
 * Runs `action` without traces for the errors that it makes and drops: traces would cost more than
 * the action.
 */
export function withoutTraces<Result>(action: () => Result): Result {
  if (state.silent++ === 0) setNativeLimit(0);
  try {
    return action();
  } finally {
    if (--state.silent === 0) restoreLimit();
  }
}

/** Whether an object is a `DOMException`, which the engine does not count as an `Error`. */
function isException(thrown: object): boolean {
  if (codeOf === undefined) return false;
  state.silent++;
  try {
    codeOf(thrown);
    return true;
  } catch {
    return false;
  } finally {
    state.silent--;
  }
}

/** Whether an object is an error without a stack. A proxy is not. */
function needsStack(thrown: object): boolean {
  return (isError(thrown) || isException(thrown)) &&
    !ObjectPrototypeHasOwnProperty(thrown, "stack");
}

function limitOf(): number {
  const { limit } = state;
  return typeof limit === "number" && limit > 0 ? limit : 0;
}

/** The hook: gives a new error its `stack`. */
export function prepareStackTrace(error: unknown, sites: ArrayLike<unknown>): unknown {
  if (state.silent > 0 || readers === undefined || typeof error !== "object" || error === null) {
    return "";
  }
  // the engine calls this for any thrown value, and again when it is rethrown
  if (!state.capturing && !needsStack(error)) return "";
  if (!state.capturing) explainAbsence(error);
  const frames = framesOf(error, sites, readers);
  const prepare: unknown = ownDescriptor(NativeError, "prepareStackTrace")?.value;
  if (typeof prepare === "function") {
    const stack: unknown = ReflectApply(prepare, undefined, [error, guestArray(frames)]);
    ReflectDefineProperty(error, "stack", dataDescriptor(stack));
    return stack;
  }
  const ours = isMadeByUs(error, frames);
  WeakMapPrototypeSet(traces, error, { frames: framesText(frames, readers, limitOf()), ours });
  ReflectDefineProperty(error, "stack", STACK_ACCESSOR);
  return "";
}

/** Whether `error` is a stack overflow. */
export function isStackOverflow(error: unknown): boolean {
  return typeof error === "object" && error !== null &&
    ownDescriptor(error, "message")?.value === STACK_OVERFLOW;
}

/** Lets the engine collect as many frames as the guest wants, plus some of this environment's. */
function restoreLimit(): void {
  const { limit } = state;
  const wanted = typeof limit === "number" && NumberIsFinite(limit) ? limit : DEFAULT_LIMIT * 20;
  setNativeLimit(wanted + RESERVED_FRAMES);
}

/** `Error.captureStackTrace` and `stackTraceLimit`. The engine's write stacks without a header. */
function defineStatics(): void {
  const capture = ReflectGet(NativeError, "captureStackTrace");
  defineHidden(NativeError, "captureStackTrace", (target: object, above?: unknown): void => {
    state.capturing = true;
    try {
      ReflectApply(capture, NativeError, above === undefined ? [target] : [target, above]);
    } finally {
      state.capturing = false;
    }
    if (WeakMapPrototypeGet(traces, target) !== undefined) {
      ReflectDefineProperty(target, "stack", STACK_ACCESSOR);
    }
  });
  ReflectDefineProperty(NativeError, "stackTraceLimit", {
    get: () => state.limit,
    set: (value: unknown) => {
      state.limit = value;
      restoreLimit();
    },
    enumerable: false,
    configurable: true,
  });
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

/** Installs the hook in the engine. */
export function installStackTraces(): void {
  const hook = takeNativeHook() ?? prepareStackTrace;
  const accessor = (name: string) => ownDescriptor(NativeError, name)?.set;
  const setLimit = accessor("stackTraceLimit");
  const setHook = accessor("prepareStackTrace");
  setNativeLimit = (value) => void ReflectApply(setLimit, NativeError, [value]);
  restoreLimit();
  // read now: later a guest could replace the methods and receive this environment's frames
  ReflectApply(setHook, NativeError, [(_error: unknown, sites: ArrayLike<unknown>) => {
    readers = readCallSites(sites[0]);
  }]);
  ReflectConstruct(NativeError, []);
  ReflectApply(setHook, NativeError, [hook]);
  ReflectDeleteProperty(NativeError.prototype, "stack"); // each error has one of its own
  defineStatics();
  ReflectDeleteProperty(NativeError, "prepareStackTrace");
}
