/**
 * The watchdog of one run, which ends the run by killing its process.
 *
 * @module
 */
import type { Timers } from "../../shared/timers.ts";
import type { Isolate } from "./isolate.ts";

/** When to end a run. */
export interface RunBounds {
  /** Maximum time of the run, in milliseconds. */
  readonly wallMs: number;
  /** Time for the run to end by itself after its caller has disconnected, in milliseconds. */
  readonly cancelGraceMs: number;
  /** Fires when the caller disconnects. */
  readonly signal: AbortSignal | undefined;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
}

/** A watchdog that is active until it is released. */
export interface Watchdog {
  /** Whether it killed the process at the wall-clock limit. */
  timedOut(): boolean;
  /** Whether it killed the process. */
  killed(): boolean;
  /** The program waits for its caller, which takes nothing of its time. */
  pause(): void;
  /** The program goes on with the rest of its time. */
  resume(): void;
  release(): void;
}

/**
 * Watches over a run: kills it at the wall-clock limit, or some time after its caller has
 * disconnected.
 */
export function watchOver(isolate: Isolate, timers: Timers, bounds: RunBounds): Watchdog {
  const { wallMs, cancelGraceMs, signal, monotonic } = bounds;
  let timedOut = false;
  let gone = false;
  let left = wallMs;
  let since = 0;
  let cancelLimit = () => {};
  const start = () => {
    since = monotonic();
    cancelLimit = timers.after(left, () => {
      timedOut = true;
      isolate.kill();
    });
  };
  const pause = () => {
    cancelLimit();
    left = Math.max(0, left - (monotonic() - since));
  };
  start();
  const cancels = [() => cancelLimit()];
  const onAbort = () => {
    cancels.push(timers.after(cancelGraceMs, () => {
      gone = true;
      isolate.kill();
    }));
  };
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });
  return {
    timedOut: () => timedOut,
    killed: () => timedOut || gone,
    pause,
    resume: start,
    release: () => {
      for (const cancel of cancels) cancel();
      signal?.removeEventListener("abort", onAbort);
    },
  };
}
