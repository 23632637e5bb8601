/**
 * `structuredClone` of the HTML Standard, with V8's messages. Kinds are recognized by internal
 * slots, never by names or tags. Proxies, functions and symbols cannot be cloned.
 *
 * @module
 */
import {
  BigIntPrototypeValueOf,
  BooleanPrototypeValueOf,
  DatePrototypeGetTime,
  kindOf,
  MapPrototypeGetSize,
  NumberPrototypeValueOf,
  StringPrototypeValueOf,
} from "../inspect/brands.ts";
import { proxyDetails } from "../inspect/proxies.ts";
import {
  dataDescriptor,
  ObjectKeys,
  ObjectPrototypeHasOwnProperty,
  ReflectDefineProperty,
  ReflectGet,
  ReflectGetOwnPropertyDescriptor,
  TypedArrayPrototypeGetSymbolToStringTag,
  uncurryGetter,
  uncurryThis,
} from "../primordials.ts";
import { nodeError } from "./node_error.ts";

/** Source object → its clone, for cycles and shared references. */
type Memory = Map<object, object>;
type Buffer = ArrayBuffer | SharedArrayBuffer;
type ViewConstructor = new (buffer: Buffer, offset: number, length?: number) => object;

const isArray = Array.isArray;
const NativeMap = Map;
const NativeSet = Set;
const NativeDate = Date;
const NativeRegExp = RegExp;
const NativeArray = Array;
const NativeObject = Object;
const NativeArrayBuffer = ArrayBuffer;
const NativeDataView = DataView;
const forEachOfMap = uncurryThis(Map.prototype.forEach) as Each;
const forEachOfSet = uncurryThis(Set.prototype.forEach) as Each;
const addToMap = uncurryThis(Map.prototype.set) as (
  map: object,
  key: unknown,
  value: unknown,
) => void;
const addToSet = uncurryThis(Set.prototype.add) as (set: object, value: unknown) => void;
const sliceBuffer = uncurryThis(ArrayBuffer.prototype.slice) as (
  buffer: object,
  start: number,
) => ArrayBuffer;
const transferBuffer = uncurryThis(ArrayBuffer.prototype.transfer) as (
  buffer: object,
) => ArrayBuffer;
const functionText = uncurryThis(Function.prototype.toString) as (fn: unknown) => string;
const symbolText = uncurryThis(Symbol.prototype.toString) as (symbol: unknown) => string;

type Each = (collection: object, callback: (value: unknown, key: unknown) => void) => void;

function required(holder: object, key: string): (self: unknown) => unknown {
  const getter = uncurryGetter(holder, key);
  if (getter === undefined) throw new TypeError(`No getter ${key}`);
  return getter;
}

const typedArrayPrototype: object = Object.getPrototypeOf(Uint8Array.prototype);
const regExpSource = required(RegExp.prototype, "source");
const regExpFlags = required(RegExp.prototype, "flags");
const viewBuffer = required(DataView.prototype, "buffer");
const viewOffset = required(DataView.prototype, "byteOffset");
const viewLength = required(DataView.prototype, "byteLength");
const arrayBuffer = required(typedArrayPrototype, "buffer");
const arrayOffset = required(typedArrayPrototype, "byteOffset");
const arrayLength = required(typedArrayPrototype, "length");
const isResizable = required(ArrayBuffer.prototype, "resizable");
const bufferLength = required(ArrayBuffer.prototype, "byteLength");
const bufferMaximum = required(ArrayBuffer.prototype, "maxByteLength");
const isDetached = required(ArrayBuffer.prototype, "detached");

const ERRORS: ReadonlyMap<unknown, new (message?: string) => Error> = new Map([
  ["EvalError", EvalError],
  ["RangeError", RangeError],
  ["ReferenceError", ReferenceError],
  ["SyntaxError", SyntaxError],
  ["TypeError", TypeError],
  ["URIError", URIError],
]);

function viewConstructors(): ReadonlyMap<unknown, ViewConstructor> {
  const names = ["Int8", "Uint8", "Uint8Clamped", "Int16", "Uint16", "Int32", "Uint32"];
  const all = [...names, "Float16", "Float32", "Float64", "BigInt64", "BigUint64"];
  const found = new Map<unknown, ViewConstructor>();
  for (const name of all) {
    const constructor: unknown = Reflect.get(globalThis, `${name}Array`);
    if (typeof constructor === "function") {
      found.set(`${name}Array`, constructor as ViewConstructor);
    }
  }
  return found;
}

