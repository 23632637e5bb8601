/**
 * Stack traces as V8 writes them: a header, then one `    at f (main.js:3:5)` per frame.
 *
 * QuickJS passes each new error and its call sites to a hook, which writes the frames. Frames of
 * this environment, and of the built-ins that it calls, are omitted. V8 writes the header when
 * `stack` is first read; errors from the constructors in `error_constructors.ts` do the same.
 *
 * @module
 */
import {
  dataDescriptor,
  type List,
  NumberIsFinite,
  ObjectPrototypeHasOwnProperty,
  ownDescriptor,
  ReflectApply,
  ReflectConstruct,
  ReflectDefineProperty,
  ReflectGet,
  uncurryGetter,
  WeakSetPrototypeAdd,
  WeakSetPrototypeHas,
} from "./primordials.ts";
import { explainAbsence } from "./absent_globals.ts";
import {
  type CallSiteReaders,
  type ErrorSite,
  type Frame,
  framesOf,
  framesText,
  guestArray,
  guestSite,
  isMadeByUs,
  markShown,
  readCallSites,
  textOf,
} from "./stack_frames.ts";

/** Number of this environment's frames that may lie between the guest's. */
const RESERVED_FRAMES = 16;
const DEFAULT_LIMIT = 10;
/** The engine's message for a stack overflow. */
const STACK_OVERFLOW = "Maximum call stack size exceeded";

interface State {
  /** When above 0, errors get no traces. */
  silent: number;
  limit: unknown;
  /** The guest's `Error.prepareStackTrace`. */
  prepare: unknown;
  /** The trace of the last error, for code that replaces its stack. */
  last: Trace | undefined;
  /** A stack was requested for an object that need not be an error. */
  capturing: boolean;
  /** Receives the call site while one is being looked up. */
  wanted: { site: ErrorSite | undefined } | undefined;
}

/** Where an error was made. */
export interface Trace {
  /** The frames as text, each on a line of its own. */
  readonly frames: string;
  /** Whether this environment made the error, not the guest. */
  readonly ours: boolean;
}

const state: State = {
  silent: 0,
  limit: DEFAULT_LIMIT,
  prepare: undefined,
  last: undefined,
  capturing: false,
  wanted: undefined,
};
/** Functions of this environment that make errors on behalf of the guest. */
const makers = new WeakSet<object>();
/** The constructors among them. */
const constructors = new WeakSet<object>();
const isError = ReflectGet(Error, "isError") as (value: object) => boolean;
/** Throws for anything that is not a `DOMException`. */
const codeOf = uncurryGetter(DOMException.prototype, "code");
let readers: CallSiteReaders | undefined;

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

/** What V8 writes before the frames: name and message as in `Error.prototype.toString`. */
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

/** The function that made an error on behalf of the guest; undefined for engine errors. */
function makerOf(frames: List<Frame>): object | undefined {
  let i = 0;
  while (i < frames.length && frames[i]?.of.owner === "native") i++;
  const callee = frames[i]?.callee;
  return typeof callee === "function" && WeakSetPrototypeHas(makers, callee) ? callee : undefined;
}

function limitOf(): number {
  const { limit } = state;
  return typeof limit === "number" && limit > 0 ? limit : 0;
}

