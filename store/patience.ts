/**
 * For how long the work of one caller waits for the store: a span that all its operations share.
 * It goes along with the work through `AsyncLocalStorage`, so that no part between a route and the
 * store has to hand it on.
 *
 * @module
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** Whole milliseconds that are left; 0 when the wait is over. */
export type Patience = () => number;

const present = new AsyncLocalStorage<Patience | undefined>();

/** Does work whose operations wait for the store no longer than that. An inner span replaces it. */
export function withPatience<T>(patience: Patience, work: () => Promise<T>): Promise<T> {
  return present.run(patience, work);
}

/** Does work that is nobody's: each of its operations waits as long as any. */
export function withOwnPatience<T>(work: () => Promise<T>): Promise<T> {
  return present.run(undefined, work);
}

/** What the present work may still wait, in milliseconds; undefined when it is nobody's. */
export function presentPatience(): number | undefined {
  return present.getStore()?.();
}

/** A span that begins when it is first asked for. */
export function patienceOf(ms: number): Patience {
  let until: number | undefined;
  return () => {
    until ??= performance.now() + ms;
    return Math.max(0, Math.floor(until - performance.now()));
  };
}
