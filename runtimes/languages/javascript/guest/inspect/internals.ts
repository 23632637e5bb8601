/**
 * Facts about values for the package that formats them. The build puts them in place of the
 * package's own guesses, see `build/inspect_patch.ts`.
 *
 * @module
 */
import { INSPECT_INTERNALS } from "../../host/loader_names.ts";
import { valuesOfNamespace } from "../modules/es_module.ts";
import { createUtilTypes } from "../node/util_types.ts";
import {
  ArrayBufferIsView,
  ArrayIsArray,
  ObjectGetOwnPropertyNames,
  ObjectGetOwnPropertySymbols,
  ObjectKeys,
  ObjectPrototypePropertyIsEnumerable,
  ReflectGet,
  RegExpPrototypeExec,
  TypedArrayPrototypeGetSymbolToStringTag,
} from "../primordials.ts";
import { isStackOverflow } from "../stack_trace.ts";
import { isErrorLike, kindOf } from "./brands.ts";
import { previewIterator } from "./iterators.ts";
import { promiseState } from "./promises.ts";
import { proxyDetails, unwrapProxy } from "./proxies.ts";

const ALL_PROPERTIES = 0;
const ONLY_ENUMERABLE = 2;
const PENDING = Symbol("pending");
const REJECTED = Symbol("rejected");
const FULFILLED = Symbol("fulfilled");
const INDEX = /^(0|[1-9][0-9]*)$/;
/** Above this length, names besides the indexes are not searched for: listing all is expensive. */
const MOST_INDEXES = 50_000;

function lengthOf(value: object): number {
  return ArrayIsArray(value) || ArrayBufferIsView(value) ? Number(ReflectGet(value, "length")) : 0;
}

/** Own keys that are not indexes. They follow the indexes. */
function getOwnNonIndexProperties(value: object, filter = ONLY_ENUMERABLE): PropertyKey[] {
  const isShown = (key: PropertyKey) =>
    filter !== ONLY_ENUMERABLE || ObjectPrototypePropertyIsEnumerable(value, key);
  const names = lengthOf(value) > MOST_INDEXES
    ? []
    : filter === ONLY_ENUMERABLE
    ? ObjectKeys(value)
    : ObjectGetOwnPropertyNames(value);
  let first = names.length;
  while (first > 0 && RegExpPrototypeExec(INDEX, names[first - 1] ?? "") === null) first--;
  const keys: PropertyKey[] = [];
  for (let i = first; i < names.length; i++) keys[keys.length] = names[i] ?? "";
  const symbols = ObjectGetOwnPropertySymbols(value);
  for (let i = 0; i < symbols.length; i++) {
    const symbol = symbols[i];
    if (symbol !== undefined && isShown(symbol)) keys[keys.length] = symbol;
  }
  return inOrder(keys);
}

/** The engine creates a match's `groups` first; the language puts it third. */
function inOrder(keys: PropertyKey[]): PropertyKey[] {
  if (keys[0] !== "groups" || keys[1] !== "index" || keys[2] !== "input") return keys;
  keys[0] = "index";
  keys[1] = "input";
  keys[2] = "groups";
  return keys;
}

/** Of a module's namespace, whose exports are getters, the values are shown. */
function getProxyDetails(value: object, both = true): unknown {
  const details = proxyDetails(value);
  if (details === undefined) return both ? undefined : valuesOfNamespace(value);
  return both ? [details.target, details.handler] : unwrapProxy(value);
}

function getPromiseDetails(promise: object): readonly unknown[] {
  const details = promiseState(promise);
  if (details.state === "pending") return [PENDING, undefined];
  return [details.state === "rejected" ? REJECTED : FULFILLED, details.result];
}

/** The entries of an iterator, keys and values in turn; weak collections show none. */
function previewEntries(value: object, isIterator?: boolean): unknown {
  if (isIterator !== true) return [];
  const kind = kindOf(value);
  if (kind !== "Map Iterator" && kind !== "Set Iterator") return [[], false];
  const { items, isEntries } = previewIterator(value, kind);
  const entries: unknown[] = [];
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (isEntries && ArrayIsArray(item)) {
      entries[entries.length] = item[0];
      entries[entries.length] = item[1];
    } else entries[entries.length] = item;
  }
  return [entries, isEntries];
}

/** The name of an object whose prototypes name no constructor. */
function getConstructorName(value: object): string {
  const kind = kindOf(value);
  if (kind === "TypedArray") return TypedArrayPrototypeGetSymbolToStringTag(value) ?? kind;
  return kind === "Arguments" || kind === "Generator" ? "Object" : kind;
}

Reflect.set(globalThis, INSPECT_INTERNALS, {
  types: createUtilTypes(),
  isError: isErrorLike,
  isStackOverflowError: isStackOverflow,
  util: {
    constants: { kPending: PENDING, kRejected: REJECTED, ALL_PROPERTIES, ONLY_ENUMERABLE },
    getOwnNonIndexProperties,
    getPromiseDetails,
    getProxyDetails,
    previewEntries,
    getConstructorName,
    getExternalValue: () => 0n,
    Proxy,
  },
});
