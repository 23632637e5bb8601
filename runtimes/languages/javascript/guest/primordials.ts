/**
 * The intrinsics as they were before any guest code ran.
 *
 * Guests may replace every property of every built-in prototype. Code that must keep working then
 * (the driver, the console, the timers) calls these functions and never a live method, and follows
 * five rules:
 *
 * - no `for…of`, no spread and no destructuring of arrays: they go through live iterators;
 * - no `array[array.length] = x` and no `push` on ordinary arrays: a setter on `Array.prototype`
 *   would see it; use {@link createList} and {@link append};
 * - property descriptors come from {@link dataDescriptor}: a guest could add a `get` to others
 *   through `Object.prototype`;
 * - option bags have no prototype ({@link bare});
 * - no `async` functions and no `await`: they read the live `constructor` of promises.
 *
 * Names are those of Node's `primordials`: `ArrayPrototypeIncludes(array, value)`.
 *
 * @module
 */

type Method<Self, Args extends unknown[], Result> = (
  this: Self,
  ...args: Args
) => Result;

type Curry = <Self, Args extends unknown[], Result>(
  method: Method<Self, Args, Result>,
) => (self: Self, ...args: Args) => Result;

const { bind, call } = Function.prototype;

/** Turns a method into a function: `uncurryThis(f)(self, x)` is `f.call(self, x)`. */
export const uncurryThis: Curry = bind.bind(call);

const prototypeOf = Object.getPrototypeOf;
const descriptorOf = Object.getOwnPropertyDescriptor;

/** The getter of an accessor property, as a function that takes its object; undefined if none. */
export function uncurryGetter(
  holder: object,
  key: PropertyKey,
): ((self: unknown) => unknown) | undefined {
  const getter = descriptorOf(holder, key)?.get;
  return getter === undefined ? undefined : uncurryThis<unknown, [], unknown>(getter);
}

// Reflection.
export const ReflectApply: (
  fn: unknown,
  self: unknown,
  args: ArrayLike<unknown>,
) => unknown = Reflect.apply as (
  fn: unknown,
  self: unknown,
  args: ArrayLike<unknown>,
) => unknown;
export const ReflectConstruct = Reflect.construct;
export const ReflectDefineProperty = Reflect.defineProperty;
export const ReflectDeleteProperty = Reflect.deleteProperty;
export const ReflectGet = Reflect.get;
export const ReflectGetOwnPropertyDescriptor = Reflect.getOwnPropertyDescriptor;
export const ReflectHas = Reflect.has;
export const ReflectOwnKeys = Reflect.ownKeys;
export const FunctionPrototypeToString: (self: unknown) => string = uncurryThis(
  Function.prototype.toString,
);
export const FunctionPrototypeSymbolHasInstance: (
  self: unknown,
  value: unknown,
) => boolean = uncurryThis(Function.prototype[Symbol.hasInstance]);

// Object.
export const ObjectPrototype: object = Object.prototype;
export const ObjectCreate: (
  prototype: object | null,
) => Record<PropertyKey, unknown> = Object.create;
export const ObjectDefineProperty = Object.defineProperty;
export const ObjectFreeze = Object.freeze;
export const ObjectGetOwnPropertyDescriptor = descriptorOf;
export const ObjectGetOwnPropertyNames = Object.getOwnPropertyNames;
export const ObjectGetOwnPropertySymbols = Object.getOwnPropertySymbols;
export const ObjectGetPrototypeOf: (value: unknown) => object | null = prototypeOf;
export const ObjectIs = Object.is;
export const ObjectKeys: (value: object) => string[] = Object.keys;
export const ObjectSetPrototypeOf = Object.setPrototypeOf;
export const ObjectPrototypeHasOwnProperty: (
  self: unknown,
  key: PropertyKey,
) => boolean = uncurryThis(Object.prototype.hasOwnProperty);
export const ObjectPrototypePropertyIsEnumerable: (
  self: unknown,
  key: PropertyKey,
) => boolean = uncurryThis(Object.prototype.propertyIsEnumerable);
export const ObjectPrototypeToString: (self: unknown) => string = uncurryThis(
  Object.prototype.toString,
);

