/**
 * JSON for people: short containers in one line, long ones with a line for each entry.
 *
 * @module
 */
import type { JsonValue } from "@belljar/client";

/** Longest container in one line, in characters. */
const LINE = 72;
const STEP = "  ";

/** A value as text. */
export function jsonText(value: JsonValue, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = indent + STEP;
  const isList = Array.isArray(value);
  const [open, close] = isList ? "[]" : "{}";
  const entries = isList
    ? value.map((entry: JsonValue) => jsonText(entry, inner))
    : Object.entries(value).map(([key, entry]) =>
      `${JSON.stringify(key)}: ${jsonText(entry, inner)}`
    );
  if (entries.length === 0) return `${open}${close}`;
  const length = entries.reduce((sum, entry) => sum + entry.length + 2, 0);
  const fits = length <= LINE && entries.every((entry) => !entry.includes("\n"));
  if (fits) return isList ? `[${entries.join(", ")}]` : `{ ${entries.join(", ")} }`;
  return `${open}\n${inner}${entries.join(`,\n${inner}`)}\n${indent}${close}`;
}
