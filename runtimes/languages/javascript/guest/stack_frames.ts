/**
 * The frames of a stack, as the engine passes them: whose code each frame belongs to, which frames
 * a guest sees, and their text.
 *
 * @module
 */
import {
  append,
  createList,
  dataDescriptor,
  defineHidden,
  type List,
  ObjectGetPrototypeOf,
  ownDescriptor,
  ReflectDefineProperty,
  StringPrototypeStartsWith,
  uncurryThis,
  WeakMapPrototypeGet,
  WeakMapPrototypeSet,
} from "./primordials.ts";

/** File name of this environment. */
export const PRELUDE_NAME = "belljar:";
type Reader = (site: unknown) => unknown;

/** Reads a call site. */
export interface CallSiteReaders {
  readonly isNative: Reader;
  readonly getFileName: Reader;
  readonly getFunction: Reader;
  readonly getFunctionName: Reader;
  readonly getLineNumber: Reader;
  readonly getColumnNumber: Reader;
}

/** Adds methods of V8 that packages call and the engine lacks, with the usual answer. */
function completeCallSites(prototype: object): void {
  const answers = {
    isConstructor: false,
    isEval: false,
    isToplevel: true,
    isAsync: false,
    getThis: undefined,
    getTypeName: null,
    getMethodName: null,
    getEvalOrigin: undefined,
  };
  for (const [name, answer] of Object.entries(answers)) {
    defineHidden(prototype, name, () => answer);
  }
}

/** Takes the readers from a sample, before a guest can replace the methods. */
export function readCallSites(sample: unknown): CallSiteReaders {
  const prototype = ObjectGetPrototypeOf(sample) ?? {};
  const reader = (name: string): Reader =>
    uncurryThis<unknown, [], unknown>(Reflect.get(prototype, name));
  completeCallSites(prototype);
  return {
    isNative: reader("isNative"),
    getFileName: reader("getFileName"),
    getFunction: reader("getFunction"),
    getFunctionName: reader("getFunctionName"),
    getLineNumber: reader("getLineNumber"),
    getColumnNumber: reader("getColumnNumber"),
  };
}

/** The fixed facts about a function that frames belong to. */
interface Callee {
  readonly owner: "native" | "ours" | "guest";
  readonly file: unknown;
  /** The prototype of a class; undefined for other functions. */
  readonly prototype: unknown;
}

/** A frame, and whether a guest sees it. */
export interface Frame {
  readonly site: unknown;
  readonly of: Callee;
  isShown: boolean;
}

const callees = new WeakMap<object, Callee>();

/** The prototype of a class; undefined for functions. */
function classPrototype(callee: unknown): unknown {
  if (typeof callee !== "function") return undefined;
  const descriptor = ownDescriptor(callee, "prototype");
  return descriptor?.writable === false ? descriptor.value : undefined;
}

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
  return { site, of, isShown: false };
}

/** Whether `error` is an instance that the class `callee` was making. */
function constructs({ prototype: own }: Callee, error: unknown): boolean {
  if (own === undefined) return false;
  try {
    let prototype = ObjectGetPrototypeOf(error);
    while (prototype !== null && prototype !== own) prototype = ObjectGetPrototypeOf(prototype);
    return prototype === own;
  } catch {
    return false; // a proxy whose trap throws
  }
}

/** All frames, innermost first, with those marked that a guest sees. */
export function framesOf(
  error: unknown,
  sites: ArrayLike<unknown>,
  read: CallSiteReaders,
): List<Frame> {
  const frames = createList<Frame>();
  for (let i = 0; i < sites.length; i++) append(frames, frameOf(sites[i], read));
  markShown(error, frames);
  return frames;
}

/** Hides this environment's frames, built-ins that it called, and constructors of the error. */
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

/** Whether this environment made the error, judged by the first frame that is no constructor. */
export function isMadeByUs(error: unknown, frames: List<Frame>): boolean {
  for (let i = 0; i < frames.length; i++) {
    const of = frames[i]?.of;
    if (of === undefined || of.owner === "native") continue;
    if (!constructs(of, error)) return of.owner === "ours";
  }
  return false;
}

function frameText({ site, of: { owner, file, prototype } }: Frame, read: CallSiteReaders): string {
  const name = read.getFunctionName(site);
  const named = typeof name === "string" && name !== "" && name !== "<eval>" &&
    name !== "<anonymous>";
  const label = !named ? "" : prototype === undefined ? name : `new ${name}`;
  if (owner === "native") return `${label || "<anonymous>"} (native)`;
  const source = typeof file !== "string" || file === "<input>" ? "<anonymous>" : file;
  const place = `${source}:${read.getLineNumber(site)}:${read.getColumnNumber(site)}`;
  return label === "" ? place : `${label} (${place})`;
}

/** The first frames that are shown, each on a line of its own. */
export function framesText(frames: List<Frame>, read: CallSiteReaders, limit: number): string {
  let text = "";
  for (let i = 0, count = 0; i < frames.length && count < limit; i++) {
    const frame = frames[i];
    if (frame === undefined || !frame.isShown) continue;
    text += `\n    at ${frameText(frame, read)}`;
    count++;
  }
  return text;
}

/** The shown call sites as an array for the guest, who may have added setters. */
export function guestArray(frames: List<Frame>): unknown[] {
  const array: unknown[] = [];
  for (let i = 0; i < frames.length; i++) {
    const frame = frames[i];
    if (frame === undefined || !frame.isShown) continue;
    ReflectDefineProperty(array, array.length, dataDescriptor(frame.site, true));
  }
  return array;
}
