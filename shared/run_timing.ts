/**
 * The phases of a run, for the `Server-Timing` header of its answer.
 *
 * @module
 */

/** Parts of a run's time, in milliseconds. */
export interface RunTiming {
  /** Waiting for an isolate. */
  readonly queueMs: number;
  /** Restoring the baseline, or the state of the context. */
  readonly resetMs: number;
  /** The run itself. */
  readonly runMs: number;
}

/** The value of the header. */
export function serverTiming({ queueMs, resetMs, runMs }: RunTiming): string {
  const parts = { queue: queueMs, reset: resetMs, run: runMs };
  return Object.entries(parts).map(([name, ms]) => `${name};dur=${ms.toFixed(3)}`).join(", ");
}
