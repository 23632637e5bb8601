/**
 * Errors of Perl guests, read from what the driver said of them: untrusted text.
 *
 * @module
 */
import type { GuestError } from "../engine.ts";
import { cutText, lineNumberOf, trimTraceback } from "../traceback.ts";
import type { LineNumbers } from "./source/line_numbers.ts";

const MAX_NAME_CHARS = 256;

/** The error of a run that ended with a status other than 0. */
export function exitError(status: number): GuestError {
  return { name: "SystemExit", message: `exit status ${status}`, traceback: [] };
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {}; // a guest that reaches the driver's variables can leave anything in them
  }
}

/** Reads the driver's JSON; anything missing or odd gets a plain stand-in. */
export function readGuestError(
  text: string,
  tracebackBytes: number,
  lines: LineNumbers,
): GuestError {
  const said = parse(text);
  const traceback = Array.isArray(said["traceback"])
    ? said["traceback"].filter((line): line is string => typeof line === "string")
    : [];
  const named = lineNumberOf(said["lineNumber"]);
  const line = named === undefined ? undefined : lineNumberOf(lines.submitted(named));
  const message = textOr(said["message"], "The error could not be described");
  return {
    name: textOr(said["name"], "Error").slice(0, MAX_NAME_CHARS) || "Error",
    message: cutText(message, tracebackBytes),
    traceback: trimTraceback(traceback, tracebackBytes),
    ...(line === undefined ? {} : { lineNumber: line }),
  };
}
