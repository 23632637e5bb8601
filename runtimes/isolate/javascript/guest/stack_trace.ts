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
  type List,
  NumberIsFinite,
  ObjectGetPrototypeOf,
  ownDescriptor,
  ReflectApply,
  ReflectConstruct,
  ReflectGet,
  StringPrototypeStartsWith,
  SymbolPrototypeToString,
  uncurryThis,
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
  wanted: undefined,
};
/** Functions of ours that make errors for others. */
const makers = new WeakSet<object>();
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

function isOurs(site: unknown, read: CallSiteReaders): boolean {
  const file = read.getFileName(site);
  return typeof file === "string" && StringPrototypeStartsWith(file, PRELUDE_NAME);
}

/** Whether our code made the error: the first frame that is no error constructor tells. */
function isMadeByUs(error: unknown, sites: ArrayLike<unknown>, read: CallSiteReaders): boolean {
  for (let i = 0; i < sites.length; i++) {
    const site = sites[i];
    if (read.isNative(site) === true || constructs(read.getFunction(site), error)) continue;
    return isOurs(site, read);
  }
  return false;
}

/** The frames to show: without ours, without built-ins called by us, without constructors. */
function visibleSites(
  error: unknown,
  sites: ArrayLike<unknown>,
  read: CallSiteReaders,
): List<unknown> {
  const kept = createList<unknown>();
  let ours = false;
  for (let i = sites.length - 1; i >= 0; i--) {
    const site = sites[i];
    if (read.isNative(site) !== true) ours = isOurs(site, read);
    if (!ours) append(kept, site);
  }
  while (kept.length > 0 && constructs(read.getFunction(kept[kept.length - 1]), error)) {
    kept.length--;
  }
  return kept;
}

/** Whether `error` is an instance that the class `callee` was making. */
function constructs(callee: unknown, error: unknown): boolean {
  const own = classPrototype(callee);
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

/**
 * What threw an error of the engine: a built-in, or the guest's own code. Undefined for errors
 * that were made by a constructor.
 */
function throwerOf(sites: ArrayLike<unknown>, read: CallSiteReaders): Thrower | undefined {
  let builtIn = "";
  for (let i = 0; i < sites.length; i++) {
    const site = sites[i];
    if (read.isNative(site) === true) {
      if (builtIn === "") builtIn = textOf(read.getFunctionName(site), "");
      continue;
    }
    const callee = read.getFunction(site);
    if (typeof callee === "function" && WeakSetPrototypeHas(makers, callee)) return undefined;
    const line = Number(read.getLineNumber(site));
    const column = Number(read.getColumnNumber(site));
    return { builtIn, site: isOurs(site, read) ? undefined : { callee, line, column } };
  }
  return { builtIn, site: undefined };
}

function frameText(site: unknown, read: CallSiteReaders, moved: Place | undefined): string {
  const name = read.getFunctionName(site);
  const named = typeof name === "string" && name !== "" && name !== "<eval>" &&
    name !== "<anonymous>";
  const label = !named
    ? ""
    : classPrototype(read.getFunction(site)) === undefined
    ? name
    : `new ${name}`;
  if (read.isNative(site) === true) return `${label || "<anonymous>"} (native)`;
  const file = read.getFileName(site);
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
  sites: List<unknown>,
  read: CallSiteReaders,
  place: Place | undefined,
): string {
  const limit = limitOf();
  let text = "";
  for (let i = sites.length - 1, count = 0; i >= 0 && count < limit; i--, count++) {
    text += `\n    at ${frameText(sites[i], read, count === 0 ? place : undefined)}`;
  }
  return text;
}

function guestArray(sites: List<unknown>): unknown[] {
  const array: unknown[] = [];
  for (let i = sites.length - 1; i >= 0; i--) array[array.length] = sites[i];
  return array;
}

/** The first frame of the guest's own code. */
function guestSite(sites: ArrayLike<unknown>, read: CallSiteReaders): ErrorSite | undefined {
  for (let i = 0; i < sites.length; i++) {
    const site = sites[i];
    if (read.isNative(site) === true || isOurs(site, read)) continue;
    const line = Number(read.getLineNumber(site));
    return { callee: read.getFunction(site), line, column: Number(read.getColumnNumber(site)) };
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

/** The hook: what `stack` of a new error is to be. */
export function prepareStackTrace(error: unknown, sites: ArrayLike<unknown>): unknown {
  state.last = undefined;
  if (state.wanted !== undefined) {
    if (readers !== undefined) state.wanted.site = guestSite(sites, readers);
    return "";
  }
  if (state.silent > 0) return "";
  const made = typeof error === "object" && error !== null ? error : undefined;
  const thrower = readers === undefined ? undefined : throwerOf(sites, readers);
  const place = made !== undefined && thrower !== undefined ? word(made, thrower) : undefined;
  const header = made === undefined ? "Error" : headerOf(made);
  if (readers === undefined) return header;
  const visible = visibleSites(error, sites, readers);
  if (typeof state.prepare === "function") {
    return ReflectApply(state.prepare, undefined, [error, guestArray(visible)]);
  }
  const frames = framesText(visible, readers, place);
  state.last = { frames, ours: isMadeByUs(error, sites, readers) };
  return `${header}${frames}`;
}

/** Says that `maker` makes errors for others: what they say is not the engine's. */
export function addErrorMaker(maker: object): void {
  WeakSetPrototypeAdd(makers, maker);
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
