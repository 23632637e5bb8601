/**
 * `util.types`: type checks by internal slots.
 *
 * @module
 */
import { type Kind, kindOf } from "../inspect/brands.ts";
import { proxyDetails } from "../inspect/proxies.ts";
import {
  ArrayBufferIsView,
  FunctionPrototypeSymbolHasInstance,
  ownDescriptor,
  SymbolToStringTag,
  TypedArrayPrototypeGetSymbolToStringTag,
} from "../primordials.ts";

const AsyncFunction: object = (async () => {}).constructor;
const GeneratorFunction: object = (function* () {}).constructor;
const AsyncGeneratorFunction: object = (async function* () {}).constructor;

function isAsyncFunction(value: unknown): boolean {
  return FunctionPrototypeSymbolHasInstance(AsyncFunction, value) ||
    FunctionPrototypeSymbolHasInstance(AsyncGeneratorFunction, value);
}

function isGeneratorFunction(value: unknown): boolean {
  return FunctionPrototypeSymbolHasInstance(GeneratorFunction, value) ||
    FunctionPrototypeSymbolHasInstance(AsyncGeneratorFunction, value);
}

type Check = (value: unknown) => boolean;

const VIEWS = [
  ...["Uint8Array", "Uint8ClampedArray", "Uint16Array", "Uint32Array", "Int8Array", "Int16Array"],
  ...["Int32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array"],
];
const BOXES: readonly Kind[] = ["Number", "String", "Boolean", "BigInt", "Symbol"];

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function is(...kinds: readonly Kind[]): Check {
  return (value) =>
    isObject(value) && proxyDetails(value) === undefined &&
    kinds.includes(kindOf(value));
}

function isNamespace(value: unknown): boolean {
  if (!isObject(value)) return false;
  const tag = ownDescriptor(value, SymbolToStringTag);
  return tag?.value === "Module" && tag.configurable === false;
}

/** The module `util/types`. */
export function createUtilTypes(): Readonly<Record<string, Check>> {
  const views: Record<string, Check> = {};
  for (const name of VIEWS) {
    views[`is${name}`] = (value) => TypedArrayPrototypeGetSymbolToStringTag(value) === name;
  }
  const boxes: Record<string, Check> = {};
  for (const name of BOXES) boxes[`is${name}Object`] = is(name);
  return {
    isExternal: () => false,
    isDate: is("Date"),
    isArgumentsObject: is("Arguments"),
    ...boxes,
    isBoxedPrimitive: is(...BOXES),
    isNativeError: is("Error"),
    isRegExp: is("RegExp"),
    isAsyncFunction,
    isGeneratorFunction,
    isGeneratorObject: is("Generator"),
    isPromise: is("Promise"),
    isMap: is("Map"),
    isSet: is("Set"),
    isMapIterator: is("Map Iterator"),
    isSetIterator: is("Set Iterator"),
    isWeakMap: is("WeakMap"),
    isWeakSet: is("WeakSet"),
    isArrayBuffer: is("ArrayBuffer"),
    isDataView: is("DataView"),
    isSharedArrayBuffer: is("SharedArrayBuffer"),
    isProxy: (value) =>
      (isObject(value) || typeof value === "function") &&
      proxyDetails(value) !== undefined,
    isModuleNamespaceObject: isNamespace,
    isAnyArrayBuffer: is("ArrayBuffer", "SharedArrayBuffer"),
    isArrayBufferView: ArrayBufferIsView,
    isTypedArray: is("TypedArray"),
    ...views,
    isKeyObject: () => false,
    isCryptoKey: () => false,
  };
}
