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
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** Whether a client takes a result. */
export function fits(result: CallToolResult): boolean {
  return jsonBytes(result) <= MESSAGE_BYTES;
}

/**
 * The result of as much as fits: `make` gives the one for the first so many, which are halved until
 * it does.
 */
export function fitting(
  most: number,
  make: (count: number) => CallToolResult,
): CallToolResult {
  for (let count = most;; count = Math.floor(count / 2)) {
    const result = make(count);
    if (count <= 1 || fits(result)) return result;
  }
}
