/**
 * The run that an isolate is asked for.
 *
 * @module
 */
import type { LanguageLimits } from "../wire/limits.ts";
import type { RunRequest } from "./isolate/engine.ts";

/** A program with the limits that apply to it. */
export function runRequest(
  program: Pick<RunRequest, "code" | "env" | "typescript">,
  { fuel, outputBytes, outputLines, resultBytes, tracebackBytes, wallMs }: LanguageLimits,
): RunRequest {
  const limits = { fuel, outputBytes, outputLines, resultBytes, tracebackBytes, wallMs };
  return { ...program, limits };
}
