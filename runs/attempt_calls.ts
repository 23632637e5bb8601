/**
 * The caller's side of one attempt of a run, as isolates see it.
 *
 * @module
 */
import type { Delivery, ProgramCall, ProgramWait, RunCalls } from "../shared/run_calls.ts";
import type { RunTerms } from "./run_terms.ts";

/** One attempt. */
export interface AttemptParts {
  /** Deliveries of earlier attempts. */
  readonly delivered: readonly Delivery[];
  /** A delivery in the types of the program's language. */
  readonly typed: (delivery: Delivery) => Delivery;
  readonly called: (call: ProgramCall) => void;
  /** Waits until something ends a wait; undefined when the signal fires first. */
  readonly next: (wait: ProgramWait, signal: AbortSignal) => Promise<Delivery | undefined>;
  /** Whether the program made other calls than before. */
  readonly hasDiverged: () => boolean;
  /** The wait failed. */
  readonly onFailure: (thrown: unknown) => void;
}

/**
 * Makes the caller's side. `startMs`: when the program begins by its journal, in epoch milliseconds; the
 * program's clock may be another one.
 */
export function attemptCalls(
  { calls: { tools, interactive = false }, seed, clock }: RunTerms,
  startMs: number,
  { delivered, typed, called, next, hasDiverged, onFailure }: AttemptParts,
): RunCalls {
  const shift = clock === undefined ? 0 : clock - startMs;
  const shifted = (delivery: Delivery) => typed({ ...delivery, atMs: delivery.atMs + shift });
  return {
    tools,
    interactive,
    seed,
    startMs: startMs + shift,
    recorded: delivered.map(shifted),
    called,
    wait: async (wait, isRecorded, signal) => {
      if (isRecorded || hasDiverged()) return undefined;
      try {
        const delivery = await next(wait, signal);
        return delivery && shifted(delivery);
      } catch (thrown) {
        onFailure(thrown);
        return undefined;
      }
    },
  };
}
