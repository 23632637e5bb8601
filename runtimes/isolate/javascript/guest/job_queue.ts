/**
 * Jobs in the engine's queue. Running jobs returns to the host either the number of jobs that ran
 * or the value that a job threw. A thrown number is wrapped, so that the host can tell the two
 * apart.
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

/** Runs `callback` after the running job and all queued jobs. */
export function queueJob(callback: () => unknown): void {
  queueNatively(() => {
    try {
      callback();
    } catch (error) {
      throw typeof error === "number" ? wrap(error) : error;
    }
  });
}

/** The value that was thrown, unwrapped from the value that the host reports. */
export function unwrapThrown(thrown: unknown): unknown {
  return isWrapper(thrown) ? thrown.number : thrown;
}
