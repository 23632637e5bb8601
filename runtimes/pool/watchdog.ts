/**
 * The watchdog of one run, which ends it by killing its process.
 *
 * @module
 */
import type { Timers } from "../../wire/timers.ts";
import type { Isolate } from "./isolate.ts";

/** When a run is ended. */
export interface RunBounds {
  /** Longest time of the run, in milliseconds. */
  readonly wallMs: number;
  /** Time it has to end by itself once its caller is gone, in milliseconds. */
  readonly cancelGraceMs: number;
  /** Tells that the caller has gone. */
  readonly signal: AbortSignal | undefined;
}

/** What watches over a run until it is released. */
export interface Watchdog {
  /** Whether it killed the process at the wall clock. */
  timedOut(): boolean;
  /** Whether it killed the process. */
  killed(): boolean;
  release(): void;
}

/** Watches over a run: kills at the wall clock, or some time after the caller left. */
export function watchOver(isolate: Isolate, timers: Timers, bounds: RunBounds): Watchdog {
  const { wallMs, cancelGraceMs, signal } = bounds;
  let timedOut = false;
  let gone = false;
  const cancels = [
    timers.after(wallMs, () => {
      timedOut = true;
      isolate.kill();
    }),
  ];
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
    release: () => {
      for (const cancel of cancels) cancel();
      signal?.removeEventListener("abort", onAbort);
    },
  };
}
