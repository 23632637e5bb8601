/**
 * Jobs in the engine's queue. What a job throws comes to the host in the place where the number
 * of jobs that ran is told else, as a number: thrown numbers are wrapped.
 *
 * @module
 */
import { bare, WeakSetPrototypeAdd, WeakSetPrototypeHas } from "./primordials.ts";

interface ThrownNumber {
  readonly number: unknown;
}

const queueNatively = queueMicrotask;
const wrappers = new WeakSet<object>();

function wrap(number: number): ThrownNumber {
  const wrapper: ThrownNumber = bare({ number });
  WeakSetPrototypeAdd(wrappers, wrapper);
  return wrapper;
}

function isWrapper(value: unknown): value is ThrownNumber {
  return typeof value === "object" && value !== null && WeakSetPrototypeHas(wrappers, value);
}

/** Runs `callback` once the running job and those that wait are done. */
export function queueJob(callback: () => unknown): void {
  queueNatively(() => {
    try {
      callback();
    } catch (error) {
      throw typeof error === "number" ? wrap(error) : error;
    }
  });
}

/** What was thrown, of what the host says was thrown. */
export function unwrapThrown(thrown: unknown): unknown {
  return isWrapper(thrown) ? thrown.number : thrown;
}
