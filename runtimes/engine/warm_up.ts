/**
 * Runs a few programs before the first guest's: V8 compiles functions of a module when they are
 * first called, and the first guest should not wait for that.
 *
 * @module
 */
import type { Engine, RunLimits } from "./engine.ts";

/** More than any warm-up program needs. */
const LIMITS: RunLimits = {
  fuel: 10_000_000_000,
  outputBytes: 10_000,
  outputLines: 1_000,
  resultBytes: 10_000,
  tracebackBytes: 10_000,
  displayBytes: 10_000,
  wallMs: 10_000,
};

/** Runs the programs in order, each from the baseline, and leaves the engine at its baseline. */
export function warmUp(engine: Engine, programs: readonly string[]): void {
  for (const code of programs) {
    engine.run({ code, env: new Map(), typescript: false, limits: LIMITS }, () => true);
    engine.reset();
  }
}
