/**
 * What the driver's answer means: a letter and what belongs to it. See `guest/program.rb`.
 *
 * @module
 */
import type { Ending, RunLimits } from "../engine.ts";
import { exitError, readGuestError, UNDESCRIBED } from "./guest_error.ts";

/** How a run ended whose program exited with a status. */
export function exitEnding(status: number): Ending {
  return status === 0 ? { kind: "none" } : { kind: "error", error: exitError(status) };
}

/** Reads an answer; undefined stands for a driver that failed. */
export function readAnswer(answer: string | undefined, limits: RunLimits): Ending {
  const text = answer?.slice(1) ?? "";
  switch (answer?.[0]) {
    case "n":
      return { kind: "none" };
    case "t":
      return { kind: "text", text };
    case "j":
      return { kind: "json", json: text };
    case "e":
      return { kind: "error", error: readGuestError(text, limits.tracebackBytes) };
    case "x":
      return exitEnding(Number(text));
    case "l":
      return { kind: "limit", limit: "result", traceback: [] };
    default:
      return { kind: "error", error: UNDESCRIBED };
  }
}
