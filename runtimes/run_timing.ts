/**
 * The timing of a run, as the pool and the isolate report it.
 *
 * @module
 */
import type { RunTiming } from "../shared/run_timing.ts";
import type { PoolRun } from "./pool/pool_options.ts";

/** The phases of a run. */
export function timingOf(ran: PoolRun): RunTiming {
  const answer = ran.end === "answered" ? ran.run.answer : undefined;
  return {
    queueMs: ran.queueMs,
    resetMs: answer?.head.resetMs ?? 0,
    runMs: answer?.head.durationMs ?? ran.runMs,
  };
}
