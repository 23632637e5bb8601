/**
 * Timers are passed in like the clock: code that waits takes {@link Timers}, so that tests control
 * them.
 *
 * @module
 */

/** Calls once, later. The returned function cancels the call. */
export interface Timers {
  /** `background`: the call alone does not keep the process alive. */
  after(ms: number, call: () => void, background?: boolean): () => void;
}

/** Timers of the runtime. */
export const systemTimers: Timers = {
  after(ms, call, background = false) {
    const id = setTimeout(call, ms);
    if (background) Deno.unrefTimer(id);
    return () => clearTimeout(id);
  },
};

/** Resolves after `ms`; rejects with the signal's reason if it aborts first. */
export function pause(timers: Timers, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = timers.after(ms, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