const VIEWS = viewConstructors();
const lookUp = uncurryThis(Map.prototype.get) as (map: object, key: unknown) => unknown;

function cannotClone(what: string): DOMException {
  return new DOMException(`${what} could not be cloned.`, "DataCloneError");
}

function nameOf(value: object): string {
  try {
    const name: unknown = (value as { constructor?: { name?: unknown } }).constructor?.name;
    return typeof name === "string" && name !== "" ? name : "Object";
  } catch {
    return "Object";
  }
}

function clonePrimitive(value: unknown): unknown {
  if (typeof value === "symbol") throw cannotClone(symbolText(value));
  if (typeof value === "function") throw cannotClone(functionText(value));
  return value;
}

/** Sets a property of a fresh clone; setters and `__proto__` of prototypes are not run. */
function define(target: object, key: string, value: unknown): void {
  if (key in target) ReflectDefineProperty(target, key, dataDescriptor(value, true));
  else (target as Record<string, unknown>)[key] = value;
}

function cloneProperties(memory: Memory, from: object, to: object): void {
  const keys = ObjectKeys(from);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? "";
    if (ObjectPrototypeHasOwnProperty(from, key)) {
      define(to, key, clone(memory, ReflectGet(from, key)));
    }
  }
}

function cloneMap(memory: Memory, source: object, target: object): void {
  const items: unknown[] = new NativeArray(2 * MapPrototypeGetSize(source));
  let count = 0;
  forEachOfMap(source, (value, key) => {
    define(items, `${count++}`, key);
    define(items, `${count++}`, value);
  });
  for (let i = 0; i < count; i += 2) {
    addToMap(target, clone(memory, items[i]), clone(memory, items[i + 1]));
  }
}

function cloneSet(memory: Memory, source: object, target: object): void {
  const items: unknown[] = [];
  let count = 0;
  forEachOfSet(source, (value) => define(items, `${count++}`, value));
  for (let i = 0; i < count; i++) addToSet(target, clone(memory, items[i]));
}

function ownValue(target: object, key: string): { readonly value: unknown } | undefined {
  const descriptor = ReflectGetOwnPropertyDescriptor(target, key);
  if (descriptor === undefined || !ObjectPrototypeHasOwnProperty(descriptor, "value")) return;
  return { value: descriptor.value };
}

function cloneError(memory: Memory, source: object): object {
  const constructor = lookUp(ERRORS, ReflectGet(source, "name")) as ErrorConstructor | undefined;
  const target = new (constructor ?? Error)();
  memory.set(source, target);
  for (const key of ["message", "stack"]) {
    const own = key === "stack" ? { value: ReflectGet(source, key) } : ownValue(source, key);
    if (own === undefined || own.value === undefined) continue;
    ReflectDefineProperty(target, key, dataDescriptor(`${own.value}`));
  }
  const cause = ownValue(source, "cause");
  if (cause !== undefined) {
    ReflectDefineProperty(target, "cause", dataDescriptor(clone(memory, cause.value)));
  }
  return target;
}

function cloneBuffer(source: object): object {
  if (isDetached(source)) throw cannotClone("An ArrayBuffer is detached and");
  const copy = sliceBuffer(source, 0);
  if (!isResizable(source)) return copy;
  const options = { maxByteLength: Number(bufferMaximum(source)) };
  const resizable = new NativeArrayBuffer(Number(bufferLength(source)), options);
  new Uint8Array(resizable).set(new Uint8Array(copy));
  return resizable;
}

function cloneView(memory: Memory, source: object): object {
  const tag = TypedArrayPrototypeGetSymbolToStringTag(source);
  const isData = tag === undefined;
  const buffer = clone(memory, isData ? viewBuffer(source) : arrayBuffer(source)) as Buffer;
  const offset = Number(isData ? viewOffset(source) : arrayOffset(source));
  const length = Number(isData ? viewLength(source) : arrayLength(source));
  const constructor = isData ? NativeDataView : lookUp(VIEWS, tag) as ViewConstructor;
  return new (constructor as ViewConstructor)(buffer, offset, length);
}

function cloneArray(memory: Memory, source: readonly unknown[]): object {
  const target: unknown[] = new NativeArray(source.length);
  memory.set(source, target);
  cloneProperties(memory, source, target);
  return target;
}

