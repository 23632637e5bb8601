/**
 * JSON with integers that keep their exact digits when they pass through JavaScript's numbers
 * (docs/contract.md#result-mapping).
 *
 * @module
 */
import type { JsonValue, ResultEntry } from "../client/protocol/types.ts";

/** The third argument of a reviver, which the library's types do not have yet. */
interface ReviverContext {
  readonly source?: string;
}

/** Sixteen digits in a row. Integers with fewer digits are exact anyway. */
const LONG_NUMBER = /\d{16}/;
const INTEGER = /^-?\d+$/;
/** V8 writes some kinds of nested values recursively, to a depth of about 3,600 levels. */
const SAFE_DEPTH = 2_000;
/** More stack frames than there are between here and the place where an answer is written. */
const SPARE_FRAMES = 500;

const rawJson: unknown = Reflect.get(JSON, "rawJSON");

/** A value that `JSON.stringify` writes with the given digits. */
function exactNumber(value: number, source: string | undefined): unknown {
  const inexact = source !== undefined && INTEGER.test(source) && !Number.isSafeInteger(value);
  return inexact && typeof rawJson === "function" ? rawJson(source) : value;
}

/**
 * Parses JSON that will be written again: integers beyond the exact range of numbers become values
 * that `JSON.stringify` writes with their original digits. Throws a SyntaxError.
 *
 * Revivers are called recursively. If the nesting is too deep for that, numbers may lose digits.
 */
export function parseExactJson(text: string): JsonValue {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  const revive = (_key: string, value: unknown, context?: ReviverContext) =>
    typeof value === "number" ? exactNumber(value, context?.source) : value;
  try {
    return JSON.parse(text, revive);
  } catch (error) {
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}

/**
 * Converts a value's JSON to an entry of a result: to text when it is nested too deeply to be
 * written as part of an answer. Throws a SyntaxError.
 */
export function jsonEntry(text: string): ResultEntry {
  const json = parseExactJson(text);
  return isDeep(text) && !isWritable(json, SPARE_FRAMES) ? { text } : { json };
}

/** Whether a value can be written with that many fewer stack frames than are available now. */
function isWritable(json: JsonValue, spare: number): boolean {
  if (spare > 0) return isWritable(json, spare - 1);
  try {
    JSON.stringify(json);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function isDeep(json: string): boolean {
  if (json.length < 2 * SAFE_DEPTH) return false;
  let depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === "[" || token === "{") {
      if (++depth > SAFE_DEPTH) return true;
    } else if (token === "]" || token === "}") depth--;
  }
  return false;
}
