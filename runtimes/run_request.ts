/**
 * What an isolate is asked to run.
 *
 * @module
 */
import type { LanguageLimits } from "../wire/limits.ts";
import type { RunRequest } from "./isolate/engine.ts";

/** A program with the limits that hold for it. */
export function runRequest(
  program: Pick<RunRequest, "code" | "env" | "typescript">,
  { fuel, outputBytes, outputLines, resultBytes, tracebackBytes, wallMs }: LanguageLimits,
): RunRequest {
  const limits = { fuel, outputBytes, outputLines, resultBytes, tracebackBytes, wallMs };
  return { ...program, limits };
}
