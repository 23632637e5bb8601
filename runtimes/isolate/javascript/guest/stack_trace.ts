/**
 * Stack traces as V8 writes them: a header, then one `    at f (main.js:3:5)` per frame.
 *
 * QuickJS hands each new error and its call sites to a hook, which writes the frames. Frames of
 * this environment, and of the built-ins it calls, are left out. V8 writes the header when
 * `stack` is first read; so do errors made by the constructors of `error_constructors.ts`.
 *
 * @module
 */
import {
  type List,
  NumberIsFinite,
  ObjectPrototypeHasOwnProperty,
  ownDescriptor,
  ReflectApply,
  ReflectConstruct,
  ReflectGet,
  uncurryGetter,
  WeakSetPrototypeAdd,
  WeakSetPrototypeHas,
} from "./primordials.ts";
import type { ErrorSite, SourcePosition } from "./error_wording/fault.ts";
import type { Thrower } from "./error_wording/wording.ts";
import {
  type CallSiteReaders,
  type Frame,
  framesOf,
  framesText,
  guestArray,
  guestSite,
  isMadeByUs,
  markShown,
  readCallSites,
  textOf,
  throwerOf,
} from "./stack_frames.ts";

/** Frames of ours that may stand between the guest's. */
const RESERVED_FRAMES = 16;
const DEFAULT_LIMIT = 10;
/** The engine's message for a full stack. */
const STACK_OVERFLOW = "Maximum call stack size exceeded";

interface State {
  /** Above 0, errors are made without traces. */
  silent: number;
  limit: unknown;
  /** The guest's `Error.prepareStackTrace`. */
  prepare: unknown;
  /** The error made last, for who replaces its stack. */
  last: Trace | undefined;
  /** A stack is asked for, for an object of any kind. */
  capturing: boolean;
  /** While a place is looked for: what is told of it. */
  wanted: { site: ErrorSite | undefined } | undefined;
}

/** Words an error that the engine made; may tell better where it is. */
export type Wording = (error: object, thrower: Thrower) => SourcePosition | undefined;

/** Where an error was made. */
export interface Trace {
  /** The frames as text, each on a line of its own. */
  readonly frames: string;
  /** This environment made it, not the guest. */
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
/** Functions of ours that make errors for others. */
const makers = new WeakSet<object>();
/** Those of them that are constructors. */
const constructors = new WeakSet<object>();
const isError = ReflectGet(Error, "isError") as (value: object) => boolean;
/** Refuses what is no `DOMException`. */
const codeOf = uncurryGetter(DOMException.prototype, "code");
let readers: CallSiteReaders | undefined;
let word: Wording = () => undefined;

/** Runs `action` without traces for the errors it makes and drops: they cost more than it. */
export function withoutTraces<Result>(action: () => Result): Result {
  if (state.silent++ === 0) setNativeLimit(0);
  try {
    return action();
  } finally {
    if (--state.silent === 0) restoreLimit();
  }
}

/** What V8 writes before the frames: name and message as `Error.prototype.toString` has them. */
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

/** The function that made an error for the guest; undefined for errors of the engine. */
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

/** Whether the engine's `DOMException`, which is no `Error` to it, made an object. */
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

/** Says whether a stack is asked for, for an object of any kind. */
export function setCapturing(isCapturing: boolean): void {
  state.capturing = isCapturing;
}

/** The hook: what `stack` of a new error is to be. */
export function prepareStackTrace(error: unknown, sites: ArrayLike<unknown>): unknown {
  state.last = undefined;
  if (state.wanted !== undefined) {
    if (readers !== undefined) state.wanted.site = guestSite(sites, readers);
    return "";
  }
  if (state.silent > 0) return "";
  const made = typeof error === "object" && error !== null ? error : undefined;
  // the engine asks for whatever is thrown, and again when it is thrown once more
  if (!state.capturing && !needsStack(made)) return "";
  if (readers === undefined) return made === undefined ? "Error" : headerOf(made);
  const frames = framesOf(sites, readers);
  const maker = makerOf(frames);
  const place = made !== undefined && maker === undefined
    ? word(made, throwerOf(frames, readers))
    : undefined;
  // a constructor's error gets its header when its stack is read
  const isHeaderless = maker !== undefined && WeakSetPrototypeHas(constructors, maker);
  const isPrepared = typeof state.prepare === "function";
  const header = isHeaderless && !isPrepared ? "" : made === undefined ? "Error" : headerOf(made);
  markShown(error, frames);
  if (isPrepared) {
    return ReflectApply(state.prepare, undefined, [error, guestArray(frames)]);
  }
  const text = framesText(frames, readers, place, limitOf());
  if (maker !== undefined) state.last = { frames: text, ours: isMadeByUs(error, frames) };
  return `${header}${text}`;
}

/** Says that `maker` makes errors for others: what they say is not the engine's. */
export function addErrorMaker(maker: object): void {
  WeakSetPrototypeAdd(makers, maker);
}

/** Says that `maker` is a constructor of errors, which sees to their headers. */
export function addErrorConstructor(maker: object): void {
  addErrorMaker(maker);
  WeakSetPrototypeAdd(constructors, maker);
}

/**
 * Runs `action`, whose errors of the engine are dropped, and which calls no code of the guest.
 * Cheaper than {@link withoutTraces} where there rarely is an error.
 */
export function droppingErrors<Result>(action: () => Result): Result {
  state.silent++;
  try {
    return action();
  } finally {
    state.silent--;
  }
}

/** Whether `error` says that the stack is full. */
export function isStackOverflow(error: unknown): boolean {
  return typeof error === "object" && error !== null &&
    ownDescriptor(error, "message")?.value === STACK_OVERFLOW;
}

/** Where the error made last was made; undefined when the guest wrote its stack. */
export function takeTrace(): Trace | undefined {
  const { last } = state;
  state.last = undefined;
  return last;
}

/** The guest's view of the trace limit and of its hook. */
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

/** Lets the engine collect as many frames as the guest wants, and some of ours. */
function restoreLimit(): void {
  const { limit } = state;
  const wanted = typeof limit === "number" && NumberIsFinite(limit) ? limit : DEFAULT_LIMIT * 20;
  setNativeLimit(wanted + RESERVED_FRAMES);
}

/**
 * Puts the hook into the engine. `hook` stands for {@link prepareStackTrace}: a native function
 * that calls it with some more stack, so that the error of a full stack gets its trace too.
 * `wording` is told of each error that the engine made.
 */
export function installStackTraces(hook: unknown, wording: Wording): void {
  word = wording;
  const accessor = (name: string) => ownDescriptor(Error, name)?.set;
  const setLimit = accessor("stackTraceLimit");
  const setHook = accessor("prepareStackTrace");
  setNativeLimit = (value) => void ReflectApply(setLimit, Error, [value]);
  restoreLimit();
  // read now: a guest could put methods of its own in the way, and be handed frames of ours
  ReflectApply(setHook, Error, [(_error: unknown, sites: ArrayLike<unknown>) => {
    readers = readCallSites(sites[0]);
  }]);
  ReflectConstruct(Error, []);
  ReflectApply(setHook, Error, [hook]);
}
