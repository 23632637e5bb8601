/**
 * How long the work of one caller waits for the store: a budget of time that all its operations
 * share. `AsyncLocalStorage` carries it, so that no part between a route and the store has to pass
 * it on.
 *
 * @module
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Timers } from "../shared/timers.ts";

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
export function currentPatience(): number | undefined {
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

/** A wait that ends in time. */
export interface BoundedWait {
  /** Aborts with the caller's signal or when the time is over. */
  readonly signal: AbortSignal;
  end(): void;
}

/** Begins a wait. `late`: the reason when the time is over. */
export function boundedWait(
  timers: Timers,
  { signal, maxWaitMs }: { readonly signal?: AbortSignal; readonly maxWaitMs: number },
  late: () => Error,
): BoundedWait {
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  const cancel = timers.after(maxWaitMs, () => {
    controller.abort(late());
  });
  return {
    signal: controller.signal,
    end() {
      cancel();
      signal?.removeEventListener("abort", onAbort);
    },
  };
}
