/**
 * Errors of Ruby guests, read from what the driver said of them: untrusted text.
 *
 * @module
 */
import type { GuestError } from "../engine.ts";
import { cutText, lineNumberOf, trimTraceback } from "../traceback.ts";

const MAX_NAME_CHARS = 256;

/** What a program is told whose stack went deeper than could be unwound, and could not rescue. */
export const STACK_ERROR: GuestError = {
  name: "SystemStackError",
  message: "stack level too deep",
  traceback: [],
};

/** The driver itself failed: the guest broke the interpreter's own objects. */
export const UNDESCRIBED: GuestError = {
  name: "fatal",
  message: "The result could not be described",
  traceback: [],
};

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
    return {}; // a guest that reaches the driver's objects can leave anything in them
  }
}

/** Reads the driver's JSON; anything missing or odd gets a plain stand-in. */
export function readGuestError(text: string, tracebackBytes: number): GuestError {
  const said = parse(text);
  const traceback = Array.isArray(said["traceback"])
    ? said["traceback"].filter((line): line is string => typeof line === "string")
    : [];
  const lineNumber = lineNumberOf(said["lineNumber"]);
  return {
    name: textOr(said["name"], "Exception").slice(0, MAX_NAME_CHARS) || "Exception",
    message: cutText(textOr(said["message"], UNDESCRIBED.message), tracebackBytes),
    traceback: trimTraceback(traceback, tracebackBytes),
    ...(lineNumber === undefined ? {} : { lineNumber }),
  };
}