/** Objects that are cloned in one step. */
function cloneLeaf(memory: Memory, kind: string, source: object): object | undefined {
  switch (kind) {
    case "Date":
      return new NativeDate(DatePrototypeGetTime(source));
    case "RegExp":
      return new NativeRegExp(`${regExpSource(source)}`, `${regExpFlags(source)}`);
    case "Number":
      return NativeObject(NumberPrototypeValueOf(source));
    case "String":
      return NativeObject(StringPrototypeValueOf(source));
    case "Boolean":
      return NativeObject(BooleanPrototypeValueOf(source));
    case "BigInt":
      return NativeObject(BigIntPrototypeValueOf(source));
    case "ArrayBuffer":
      return cloneBuffer(source);
    case "SharedArrayBuffer":
      return source;
    case "TypedArray":
    case "DataView":
      return cloneView(memory, source);
  }
  return undefined;
}

/** Objects that are created empty, recorded, and then filled. */
function cloneContainer(memory: Memory, kind: string, source: object): object {
  const target: object = kind === "Map" ? new NativeMap() : kind === "Set" ? new NativeSet() : {};
  memory.set(source, target);
  if (kind === "Map") cloneMap(memory, source, target);
  else if (kind === "Set") cloneSet(memory, source, target);
  else cloneProperties(memory, source, target);
  return target;
}

function cloneObject(memory: Memory, source: object): object {
  if (proxyDetails(source) !== undefined) {
    throw cannotClone(isArray(source) ? "[object Array]" : "#<Object>");
  }
  const kind = kindOf(source);
  switch (kind) {
    case "Array":
      return cloneArray(memory, source as unknown[]);
    case "Error":
      return cloneError(memory, source);
    case "Map":
    case "Set":
    case "Object":
      return cloneContainer(memory, kind, source);
  }
  const leaf = cloneLeaf(memory, kind, source);
  if (leaf === undefined) {
    throw cannotClone(kind === "Symbol" ? "[object Symbol]" : `#<${nameOf(source)}>`);
  }
  memory.set(source, leaf);
  return leaf;
}

function clone(memory: Memory, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return clonePrimitive(value);
  return memory.get(value) ?? cloneObject(memory, value);
}

function readTransfer(options: unknown): object[] {
  if (options === undefined || options === null) return [];
  if (typeof options !== "object" && typeof options !== "function") {
    throw nodeError(
      TypeError,
      "ERR_INVALID_ARG_TYPE",
      "The options argument must be either an object or undefined",
    );
  }
  const { transfer } = options as { transfer?: Iterable<unknown> | null };
  if (transfer === undefined || transfer === null) return [];
  const list: object[] = [];
  for (const item of transfer) {
    if (typeof item !== "object" || item === null || kindOf(item) !== "ArrayBuffer") {
      const message = "Found invalid object in transferList";
      throw nodeError(TypeError, "ERR_INVALID_TRANSFER_OBJECT", message);
    }
    if (list.includes(item)) {
      throw new DOMException(
        `ArrayBuffer at index ${list.length} is a duplicate of an earlier ArrayBuffer.`,
        "DataCloneError",
      );
    }
    list.push(item);
  }
  return list;
}

/** Methods of the clone memory that guests cannot replace. */
function createMemory(): Memory {
  const memory: Memory = new NativeMap();
  memory.get = (key) => lookUp(memory, key) as object | undefined;
  memory.set = (key, value) => {
    addToMap(memory, key, value);
    return memory;
  };
  return memory;
}

/** Clones a value deeply. Transferred buffers are moved instead, and detached. */
export function structuredClone(...args: readonly unknown[]): unknown {
  if (args.length === 0) {
    throw nodeError(TypeError, "ERR_MISSING_ARGS", "The value argument must be specified");
  }
  const transferred = readTransfer(args[1]);
  const memory = createMemory();
  // A placeholder represents each transferred buffer until everything else is cloned.
  for (const buffer of transferred) {
    if (isDetached(buffer)) throw cannotClone("An ArrayBuffer is detached and");
  }
  const moves = transferred.map((buffer) => [buffer, cloneBuffer(buffer)] as const);
  for (const [buffer, moved] of moves) memory.set(buffer, moved);
  const result = clone(memory, args[0]);
  for (const [buffer] of moves) transferBuffer(buffer);
  return result;
}
