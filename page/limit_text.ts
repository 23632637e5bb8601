/**
 * Limits in plain words.
 *
 * @module
 */
import type { PublishedLimits } from "@belljar/client";
import { bytes, duration, exact } from "./format.ts";

/** The meaning of each limit, by the first word of its message. */
const TEXTS: Readonly<Record<string, (limits: PublishedLimits, durationMs: number) => string>> = {
  Fuel: (_, ms) =>
    `Stopped after ${duration(ms)} of computing: all that a run may use. An endless loop?`,
  Wall: ({ wallMs }) => `Stopped after ${duration(wallMs)}: all the time that a run may take.`,
  Memory: ({ memoryBytes }) =>
    `The program needs more than ${bytes(memoryBytes)} of memory: all that a run may have.`,
  Output: ({ outputBytes, outputLines }) =>
    `A run may write ${bytes(outputBytes)} or ${exact(outputLines)} lines.`,
  Result: () => "The value of the last line is too large to be shown. Print a part of it.",
  Display: () => "The pictures and tables of this run are too large, or too many.",
  Snapshot: () =>
    "The memory of this context would be too large to be stored. Delete large variables.",
  Workspace: () => "The files of the sandbox would be too large, or too many. Delete some.",
};

/** The meaning of a limit's message; undefined for any other text. */
export function limitText(
  message: string,
  limits: PublishedLimits,
  durationMs: number,
): string | undefined {
  const [word = ""] = message.split(" ", 1);
  return Object.hasOwn(TEXTS, word) ? TEXTS[word]?.(limits, durationMs) : undefined;
}
