/**
 * JSON whose integers keep their exact digits on the way through JavaScript's numbers
 * (decisions, Result mapping).
 *
 * @module
 */
import type { JsonValue } from "../wire/types.ts";

/** What a reviver is told beside key and value; newer than the library's types. */
interface ReviverContext {
  readonly source?: string;
}

/** Sixteen digits in a row: fewer are exact anyway. */
const LONG_NUMBER = /\d{16}/;
const INTEGER = /^-?\d+$/;

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
