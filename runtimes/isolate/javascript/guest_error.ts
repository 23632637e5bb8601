/**
 * Errors of JavaScript guests, read from what the guest's driver said of them: untrusted text.
 *
 * @module
 */
import type { GuestError } from "../engine.ts";
import { cutText, lineNumberOf, trimTraceback } from "../traceback.ts";

const MAX_NAME_CHARS = 256;
const POSITION = /(?<=^|[ (])(main(?:-\d+)?\.js):(\d+)/g;

/** What reading an error needs to know of its run. */
export interface ErrorReading {
  /** Name of the script in stack traces. */
  readonly scriptName: string;
  /** Line of the evaluated script → line of the submitted one. */
  lineOf(line: number): number;
  readonly tracebackBytes: number;
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
    return {}; // the driver can be starved of memory in the middle of a word
  }
}

/** Lines of a traceback with positions in the submitted code. */
export function mapPositions(lines: readonly string[], reading: ErrorReading): readonly string[] {
  return lines.map((line) =>
    line.replaceAll(
      POSITION,
      (all, name: string, at: string) =>
        name === reading.scriptName ? `${name}:${reading.lineOf(Number(at))}` : all,
    )
  );
}

/** Reads the driver's JSON; anything missing or odd gets a plain stand-in. */
export function readGuestError(text: string | undefined, reading: ErrorReading): GuestError {
  const said = parse(text);
  const lines = Array.isArray(said["traceback"])
    ? said["traceback"].filter((line): line is string => typeof line === "string")
    : [];
  const line = lineNumberOf(said["lineNumber"]);
  const lineNumber = line === undefined ? undefined : lineNumberOf(reading.lineOf(line));
  return {
    name: textOr(said["name"], "Error").slice(0, MAX_NAME_CHARS) || "Error",
    message: cutText(
      textOr(said["message"], "The error could not be described"),
      reading.tracebackBytes,
    ),
    traceback: trimTraceback(mapPositions(lines, reading), reading.tracebackBytes),
    ...(lineNumber === undefined ? {} : { lineNumber }),
  };
}