// Array.
export const ArrayPrototype: object = Array.prototype;
export const ArrayIsArray: (value: unknown) => value is unknown[] = Array.isArray;

// String.
type TextTest = (self: string, part: string) => boolean;
type TextSearch = (self: string, part: string, from?: number) => number;
type TextPad = (self: string, width: number, fill?: string) => string;
type TextChange = (self: string) => string;
type TextSlice = (self: string, start: number, end?: number) => string;
const text = String.prototype;
export const StringPrototypeEndsWith: TextTest = uncurryThis(text.endsWith);
export const StringPrototypeIncludes: TextTest = uncurryThis(text.includes);
export const StringPrototypeIndexOf: TextSearch = uncurryThis(text.indexOf);
export const StringPrototypePadStart: TextPad = uncurryThis(text.padStart);
export const StringPrototypeRepeat: (self: string, count: number) => string = uncurryThis(
  text.repeat,
);
export const StringPrototypeSlice: TextSlice = uncurryThis(text.slice);
export const StringPrototypeStartsWith: TextTest = uncurryThis(text.startsWith);
export const StringPrototypeToLowerCase: TextChange = uncurryThis(text.toLowerCase);
export const StringPrototypeToUpperCase: TextChange = uncurryThis(text.toUpperCase);
export const StringPrototypeTrim: TextChange = uncurryThis(text.trim);

// Numbers, symbols, time.
export const NumberIsFinite = Number.isFinite;
export const NumberIsInteger = Number.isInteger;
export const NumberPrototypeToFixed = uncurryThis(Number.prototype.toFixed) as (
  self: number,
  digits: number,
) => string;
export const MathCeil = Math.ceil;
export const MathFloor = Math.floor;
export const MathMax = Math.max;
export const MathMin = Math.min;
export const MathTrunc = Math.trunc;
export const SymbolFor = Symbol.for;
export const SymbolIterator: typeof Symbol.iterator = Symbol.iterator;
export const SymbolToPrimitive: typeof Symbol.toPrimitive = Symbol.toPrimitive;
export const SymbolToStringTag: typeof Symbol.toStringTag = Symbol.toStringTag;
export const SymbolPrototypeToString: (self: unknown) => string = uncurryThis(
  Symbol.prototype.toString,
);
export const DateNow = Date.now;
/** Runs a callback after the running job and all queued jobs. */
export const queueJob: (callback: () => void) => void = queueMicrotask;
export const performanceNow: () => number = performance.now.bind(performance);

// JSON, collections, promises.
export const JSONParse = JSON.parse;
export const JSONStringify = JSON.stringify;
export const MapPrototypeDelete: (self: unknown, key: unknown) => boolean = uncurryThis(
  Map.prototype.delete,
);
export const MapPrototypeGet: (self: unknown, key: unknown) => unknown = uncurryThis(
  Map.prototype.get,
);
export const MapPrototypeGetSize = uncurryGetter(Map.prototype, "size") as (
  self: unknown,
) => number;
export const MapPrototypeHas: (self: unknown, key: unknown) => boolean = uncurryThis(
  Map.prototype.has,
);
export const MapPrototypeSet: (
  self: unknown,
  key: unknown,
  value: unknown,
) => unknown = uncurryThis(Map.prototype.set);
export const SetPrototypeAdd: (self: unknown, value: unknown) => unknown = uncurryThis(
  Set.prototype.add,
);
export const SetPrototypeHas: (self: unknown, value: unknown) => boolean = uncurryThis(
  Set.prototype.has,
);
export const WeakMapPrototypeGet: (self: unknown, key: object) => unknown = uncurryThis(
  WeakMap.prototype.get,
);
export const WeakMapPrototypeHas: (self: unknown, key: object) => boolean = uncurryThis(
  WeakMap.prototype.has,
);
export const WeakMapPrototypeSet: (
  self: unknown,
  key: object,
  value: unknown,
) => unknown = uncurryThis(WeakMap.prototype.set);
export const WeakSetPrototypeHas: (self: unknown, value: object) => boolean = uncurryThis(
  WeakSet.prototype.has,
);
export const WeakSetPrototypeAdd: (self: unknown, value: object) => unknown = uncurryThis(
  WeakSet.prototype.add,
);
export const PromisePrototypeThen: (
  self: unknown,
  fulfilled?: (value: unknown) => unknown,
  rejected?: (reason: unknown) => unknown,
) => unknown = uncurryThis(Promise.prototype.then);

