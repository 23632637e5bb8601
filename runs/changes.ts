/**
 * The changes of a run, for those who wait for the next one.
 *
 * @module
 */
import type { Timers } from "../shared/timers.ts";

/** The longest time that timers of the runtime can wait, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The changes of one run. */
export class Changes {
  #listeners = new Set<() => void>();

  /** Calls once with the next change. */
  onNext(call: () => void): void {
    this.#listeners.add(call);
  }

  /** Something has changed. */
  notify(): void {
    const listeners = this.#listeners;
    this.#listeners = new Set();
    for (const call of listeners) call();
  }

  /** Waits for the next change, the signal, or so many milliseconds. */
  next(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        cancel?.();
        signal.removeEventListener("abort", wake);
        this.#listeners.delete(wake);
        resolve();
      };
      const cancel = ms === Infinity
        ? undefined
        : timers.after(Math.max(0, Math.min(ms, LONGEST_TIMER_MS)), wake);
      signal.addEventListener("abort", wake, { once: true });
      this.#listeners.add(wake);
    });
  }
}
