/**
 * A wait that ends with its caller or after some time.
 *
 * @module
 */
import type { Timers } from "../shared/timers.ts";

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
