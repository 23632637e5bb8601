/**
 * What a value really is, by its internal slots: tags and constructors can be forged, slots
 * cannot.
 *
 * @module
 */
import {
  ArrayBufferIsView,
  ArrayIsArray,
  FunctionPrototypeSymbolHasInstance,
  ObjectGetPrototypeOf,
  ObjectPrototype,
  ObjectPrototypeHasOwnProperty,
  ObjectPrototypeToString,
  ReflectGet,
  SymbolPrototypeToString,
  SymbolToStringTag,
  TypedArrayPrototypeGetSymbolToStringTag,
  uncurryGetter,
  uncurryThis,
  WeakMapPrototypeHas,
  WeakSetPrototypeHas,
} from "../primordials.ts";
import { withoutTraces } from "../stack_trace.ts";

/** The kinds of objects that are told apart. */
export type Kind =
  | "Array"
  | "TypedArray"
  | "DataView"
  | "ArrayBuffer"
  | "SharedArrayBuffer"
  | "Map"
  | "Set"
  | "WeakMap"
  | "WeakSet"
  | "WeakRef"
  | "Promise"
  | "RegExp"
  | "Date"
  | "Error"
  | "Arguments"
  | "Number"
  | "String"
  | "Boolean"
  | "BigInt"
  | "Symbol"
  | "Map Iterator"
  | "Set Iterator"
  | "Generator"
  | "Function"
  | "Object";

type Probe = (value: unknown) => unknown;

const same: Probe = (value) => value;

function getter(holder: object, key: PropertyKey): Probe {
  return uncurryGetter(holder, key) ?? same;
}

export const MapPrototypeGetSize = getter(Map.prototype, "size") as (map: unknown) => number;
export const SetPrototypeGetSize = getter(Set.prototype, "size") as (set: unknown) => number;
export const DatePrototypeGetTime = uncurryThis(Date.prototype.getTime) as (
  date: unknown,
) => number;
export const NumberPrototypeValueOf = uncurryThis(Number.prototype.valueOf) as Probe;
export const StringPrototypeValueOf = uncurryThis(String.prototype.valueOf) as Probe;
export const BooleanPrototypeValueOf = uncurryThis(Boolean.prototype.valueOf) as Probe;
export const BigIntPrototypeValueOf = uncurryThis(BigInt.prototype.valueOf) as Probe;
export const SymbolPrototypeValueOf = uncurryThis(Symbol.prototype.valueOf) as Probe;
const regExpSource = getter(RegExp.prototype, "source");
const RegExpPrototype: object = RegExp.prototype;
const arrayBufferLength = getter(ArrayBuffer.prototype, "byteLength");
const sharedBufferLength = getter(SharedArrayBuffer.prototype, "byteLength");
const GeneratorPrototype: object = Object.getPrototypeOf(function* () {}).prototype;
const weakRefDeref = uncurryThis(WeakRef.prototype.deref) as Probe;
const isError: Probe = Reflect.get(Error, "isError");
const MapIteratorPrototype: object = Object.getPrototypeOf(new Map().keys());
const SetIteratorPrototype: object = Object.getPrototypeOf(new Set().keys());
const AnyPromise = Promise;
const PROBE_KEY: object = {};

/** Checks that throw on anything else than an object of the kind; keyed by the usual tag. */
const SLOT_PROBES: ReadonlyArray<readonly [Kind, Probe]> = [
  ["Map", MapPrototypeGetSize],
  ["Set", SetPrototypeGetSize],
  ["Date", DatePrototypeGetTime],
  ["RegExp", regExpSource],
  ["ArrayBuffer", arrayBufferLength],
  ["SharedArrayBuffer", sharedBufferLength],
  ["WeakMap", (value) => WeakMapPrototypeHas(value, PROBE_KEY)],
  ["WeakSet", (value) => WeakSetPrototypeHas(value, PROBE_KEY)],
  ["WeakRef", weakRefDeref],
  ["Number", NumberPrototypeValueOf],
  ["String", StringPrototypeValueOf],
  ["Boolean", BooleanPrototypeValueOf],
  ["BigInt", BigIntPrototypeValueOf],
  ["Symbol", SymbolPrototypeToString],
];

function passes(probe: Probe, value: object): boolean {
  try {
    probe(value);
    return true;
  } catch {
    return false;
  }
}

function probeSlots(value: object): Kind | undefined {
  if (value === RegExpPrototype) return undefined;
  for (let i = 0; i < SLOT_PROBES.length; i++) {
    const entry = SLOT_PROBES[i];
    if (entry !== undefined && passes(entry[1], value)) return entry[0];
  }
  return undefined;
}

/** Kinds told by `Object.prototype.toString` when no tag stands in its way. */
function kindByBuiltinTag(value: object): Kind | undefined {
  switch (ObjectPrototypeToString(value)) {
    case "[object Date]":
      return "Date";
    case "[object RegExp]":
      return "RegExp";
    case "[object Arguments]":
      return "Arguments";
    case "[object Number]":
      return "Number";
    case "[object String]":
      return "String";
    case "[object Boolean]":
      return "Boolean";
    default:
      return undefined;
  }
}

function tagOf(value: object): unknown {
  try {
    return ReflectGet(value, SymbolToStringTag);
  } catch {
    return "";
  }
}

function isInstance(constructor: object, value: object): boolean {
  return FunctionPrototypeSymbolHasInstance(constructor, value);
}

/** Whether `value` stands on `prototype`, which is not looked up on any constructor. */
function inherits(value: object, prototype: object): boolean {
  let current = ObjectGetPrototypeOf(value);
  while (current !== null) {
    if (current === prototype) return true;
    current = ObjectGetPrototypeOf(current);
  }
  return false;
}

function kindByPrototype(value: object): Kind | undefined {
  if (inherits(value, MapIteratorPrototype)) return "Map Iterator";
  if (inherits(value, SetIteratorPrototype)) return "Set Iterator";
  if (isInstance(AnyPromise, value)) return "Promise";
  if (inherits(value, GeneratorPrototype)) return "Generator";
  return undefined;
}

const ErrorPrototype: object = Error.prototype;

/** Whether a console shows an object as an error: those that only inherit from one, too. */
export function isErrorLike(value: object): boolean {
  return kindOf(value) === "Error" || inherits(value, ErrorPrototype);
}

/**
 * The kind of an object. Proxies are to be unwrapped before: their traps would run here.
 * Objects whose prototype was replaced by one without a tag are told by their slots only where
 * that costs nothing.
 */
export function kindOf(value: object): Kind {
  if (typeof value === "function") return "Function";
  if (ArrayIsArray(value)) return "Array";
  if (ArrayBufferIsView(value)) {
    return TypedArrayPrototypeGetSymbolToStringTag(value) === undefined ? "DataView" : "TypedArray";
  }
  if (isError(value)) return "Error";
  const prototype = ObjectGetPrototypeOf(value);
  if (prototype === ObjectPrototype && !ObjectPrototypeHasOwnProperty(value, SymbolToStringTag)) {
    return kindByBuiltinTag(value) ?? "Object";
  }
  if (prototype !== null && typeof tagOf(value) !== "string") {
    return kindByBuiltinTag(value) ?? "Object";
  }
  const slots = withoutTraces(() => probeSlots(value));
  return slots ?? kindByPrototype(value) ?? "Object";
}
