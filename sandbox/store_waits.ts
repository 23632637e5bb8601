/**
 * How long a run may wait for the store: before its start no longer than for anything else, after
 * its end as long as it takes to write its result.
 *
 * @module
 */
import { answerTimes } from "../store/guarded_store.ts";
import { patienceOf, withPatience } from "../store/patience.ts";
import { STORE_LEAST_MS } from "../shared/limits.ts";
import type { WaitBudget } from "../shared/wait_budget.ts";
import type { OperationOptions } from "./operation_options.ts";

/** Runs the work before a run. A run that got its turn at the last moment may still start. */
export function beforeRun<T>(wait: WaitBudget, work: () => Promise<T>): Promise<T> {
  return withPatience(patienceOf(Math.max(wait.left(), STORE_LEAST_MS)), work);
}

/** Runs the work after a run. */
export function afterRun<T>(
  { limits: { maxWaitMs } }: OperationOptions,
  wait: WaitBudget,
  work: () => Promise<T>,
): Promise<T> {
  return withPatience(patienceOf(Math.max(wait.left(), answerTimes(maxWaitMs).writeMs)), work);
}

/** Runs the work of a request without a run. */
export function asRequest<T>(
  { limits: { maxWaitMs } }: OperationOptions,
  work: () => Promise<T>,
): Promise<T> {
  return withPatience(patienceOf(Math.max(maxWaitMs, STORE_LEAST_MS)), work);
}
