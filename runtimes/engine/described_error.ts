/**
 * Errors of guests, read from the JSON in which a language's driver describes them. The driver
 * lives among the guest's objects, so all of it is untrusted.
 *
 * @module
 */
import type { GuestError } from "./engine.ts";
import { cutText, lineNumberOf, trimTraceback } from "./traceback.ts";

const MAX_NAME_CHARS = 256;

/** Replacements for missing or malformed parts, and how lines are counted. */
export interface ErrorReading {
  readonly name: string;
  /** @default {"The error could not be described"} */
  readonly message?: string;
  /** Most bytes of the message, and of the traceback. */
  readonly tracebackBytes: number;
  /** Maps a line that the driver reports to a line of the submitted code. @default {identity} */
  readonly lineOf?: (line: number) => number | undefined;
  /** Transforms the lines of the traceback before it is cut. */
  readonly mapLines?: (lines: readonly string[]) => readonly string[];
}

/** The error of a run that ended with a status other than 0. */
export function exitError(status: number): GuestError {
  return { name: "SystemExit", message: `exit status ${status}`, traceback: [] };
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}

function parse(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {}; // a guest that reaches or starves the driver can leave anything here
  }
}

/** Reads a driver's JSON; undefined when it wrote nothing. */
export function readDescribedError(text: string | undefined, reading: ErrorReading): GuestError {
  const { name, message = "The error could not be described", tracebackBytes } = reading;
  const { lineOf = (line: number) => line, mapLines = (all: readonly string[]) => all } = reading;
  const said = parse(text);
  const lines = Array.isArray(said["traceback"])
    ? said["traceback"].filter((line): line is string => typeof line === "string")
    : [];
  const line = lineNumberOf(said["lineNumber"]);
  const lineNumber = line === undefined ? undefined : lineNumberOf(lineOf(line));
  return {
    name: textOr(said["name"], name).slice(0, MAX_NAME_CHARS) || name,
    message: cutText(textOr(said["message"], message), tracebackBytes),
    traceback: trimTraceback(mapLines(lines), tracebackBytes),
    ...(lineNumber === undefined ? {} : { lineNumber }),
  };
}
