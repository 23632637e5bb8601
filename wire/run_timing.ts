/**
 * Where the time of a run went, as its answer's `Server-Timing` header tells it.
 *
 * @module
 */

/** Parts of a run's time, in milliseconds. */
export interface RunTiming {
  /** Waiting for an isolate. */
  readonly queueMs: number;
  /** Putting back the image, or the state of the context. */
  readonly resetMs: number;
  /** The run itself. */
  readonly runMs: number;
}

/** The value of the header. */
export function serverTiming({ queueMs, resetMs, runMs }: RunTiming): string {
  const parts = { queue: queueMs, reset: resetMs, run: runMs };
  return Object.entries(parts).map(([name, ms]) => `${name};dur=${ms.toFixed(3)}`).join(", ");
}
