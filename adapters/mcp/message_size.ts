/**
 * How long a result may be. Clients refuse long messages, and a caller whose client refuses the
 * result of a run does not learn that it was run.
 *
 * @module
 */
import type { CallToolResult } from "@modelcontextprotocol/server";

/**
 * Longest result in bytes of JSON. The official Python client takes events of 1 MiB; the rest is
 * for what is around the result.
 */
export const MESSAGE_BYTES: number = 1024 * 1024 - 4 * 1024;

/** Bytes of a value as JSON. */
export function jsonBytes(value: unknown): number {
  return typeof value === "string"
    ? stringBytes(value)
    : new TextEncoder().encode(JSON.stringify(value)).length;
}

/** Bytes of lines as JSON. A control character takes six, so no JSON is made of them. */
export function linesBytes(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + stringBytes(line) + 1, 1 + Number(lines.length === 0));
}

/** Bytes of a string as JSON, with its quotes. */
function stringBytes(text: string): number {
  let bytes = 2;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20) bytes += isShortEscape(code) ? 2 : 6;
    else if (code < 0x80) bytes += code === QUOTE || code === BACKSLASH ? 2 : 1;
    else if (code < 0x800) bytes += 2;
    else if (code < 0xd800 || code > 0xdfff) bytes += 3;
    else if (code < 0xdc00 && isLowSurrogate(text.charCodeAt(at + 1))) {
      bytes += 4;
      at++;
    } else bytes += 6; // a lone surrogate
  }
  return bytes;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Backspace, tab, line feed, form feed and carriage return. */
function isShortEscape(code: number): boolean {
  return code >= 8 && code <= 13 && code !== 11;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Whether a client takes a result. */
export function fits(result: CallToolResult): boolean {
  return jsonBytes(result) <= MESSAGE_BYTES;
}

/**
 * The result of as much as fits: `make` gives the one for the first so many, which are halved until
 * it does. `leastBytes`: the result has at least so many for each.
 */
export function fitting(
  most: number,
  make: (count: number) => CallToolResult,
  leastBytes = 0,
): CallToolResult {
  for (let count = most;; count = Math.floor(count / 2)) {
    if (count > 1 && count * leastBytes > MESSAGE_BYTES) continue;
    const result = make(count);
    if (count <= 1 || fits(result)) return result;
  }
}