/** The position of the guest's current call; undefined when its traces do not show it. */
export function callingSite(): ErrorSite | undefined {
  const wanted: State["wanted"] = { site: undefined };
  state.wanted = wanted;
  try {
    ReflectConstruct(Error, []);
    return wanted.site;
  } finally {
    state.wanted = undefined;
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
function needsStack(thrown: object | undefined): boolean {
  return thrown !== undefined && (isError(thrown) || isException(thrown)) &&
    !ObjectPrototypeHasOwnProperty(thrown, "stack");
}

/** Sets whether a stack is requested for an object that need not be an error. */
export function setCapturing(isCapturing: boolean): void {
  state.capturing = isCapturing;
}

/** The hook: returns the `stack` of a new error. */
export function prepareStackTrace(error: unknown, sites: ArrayLike<unknown>): unknown {
  state.last = undefined;
  if (state.wanted !== undefined) {
    if (readers !== undefined) state.wanted.site = guestSite(sites, readers);
    return "";
  }
  if (state.silent > 0) return "";
  const made = typeof error === "object" && error !== null ? error : undefined;
  // the engine calls this for any thrown value, and again when it is rethrown
  if (!state.capturing && !needsStack(made)) return "";
  if (readers === undefined) return made === undefined ? "Error" : headerOf(made);
  const frames = framesOf(sites, readers);
  const maker = makerOf(frames);
  if (made !== undefined && maker === undefined) explainAbsence(made);
  // an error from a constructor gets its header when its stack is first read
  const isHeaderless = maker !== undefined && WeakSetPrototypeHas(constructors, maker);
  const isPrepared = typeof state.prepare === "function";
  const header = isHeaderless && !isPrepared ? "" : made === undefined ? "Error" : headerOf(made);
  markShown(error, frames);
  if (isPrepared) {
    return withStack(made, ReflectApply(state.prepare, undefined, [error, guestArray(frames)]));
  }
  const text = framesText(frames, readers, limitOf());
  if (maker === undefined) return withStack(made, `${header}${text}`);
  state.last = { frames: text, ours: isMadeByUs(error, frames) };
  return `${header}${text}`;
}

/**
 * Gives an error its `stack`, which is a property of the error's own, as in V8. Objects that are no
 * errors get theirs from the engine.
 */
function withStack(made: object | undefined, stack: unknown): unknown {
  if (made !== undefined && !state.capturing) {
    ReflectDefineProperty(made, "stack", dataDescriptor(stack));
  }
  return stack;
}

/** Registers `maker` as a function that makes errors, whose messages are not the engine's. */
export function addErrorMaker(maker: object): void {
  WeakSetPrototypeAdd(makers, maker);
}

/** Registers `maker` as an error constructor, which writes the header of its errors. */
export function addErrorConstructor(maker: object): void {
  addErrorMaker(maker);
  WeakSetPrototypeAdd(constructors, maker);
}

/** Whether `error` is a stack overflow. */
export function isStackOverflow(error: unknown): boolean {
  return typeof error === "object" && error !== null &&
    ownDescriptor(error, "message")?.value === STACK_OVERFLOW;
}

/** Takes the trace of the last error; undefined when the guest wrote its stack. */
export function takeTrace(): Trace | undefined {
  const { last } = state;
  state.last = undefined;
  return last;
}

/** The trace limit and the trace hook, as the guest sees them. */
export const traceSettings = {
  get limit(): unknown {
    return state.limit;
  },
  set limit(value: unknown) {
    state.limit = value;
    restoreLimit();
  },
  get prepare(): unknown {
    return state.prepare;
  },
  set prepare(value: unknown) {
    state.prepare = value;
  },
};

let setNativeLimit: (value: number) => void = () => {};

/** Lets the engine collect as many frames as the guest wants, plus some of this environment's. */
function restoreLimit(): void {
  const { limit } = state;
  const wanted = typeof limit === "number" && NumberIsFinite(limit) ? limit : DEFAULT_LIMIT * 20;
  setNativeLimit(wanted + RESERVED_FRAMES);
}

/**
 * Installs the hook in the engine. `hook` is used instead of {@link prepareStackTrace}: a native
 * function that calls it with some more stack, so that a stack overflow error gets a trace too.
 */
export function installStackTraces(hook: unknown): void {
  const accessor = (name: string) => ownDescriptor(Error, name)?.set;
  const setLimit = accessor("stackTraceLimit");
  const setHook = accessor("prepareStackTrace");
  setNativeLimit = (value) => void ReflectApply(setLimit, Error, [value]);
  restoreLimit();
  // read now: later a guest could replace the methods and receive this environment's frames
  ReflectApply(setHook, Error, [(_error: unknown, sites: ArrayLike<unknown>) => {
    readers = readCallSites(sites[0]);
  }]);
  ReflectConstruct(Error, []);
  ReflectApply(setHook, Error, [hook]);
}