// Regular expressions: `exec` reads no live property; `replace`, `match`, `test` and `split` do.
export const RegExpPrototypeExec = uncurryThis(RegExp.prototype.exec) as (
  self: RegExp,
  text: string,
) => RegExpExecArray | null;

// Typed arrays.
const TypedArray: typeof Uint8Array = prototypeOf(Uint8Array);
export const TypedArrayPrototypeGetSymbolToStringTag = uncurryGetter(
  TypedArray.prototype,
  Symbol.toStringTag,
) as (self: unknown) => string | undefined;
export const TypedArrayPrototypeSet = uncurryThis(TypedArray.prototype.set) as (
  self: ArrayBufferView,
  source: ArrayLike<number>,
  offset?: number,
) => void;
export const TypedArrayPrototypeGetLength = uncurryGetter(
  TypedArray.prototype,
  "length",
) as (self: unknown) => number;
export const TypedArrayPrototypeGetBuffer = uncurryGetter(
  TypedArray.prototype,
  "buffer",
) as (self: unknown) => ArrayBuffer;
export const ArrayBufferPrototypeSlice = uncurryThis(
  ArrayBuffer.prototype.slice,
) as (
  self: ArrayBuffer,
  start: number,
  end?: number,
) => ArrayBuffer;
export const ArrayBufferIsView: (value: unknown) => value is ArrayBufferView = ArrayBuffer.isView;

/** An array without prototype: indexing and assigning use nothing that a guest can change. */
export type List<Item> = { length: number; [index: number]: Item };

/** An empty {@link List}. */
export function createList<Item>(): List<Item> {
  const list: Item[] = [];
  ObjectSetPrototypeOf(list, null);
  return list;
}

/** Adds an item at the end of a list. */
export function append<Item>(list: List<Item>, item: Item): void {
  list[list.length] = item;
}

/** A list of the items of an array-like, starting at an index. */
export function listFrom<Item>(items: ArrayLike<Item>, from = 0): List<Item> {
  const list = createList<Item>();
  for (let i = from; i < items.length; i++) list[list.length] = items[i] as Item;
  return list;
}

/** Gives an object literal no prototype, and returns it. */
export function bare<Shape extends object>(shape: Shape): Shape {
  ObjectSetPrototypeOf(shape, null);
  return shape;
}

/** The descriptor of a data property; not enumerable by default, like those of built-ins. */
export function dataDescriptor(
  value: unknown,
  enumerable = false,
): PropertyDescriptor {
  return bare({ value, writable: true, configurable: true, enumerable });
}

/** An own property's descriptor, without prototype: absent fields are absent. */
export function ownDescriptor(target: object, key: PropertyKey): PropertyDescriptor | undefined {
  const descriptor = descriptorOf(target, key);
  return descriptor === undefined ? undefined : bare(descriptor);
}

/** Defines a property like those of built-ins: writable, configurable, not enumerable. */
export function defineHidden(
  target: object,
  key: PropertyKey,
  value: unknown,
): void {
  ReflectDefineProperty(target, key, dataDescriptor(value));
}

/** Defines all own properties of `from` on `to`. */
export function copyStatics(from: object, to: object): void {
  const keys = ReflectOwnKeys(from);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? "";
    const descriptor = ownDescriptor(from, key);
    if (descriptor !== undefined) ReflectDefineProperty(to, key, descriptor);
  }
}

/** Reads a property. Returns undefined when the read throws. */
export function readSafely(target: unknown, key: PropertyKey): unknown {
  if (
    (typeof target !== "object" || target === null) &&
    typeof target !== "function"
  ) {
    return undefined;
  }
  try {
    return ReflectGet(target, key);
  } catch {
    return undefined;
  }
}
