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
  append,
  createList,
  dataDescriptor,
  type List,
  NumberIsFinite,
  ObjectGetPrototypeOf,
  ObjectPrototypeHasOwnProperty,
  ownDescriptor,
  ReflectApply,
  ReflectConstruct,
  ReflectDefineProperty,
  ReflectGet,
  StringPrototypeStartsWith,
  SymbolPrototypeToString,
  uncurryThis,
  WeakMapPrototypeGet,
  WeakMapPrototypeSet,
  WeakSetPrototypeAdd,
  WeakSetPrototypeHas,
} from "./primordials.ts";
import type { ErrorSite, Place } from "./error_wording/fault.ts";
import type { Thrower } from "./error_wording/wording.ts";

/** File name of this environment. */
export const PRELUDE_NAME = "belljar:";
/** Frames of ours that may stand between the guest's. */
const RESERVED_FRAMES = 16;
const DEFAULT_LIMIT = 10;
/** The engine's message for a full stack. */
const STACK_OVERFLOW = "Maximum call stack size exceeded";

type Reader = (site: unknown) => unknown;

interface CallSiteReaders {
  readonly isNative: Reader;
  readonly getFileName: Reader;
  readonly getFunction: Reader;
  readonly getFunctionName: Reader;
  readonly getLineNumber: Reader;
  readonly getColumnNumber: Reader;
}

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
export type Wording = (error: object, thrower: Thrower) => Place | undefined;

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

