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

/** How an engine is warmed up. */
export interface WarmUpOptions {
  /** Whether programs begin on the second baseline. @default {false} */
  readonly preloaded?: boolean;
  /** Whether there is time for another program. @default {always} */
  readonly hasTime?: () => boolean;
}

/**
 * Runs the programs in order, each from a baseline, and leaves the engine at the plain one. Without time,
 * it leaves out the rest. Throws a RangeError when the engine has no second baseline, and needs it.
 */
export function warmUp(
  engine: Engine,
  programs: readonly string[],
  { preloaded = false, hasTime = () => true }: WarmUpOptions = {},
): void {
  if (preloaded) engine.reset(true);
  for (const code of programs) {
    if (!hasTime()) break;
    engine.run({ code, env: new Map(), typescript: false, preloaded, limits: LIMITS }, () => true);
    engine.reset();
  }
  if (preloaded) engine.reset(false);
}
