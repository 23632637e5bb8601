/**
 * Hostile cases, and how their outcomes are judged.
 *
 * After each case the service must be as before: healthy, and correct about harmless programs.
 */
import type { ExecutionResult } from "../../client/protocol/types.ts";

/**
 * `limit`: ExecutionLimitError. `error`: an exception of the language. `either`: one of the two.
 * `value`: the run succeeds with the given entry. `any`: it ends. `crash`: it ends, or the
 * interpreter breaks, which only a guest that breaks its own memory on purpose can do.
 */
export type Outcome = "limit" | "error" | "either" | "value" | "any" | "crash";

/** A hostile program. */
export interface HostileCase {
  readonly name: string;
  readonly code: string;
  readonly outcome: Outcome;
  /** The error's name must match. */
  readonly error?: RegExp;
  /** The error's message must match. */
  readonly message?: RegExp;
  /** For `value`. */
  readonly results?: readonly unknown[];
  /** The output before the end must be kept, as the first lines. */
  readonly stdout?: readonly string[];
}

const LIMIT = "ExecutionLimitError";

/** The faults of a result; empty when it is correct. */
export function complaints(hostile: HostileCase, result: ExecutionResult): readonly string[] {
  const { error } = result;
  const found: string[] = [];
  const isLimit = error?.name === LIMIT;
  if (hostile.outcome === "value" && error !== undefined) found.push(`failed: ${error.message}`);
  const mustFail = ["limit", "error", "either"].includes(hostile.outcome);
  if (mustFail && error === undefined) found.push("succeeded");
  if (hostile.outcome === "limit" && !isLimit) found.push(`no limit: ${error?.name}`);
  if (hostile.outcome === "error" && isLimit) found.push(`a limit: ${error?.message}`);
  if (error?.name === "InterpreterCrash" && hostile.outcome !== "crash") {
    found.push("the interpreter crashed");
  }
  if (hostile.error && !hostile.error.test(error?.name ?? "")) {
    found.push(`error is ${error?.name}: ${error?.message}`);
  }
  if (hostile.message && !hostile.message.test(error?.message ?? "")) {
    found.push(`message is ${error?.message}`);
  }
  if (hostile.results && JSON.stringify(hostile.results) !== JSON.stringify(result.results)) {
    found.push(`results are ${JSON.stringify(result.results).slice(0, 300)}`);
  }
  (hostile.stdout ?? []).forEach((line, index) => {
    if (result.logs.stdout[index] !== line) found.push(`line ${index} is missing`);
  });
  if (error !== undefined && result.results.length > 0) found.push("an error with a result");
  return found;
}
