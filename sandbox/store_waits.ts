/**
 * How long the store may keep a run waiting: before it begins no longer than anything else, and
 * once it has ended as long as it takes to write what it left.
 *
 * @module
 */
import { answerTimes } from "../store/guarded_store.ts";
import { patienceOf, withPatience } from "../store/patience.ts";
import { STORE_LEAST_MS } from "../wire/limits.ts";
import type { WaitBudget } from "../wire/wait_budget.ts";
import type { SandboxParts } from "./sandbox_parts.ts";

/** Does what comes before a run. One that got its turn at the last moment may still begin. */
export function beforeRun<T>(wait: WaitBudget, work: () => Promise<T>): Promise<T> {
  return withPatience(patienceOf(Math.max(wait.left(), STORE_LEAST_MS)), work);
}

/** Does what comes after a run. */
export function afterRun<T>(
  { limits: { maxWaitMs } }: SandboxParts,
  wait: WaitBudget,
  work: () => Promise<T>,
): Promise<T> {
  return withPatience(patienceOf(Math.max(wait.left(), answerTimes(maxWaitMs).writeMs)), work);
}

/** Does what a request without a run asks for. */
export function asRequest<T>(
  { limits: { maxWaitMs } }: SandboxParts,
  work: () => Promise<T>,
): Promise<T> {
  return withPatience(patienceOf(Math.max(maxWaitMs, STORE_LEAST_MS)), work);
}
