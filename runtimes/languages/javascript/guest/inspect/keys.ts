/**
 * Which of its own properties an object shows.
 *
 * @module
 */
import {
  append,
  createList,
  type List,
  listFrom,
  ObjectGetOwnPropertyNames,
  ObjectGetOwnPropertySymbols,
  ObjectKeys,
  ObjectPrototypePropertyIsEnumerable,
  RegExpPrototypeExec,
} from "../primordials.ts";
import type { Context } from "./context.ts";

/**
 * Above this length, names besides the indexes are not searched for: listing all keys is expensive.
 */
const MOST_INDEXES = 50_000;
const INDEX = /^(0|[1-9][0-9]*)$/;

/** Own keys to show: all with `showHidden`, else the enumerable ones. */
export function keysOf(context: Context, value: object): List<PropertyKey> {
  const keys = createList<PropertyKey>();
  const names = context.showHidden ? ObjectGetOwnPropertyNames(value) : ObjectKeys(value);
  for (let i = 0; i < names.length; i++) append(keys, names[i] ?? "");
  const symbols = symbolsOf(context, value);
  for (let i = 0; i < symbols.length; i++) append(keys, symbols[i] ?? "");
  return keys;
}

function symbolsOf(context: Context, value: object): List<PropertyKey> {
  const shown = createList<PropertyKey>();
  const symbols = ObjectGetOwnPropertySymbols(value);
  for (let i = 0; i < symbols.length; i++) {
    const symbol = symbols[i];
    if (symbol === undefined) continue;
    if (context.showHidden || ObjectPrototypePropertyIsEnumerable(value, symbol)) {
      append(shown, symbol);
    }
  }
  return shown;
}

function isIndex(key: PropertyKey): boolean {
  return typeof key === "string" && RegExpPrototypeExec(INDEX, key) !== null;
}

/** Own keys to show that are not indexes. They follow the indexes. */
export function extraKeysOf(context: Context, value: object, length: number): List<PropertyKey> {
  if (length > MOST_INDEXES) return symbolsOf(context, value);
  const keys = keysOf(context, value);
  let first = keys.length;
  while (first > 0 && !isIndex(keys[first - 1] ?? "")) first--;
  return matchKeys(listFrom(keys, first));
}

/** The engine creates a match's `groups` first; the language puts it third. */
function matchKeys(keys: List<PropertyKey>): List<PropertyKey> {
  if (keys[0] !== "groups" || keys[1] !== "index" || keys[2] !== "input") return keys;
  keys[0] = "index";
  keys[1] = "input";
  keys[2] = "groups";
  return keys;
}

/** Puts other keys before the given ones. */
export function prependKeys(
  keys: List<PropertyKey>,
  first: readonly string[],
): List<PropertyKey> {
  const result = createList<PropertyKey>();
  for (let i = 0; i < first.length; i++) append(result, first[i] ?? "");
  for (let i = 0; i < keys.length; i++) append(result, keys[i] ?? "");
  return result;
}
