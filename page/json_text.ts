/**
 * JSON for people: short containers in one line, long ones with a line for each entry.
 *
 * @module
 */
import type { JsonValue } from "@belljar/client";

/** Longest container in one line, in characters. */
const LINE = 72;
const STEP = "  ";
/** Containers within each other that have lines of their own; a guest can nest thousands. */
const MAX_DEPTH = 40;

/** A value as text. */
export function jsonText(value: JsonValue, depth = 0): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (depth === MAX_DEPTH) return inOneLine(value);
  const [indent, inner] = [STEP.repeat(depth), STEP.repeat(depth + 1)];
  const isList = Array.isArray(value);
  const [open, close] = isList ? "[]" : "{}";
  const entries = isList
    ? value.map((entry: JsonValue) => jsonText(entry, depth + 1))
    : Object.entries(value).map(([key, entry]) =>
      `${JSON.stringify(key)}: ${jsonText(entry, depth + 1)}`
    );
  if (entries.length === 0) return `${open}${close}`;
  const length = entries.reduce((sum, entry) => sum + entry.length + 2, 0);
  const fits = length <= LINE && entries.every((entry) => !entry.includes("\n"));
  if (fits) return isList ? `[${entries.join(", ")}]` : `{ ${entries.join(", ")} }`;
  return `${open}\n${inner}${entries.join(`,\n${inner}`)}\n${indent}${close}`;
}

function inOneLine(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return "…"; // nested deeper than the browser's stack
  }
}
