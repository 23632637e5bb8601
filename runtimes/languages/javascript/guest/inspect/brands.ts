/**
 * Determines the kind of a value by its internal slots: tags and constructors can be forged, slots
 * cannot.
 *
 * @module
 */
import {
  ArrayBufferIsView,
  ArrayIsArray,
  MapPrototypeGet,
  ObjectGetPrototypeOf,
  ObjectPrototype,
  ObjectPrototypeHasOwnProperty,
  ObjectPrototypeToString,
  SymbolPrototypeToString,
  SymbolToStringTag,
  TypedArrayPrototypeGetSymbolToStringTag,
  uncurryGetter,
  uncurryThis,
  WeakMapPrototypeHas,
  WeakSetPrototypeHas,
} from "../primordials.ts";
import { withoutTraces } from "../stack_trace.ts";

/** The kinds of objects that are distinguished. */
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
const SetPrototypeGetSize = getter(Set.prototype, "size") as (set: unknown) => number;
export const DatePrototypeGetTime = uncurryThis(Date.prototype.getTime) as (
  date: unknown,
) => number;
export const NumberPrototypeValueOf = uncurryThis(Number.prototype.valueOf) as Probe;
export const StringPrototypeValueOf = uncurryThis(String.prototype.valueOf) as Probe;
export const BooleanPrototypeValueOf = uncurryThis(Boolean.prototype.valueOf) as Probe;
export const BigIntPrototypeValueOf = uncurryThis(BigInt.prototype.valueOf) as Probe;
const SymbolPrototypeValueOf = uncurryThis(Symbol.prototype.valueOf) as Probe;
const regExpSource = getter(RegExp.prototype, "source");
const arrayBufferLength = getter(ArrayBuffer.prototype, "byteLength");
const sharedBufferLength = getter(SharedArrayBuffer.prototype, "byteLength");
const weakRefDeref = uncurryThis(WeakRef.prototype.deref) as Probe;
const isError: Probe = Reflect.get(Error, "isError");
const PROBE_KEY: object = {};

interface PrototypeKind {
  readonly kind: Kind;
  /** Throws for objects without the kind's slots. */
  readonly probe: Probe;
}

function ofKind(kind: Kind, probe: Probe = same): PrototypeKind {
  return { kind, probe };
}

/** The kinds by the prototypes of their objects. A guest may change an object's prototype. */
const KINDS = new Map<object, PrototypeKind>([
  [Map.prototype, ofKind("Map", MapPrototypeGetSize)],
  [Set.prototype, ofKind("Set", SetPrototypeGetSize)],
  [Promise.prototype, ofKind("Promise")],
  [Date.prototype, ofKind("Date", DatePrototypeGetTime)],
  [RegExp.prototype, ofKind("RegExp", regExpSource)],
  [ArrayBuffer.prototype, ofKind("ArrayBuffer", arrayBufferLength)],
  [SharedArrayBuffer.prototype, ofKind("SharedArrayBuffer", sharedBufferLength)],
  [WeakMap.prototype, ofKind("WeakMap", (value) => WeakMapPrototypeHas(value, PROBE_KEY))],
  [WeakSet.prototype, ofKind("WeakSet", (value) => WeakSetPrototypeHas(value, PROBE_KEY))],
  [WeakRef.prototype, ofKind("WeakRef", weakRefDeref)],
  [Number.prototype, ofKind("Number", NumberPrototypeValueOf)],
  [String.prototype, ofKind("String", StringPrototypeValueOf)],
  [Boolean.prototype, ofKind("Boolean", BooleanPrototypeValueOf)],
  [BigInt.prototype, ofKind("BigInt", BigIntPrototypeValueOf)],
  [Symbol.prototype, ofKind("Symbol", SymbolPrototypeToString)],
  [Object.getPrototypeOf(new Map().keys()), ofKind("Map Iterator")],
  [Object.getPrototypeOf(new Set().keys()), ofKind("Set Iterator")],
  [Object.getPrototypeOf(function* () {}).prototype, ofKind("Generator")],
]);

function passes(probe: Probe, value: object): boolean {
  try {
    probe(value);
    return true;
  } catch {
    return false;
  }
}

/** Kinds that `Object.prototype.toString` reveals unless a tag hides them. */
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

/** Objects whose prototype was removed, so that it does not reveal their kind. */
function kindWithoutPrototype(value: object): Kind {
  if (ObjectPrototypeHasOwnProperty(value, SymbolToStringTag)) return "Object";
  const kind = kindByBuiltinTag(value);
  if (kind !== undefined) return kind;
  return withoutTraces(() => {
    if (passes(MapPrototypeGetSize, value)) return "Map";
    return passes(SetPrototypeGetSize, value) ? "Set" : "Object";
  });
}

function kindByPrototype(value: object, prototype: object): Kind {
  let current: object | null = prototype;
  while (current !== null && current !== ObjectPrototype) {
    const known = MapPrototypeGet(KINDS, current) as PrototypeKind | undefined;
    if (known !== undefined && withoutTraces(() => passes(known.probe, value))) return known.kind;
    current = ObjectGetPrototypeOf(current);
  }
  return "Object";
}

const ErrorPrototype: object = Error.prototype;

/**
 * Whether a console shows an object as an error, which includes objects that only inherit from one.
 */
export function isErrorLike(value: object): boolean {
  if (isError(value)) return true;
  let current = ObjectGetPrototypeOf(value);
  while (current !== null && current !== ErrorPrototype) current = ObjectGetPrototypeOf(current);
  return current !== null;
}

/** The kind of an object. Unwrap proxies first: their traps would run here. */
export function kindOf(value: object): Kind {
  if (typeof value === "function") return "Function";
  if (ArrayIsArray(value)) return "Array";
  if (ArrayBufferIsView(value)) {
    return TypedArrayPrototypeGetSymbolToStringTag(value) === undefined ? "DataView" : "TypedArray";
  }
  if (isError(value)) return "Error";
  const prototype = ObjectGetPrototypeOf(value);
  if (prototype === null) return kindWithoutPrototype(value);
  if (prototype !== ObjectPrototype) return kindByPrototype(value, prototype);
  return ObjectPrototypeHasOwnProperty(value, SymbolToStringTag)
    ? "Object"
    : kindByBuiltinTag(value) ?? "Object";
}

/** The primitive that an object of this kind wraps (`Number`, `String` and so on). */
export function unboxed(kind: Kind, value: object): unknown {
  switch (kind) {
    case "Number":
      return NumberPrototypeValueOf(value);
    case "String":
      return StringPrototypeValueOf(value);
    case "Boolean":
      return BooleanPrototypeValueOf(value);
    case "BigInt":
      return BigIntPrototypeValueOf(value);
    default:
      return SymbolPrototypeValueOf(value);
  }
}
