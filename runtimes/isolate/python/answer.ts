/**
 * Reads what the driver answers: a letter for the kind of ending, then its content. The driver
 * lives among the guest's objects, so every answer is untrusted.
 *
 * @module
 */
import type { Ending, GuestError, RunLimits } from "../engine.ts";
import { cutText, trimTraceback } from "../traceback.ts";

const MAX_NAME_CHARS = 256;
/** Longest description of an error that is read: the driver's are much shorter. */
const MAX_DESCRIPTION_BYTES = 8 * 1024 * 1024;

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {}; // a guest that reached the driver can make it say anything
  }
}

/** The error that the driver describes in JSON; what is missing or odd gets a plain stand-in. */
export function readGuestError(text: string, limits: RunLimits): GuestError {
  const said = parse(text);
  const lines = Array.isArray(said["traceback"])
    ? said["traceback"].filter((line): line is string => typeof line === "string")
    : [];
  const line = said["lineNumber"];
  const message = textOr(said["message"], "The error could not be described");
  return {
    name: textOr(said["name"], "Exception").slice(0, MAX_NAME_CHARS) || "Exception",
    message: cutText(message, limits.tracebackBytes),
    traceback: trimTraceback(lines, limits.tracebackBytes),
    ...(typeof line === "number" && Number.isSafeInteger(line) && line > 0
      ? { lineNumber: line }
      : {}),
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** How the run ended, by the driver's answer. */
export function readAnswer(answer: Uint8Array, limits: RunLimits): Ending {
  const content = answer.subarray(1);
  const text = () => new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
  const kind = String.fromCharCode(answer[0] ?? 0);
  if (kind === "e") {
    const described = content.length > MAX_DESCRIPTION_BYTES ? "" : text();
    return { kind: "error", error: readGuestError(described, limits) };
  }
  if (content.length > limits.resultBytes) {
    return { kind: "limit", limit: "result", traceback: [] };
  }
  if (kind === "n") return { kind: "none" };
  if (kind === "t") return { kind: "text", text: text() };
  if (kind === "j") {
    const json = text();
    return isJson(json) ? { kind: "json", json } : { kind: "text", text: json };
  }
  return { kind: "crash" };
}
