/**
 * How results reach asynchronous callers. The work is done immediately; its outcome is delivered in
 * a separate task, as Node delivers the work of its threads.
 *
 * @module
 */
import { ReflectApply } from "../../primordials.ts";
import { invalidArgument } from "../../web/node_error.ts";
import type { FsDependencies } from "./dependencies.ts";

/** Delivers the outcome of a function to the callback, or as a promise if there is none. */
export interface Deliver {
  <Result>(run: () => Result, callback?: unknown): Promise<Result> | undefined;
}

type Outcome<Result> =
  | { readonly failed: false; readonly result: Result }
  | { readonly failed: true; readonly result: unknown };

function outcomeOf<Result>(run: () => Result): Outcome<Result> {
  try {
    return { failed: false, result: run() };
  } catch (error) {
    return { failed: true, result: error };
  }
}

/** Only errors of system calls reach callbacks: a wrong argument is thrown where it was passed. */
function isSystemError(error: unknown): boolean {
  return typeof error === "object" && error !== null && "syscall" in error;
}

/** Makes the function that delivers results. */
export function createDeliver(defer: FsDependencies["defer"]): Deliver {
  return (run, callback) => {
    if (callback !== undefined) return void toCallback(defer, run, callback);
    const outcome = outcomeOf(run);
    return new Promise((resolve, reject) => {
      defer(() => outcome.failed ? reject(outcome.result) : resolve(outcome.result));
    });
  };
}

function toCallback(
  defer: FsDependencies["defer"],
  run: () => unknown,
  callback: unknown,
): void {
  requireCallback(callback);
  const outcome = outcomeOf(run);
  if (outcome.failed && !isSystemError(outcome.result)) throw outcome.result;
  const args = outcome.failed ? [outcome.result] : resultArguments(outcome.result);
  defer(() => void ReflectApply(callback, undefined, args));
}

function resultArguments(value: unknown): unknown[] {
  if (value instanceof Results) return [null, ...value.values];
  return value === undefined ? [null] : [null, value];
}

/** Several results for one callback. */
export class Results {
  readonly values: readonly unknown[];

  constructor(...values: readonly unknown[]) {
    this.values = values;
  }
}

/** Throws unless `value` is a function. */
export function requireCallback(value: unknown): void {
  if (typeof value !== "function") throw invalidArgument("cb", "of type function", value);
}
