/**
 * The arguments of a call as JSON. What JSON cannot say is an error, where `JSON.stringify` would leave
 * it out or write something else.
 *
 * @module
 */
import { jsonText } from "./json_text.ts";
import {
  ArrayBufferIsView,
  NumberIsFinite,
  ObjectPrototypeToString,
  StringPrototypeIncludes,
  StringPrototypeSlice,
} from "./primordials.ts";

/** A value is none of JSON. */
export class NotSayable extends Error {}

const NO_JSON_TAGS = "[object Map] [object Set] [object WeakMap] [object WeakSet] " +
  "[object ArrayBuffer] [object SharedArrayBuffer] [object Promise]";

function check(key: string, value: unknown): unknown {
  const kind = unsayable(value);
  if (kind === undefined) return value;
  const where = key === "" ? "" : ` ("${key}")`;
  throw new NotSayable(`The arguments of a call are JSON, which has no ${kind}${where}`);
}

function unsayable(value: unknown): string | undefined {
  switch (typeof value) {
    case "bigint":
      return "BigInt";
    case "function":
      return "function";
    case "symbol":
      return "symbol";
    case "number":
      return NumberIsFinite(value) ? undefined : `${value}`;
    case "object": {
      if (value === null) return undefined;
      if (ArrayBufferIsView(value)) return "bytes";
      const tag = ObjectPrototypeToString(value);
      return includesTag(tag) ? StringPrototypeSlice(tag, 8, -1) : undefined;
    }
    default:
      return undefined;
  }
}

function includesTag(tag: string): boolean {
  return tag !== "[object Object]" && tag !== "[object Array]" &&
    StringPrototypeIncludes(NO_JSON_TAGS, tag);
}

/** The JSON of an object of arguments; none is `{}`. Throws a NotSayable, and what its own code throws. */
export function argumentsText(given: ArrayLike<unknown>): string {
  const first = given[0];
  if (given.length > 1) throw new NotSayable("A call has one object of arguments");
  if (first === undefined) return "{}";
  const text = jsonText(first, check) ?? "";
  if (text[0] !== "{") throw new NotSayable("The arguments of a call are an object");
  return text;
}
