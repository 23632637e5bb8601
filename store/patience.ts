/**
 * How long the work of one caller waits for the store: a budget of time that all its operations
 * share. `AsyncLocalStorage` carries it, so that no part between a route and the store has to pass
 * it on.
 *
 * @module
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** Remaining whole milliseconds; 0 when the wait is over. */
export type Patience = () => number;

const present = new AsyncLocalStorage<Patience | undefined>();

/**
 * Runs work whose operations wait for the store no longer than that. An inner budget replaces it.
 */
export function withPatience<T>(patience: Patience, work: () => Promise<T>): Promise<T> {
  return present.run(patience, work);
}

/** Runs work without a caller: each of its operations has the default time limit. */
export function withOwnPatience<T>(work: () => Promise<T>): Promise<T> {
  return present.run(undefined, work);
}

/** How long the current work may still wait, in milliseconds; undefined without a caller. */
export function presentPatience(): number | undefined {
  return present.getStore()?.();
}

/** A budget that starts when it is first read. */
export function patienceOf(ms: number): Patience {
  let until: number | undefined;
  return () => {
    until ??= performance.now() + ms;
    return Math.max(0, Math.floor(until - performance.now()));
  };
}
