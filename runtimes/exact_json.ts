/**
 * JSON whose integers keep their exact digits on the way through JavaScript's numbers
 * (docs/contract.md#result-mapping).
 *
 * @module
 */
import type { JsonValue, ResultEntry } from "../client/protocol/types.ts";

/** What a reviver is told beside key and value; newer than the library's types. */
interface ReviverContext {
  readonly source?: string;
}

/** Sixteen digits in a row: fewer are exact anyway. */
const LONG_NUMBER = /\d{16}/;
const INTEGER = /^-?\d+$/;
/** V8 writes some kinds of nested values by recursion, to a depth of some 3,600 levels. */
const SAFE_DEPTH = 2_000;
/** More than there are between here and where an answer is written. */
const SPARE_FRAMES = 500;

const rawJson: unknown = Reflect.get(JSON, "rawJSON");

/** A value that `JSON.stringify` writes as the given digits. */
function exactNumber(value: number, source: string | undefined): unknown {
  const inexact = source !== undefined && INTEGER.test(source) && !Number.isSafeInteger(value);
  return inexact && typeof rawJson === "function" ? rawJson(source) : value;
}

/**
 * Parses JSON for writing it again: integers beyond the exact range of numbers become values
 * that `JSON.stringify` writes with the digits they came with. Throws a SyntaxError.
 *
 * Revivers are called recursively: where nesting is too deep for that, numbers are what they are.
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
 * A value's JSON as an entry of a result: as text when it is nested too deeply to be written as
 * part of an answer. Throws a SyntaxError.
 */
export function jsonEntry(text: string): ResultEntry {
  const json = parseExactJson(text);
  return isDeep(text) && !isWritable(json, SPARE_FRAMES) ? { text } : { json };
}

/** Whether a value can be written with so many frames of stack less than there are now. */
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