function textOf(value: unknown, fallback: string): string {
  if (value === undefined) return fallback;
  if (typeof value === "symbol") return SymbolPrototypeToString(value);
  return `${value}`;
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

function readCallSites(sample: unknown): CallSiteReaders {
  const prototype = ObjectGetPrototypeOf(sample) ?? {};
  const reader = (name: string): Reader =>
    uncurryThis<unknown, [], unknown>(Reflect.get(prototype, name));
  return {
    isNative: reader("isNative"),
    getFileName: reader("getFileName"),
    getFunction: reader("getFunction"),
    getFunctionName: reader("getFunctionName"),
    getLineNumber: reader("getLineNumber"),
    getColumnNumber: reader("getColumnNumber"),
  };
}

/** What is known of a function that frames are of; it does not change. */
interface Callee {
  readonly owner: "native" | "ours" | "guest";
  readonly file: unknown;
  /** Of a class. */
  readonly prototype: unknown;
}

/** A frame, with what is asked of it more than once. */
interface Frame {
  readonly site: unknown;
  readonly callee: unknown;
  readonly of: Callee;
  isShown: boolean;
}

const callees = new WeakMap<object, Callee>();

function describeCallee(callee: unknown, site: unknown, read: CallSiteReaders): Callee {
  const file = read.getFileName(site);
  const isOurs = typeof file === "string" && StringPrototypeStartsWith(file, PRELUDE_NAME);
  const owner = read.isNative(site) === true ? "native" : isOurs ? "ours" : "guest";
  return { owner, file, prototype: classPrototype(callee) };
}

function frameOf(site: unknown, read: CallSiteReaders): Frame {
  const callee = read.getFunction(site);
  const isFunction = typeof callee === "function";
  let of = isFunction ? WeakMapPrototypeGet(callees, callee) as Callee | undefined : undefined;
  if (of === undefined) {
    of = describeCallee(callee, site, read);
    if (isFunction) WeakMapPrototypeSet(callees, callee, of);
  }
  return { site, callee, of, isShown: false };
}

/** All frames, innermost first. */
function framesOf(sites: ArrayLike<unknown>, read: CallSiteReaders): List<Frame> {
  const frames = createList<Frame>();
  for (let i = 0; i < sites.length; i++) append(frames, frameOf(sites[i], read));
  return frames;
}

/** Whether our code made the error: the first frame that is no error constructor tells. */
function isMadeByUs(error: unknown, frames: List<Frame>): boolean {
  for (let i = 0; i < frames.length; i++) {
    const frame = frames[i];
    if (frame === undefined || frame.of.owner === "native") continue;
    if (!constructs(frame.of, error)) return frame.of.owner === "ours";
  }
  return false;
}

/** Says which frames to show: not ours, nor built-ins called by us, nor constructors. */
function markShown(error: unknown, frames: List<Frame>): void {
  let ours = false;
  for (let i = frames.length - 1; i >= 0; i--) {
    const frame = frames[i];
    if (frame === undefined) continue;
    if (frame.of.owner !== "native") ours = frame.of.owner === "ours";
    frame.isShown = !ours;
  }
  for (let i = 0; i < frames.length; i++) {
    const frame = frames[i];
    if (frame === undefined || !frame.isShown) continue;
    if (!constructs(frame.of, error)) return;
    frame.isShown = false;
  }
}

/** Whether `error` is an instance that the class `callee` was making. */
function constructs({ prototype: own }: Callee, error: unknown): boolean {
  if (own === undefined) return false;
  try {
    let prototype = ObjectGetPrototypeOf(error);
    while (prototype !== null && prototype !== own) prototype = ObjectGetPrototypeOf(prototype);
    return prototype === own;
  } catch {
    return false; // a proxy that refuses
  }
}

/** The prototype of a class; undefined for functions. */
function classPrototype(callee: unknown): unknown {
  if (typeof callee !== "function") return undefined;
  const descriptor = ownDescriptor(callee, "prototype");
  return descriptor?.writable === false ? descriptor.value : undefined;
}

/** The function that made an error for the guest; undefined for errors of the engine. */
function makerOf(frames: List<Frame>): object | undefined {
  let i = 0;
  while (i < frames.length && frames[i]?.of.owner === "native") i++;
  const callee = frames[i]?.callee;
  return typeof callee === "function" && WeakSetPrototypeHas(makers, callee) ? callee : undefined;
}

/** What threw an error of the engine: a built-in, or the guest's own code. */
function throwerOf(frames: List<Frame>, read: CallSiteReaders): Thrower {
  let builtIn = "";
  for (let i = 0; i < frames.length; i++) {
    const frame = frames[i];
    if (frame === undefined) continue;
    const { site, callee, of: { owner } } = frame;
    if (owner === "native") {
      if (builtIn === "") builtIn = textOf(read.getFunctionName(site), "");
      continue;
    }
    if (owner === "ours") return { builtIn, site: undefined };
    const line = Number(read.getLineNumber(site));
    const column = Number(read.getColumnNumber(site));
    return { builtIn, site: { callee, line, column } };
  }
  return { builtIn, site: undefined };
}

function frameText(frame: Frame, read: CallSiteReaders, moved: Place | undefined): string {
  const { site, of: { owner, file, prototype } } = frame;
  const name = read.getFunctionName(site);
  const named = typeof name === "string" && name !== "" && name !== "<eval>" &&
    name !== "<anonymous>";
  const label = !named ? "" : prototype === undefined ? name : `new ${name}`;
  if (owner === "native") return `${label || "<anonymous>"} (native)`;
  const source = typeof file !== "string" || file === "<input>" ? "<anonymous>" : file;
  const line = moved === undefined ? read.getLineNumber(site) : moved.line;
  const column = moved === undefined ? read.getColumnNumber(site) : moved.column;
  const place = `${source}:${line}:${column}`;
  return label === "" ? place : `${label} (${place})`;
}

function limitOf(): number {
  const { limit } = state;
  return typeof limit === "number" && limit > 0 ? limit : 0;
}

function framesText(
  frames: List<Frame>,
  read: CallSiteReaders,
  place: Place | undefined,
): string {
  const limit = limitOf();
  let text = "";
  for (let i = 0, count = 0; i < frames.length && count < limit; i++) {
    const frame = frames[i];
    if (frame === undefined || !frame.isShown) continue;
    text += `\n    at ${frameText(frame, read, count === 0 ? place : undefined)}`;
    count++;
  }
  return text;
}

/** As an array that is the guest's, which may have made setters of its elements. */
function guestArray(frames: List<Frame>): unknown[] {
  const array: unknown[] = [];
  for (let i = 0; i < frames.length; i++) {
    const frame = frames[i];
    if (frame === undefined || !frame.isShown) continue;
    ReflectDefineProperty(array, array.length, dataDescriptor(frame.site, true));
  }
  return array;
}

/** The first frame of the guest's own code. */
function guestSite(sites: ArrayLike<unknown>, read: CallSiteReaders): ErrorSite | undefined {
  for (let i = 0; i < sites.length; i++) {
    const { site, callee, of } = frameOf(sites[i], read);
    if (of.owner !== "guest") continue;
    const line = Number(read.getLineNumber(site));
    return { callee, line, column: Number(read.getColumnNumber(site)) };
  }
  return undefined;
}

/** Where the guest called what is running now; undefined when its traces do not tell. */
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

/** Whether an object is an error that has no stack yet. A proxy is none. */
function needsStack(thrown: object | undefined): boolean {
  return thrown !== undefined && isError(thrown) &&
    !ObjectPrototypeHasOwnProperty(thrown, "stack");
}

/** Runs `capture`, which gives any object a stack. */
export function capturing(capture: () => void): void {
  state.capturing = true;
  try {
    capture();
  } finally {
    state.capturing = false;
  }
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
  const text = framesText(frames, readers, place);
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
