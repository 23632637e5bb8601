/**
 * The state of an engine between runs: whether the instance is as the baseline has it, whether a
 * run left it in the middle of a call, and how much fuel, memory and time a run took.
 *
 * @module
 */
import type { Ending, OutputSink, RunOutcome, RunRequest } from "./engine.ts";
import type { RunRandom } from "./run_random.ts";

/** The parts that differ between engines. */
export interface EngineRunsOptions {
  /** Monotonic milliseconds. */
  monotonic(): number;
  /** Bytes of the instance's linear memory, as it is now. */
  memoryBytes(): number;
  /** The guest's source of random bytes. */
  readonly random: Pick<RunRandom, "start">;
  /** Puts the baseline back. A broken instance was interrupted during a call. */
  restore(isBroken: boolean): void;
  /** Executes one program with so much fuel. Never throws for anything a guest does. */
  execute(request: RunRequest, fuel: bigint, output: OutputSink): ExecutionReport;
}

/** An engine's report of one executed program. */
export interface ExecutionReport {
  readonly ending: Ending;
  /** Units of fuel that were left; less than zero where it ran out. */
  readonly fuelLeft: bigint;
}

/** The runs of one engine, one after the other. */
export class EngineRuns {
  readonly #options: EngineRunsOptions;
  #isPristine = true;
  #isBroken = false;

  constructor(options: EngineRunsOptions) {
    this.#options = options;
  }

  /** The instance is as the baseline has it. */
  get isPristine(): boolean {
    return this.#isPristine;
  }

  /** A call into the instance was interrupted: only a reset recovers the instance. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** To be called before anything changes the instance. */
  touch(): void {
    this.#isPristine = false;
  }

  /** To be called when a call into the instance was left by an exception or a stop. */
  break(): void {
    this.#isBroken = true;
  }

  /** Puts the baseline back, unless nothing has changed since. */
  reset(): void {
    if (this.#isPristine) return;
    this.#options.restore(this.#isBroken);
    this.#isBroken = false;
    this.#isPristine = true;
  }

  /** Executes one program and measures it. */
  run(request: RunRequest, output: OutputSink): RunOutcome {
    const options = this.#options;
    const started = options.monotonic();
    const limit = BigInt(request.limits.fuel);
    options.random.start(request.seed ?? request.calls?.seed);
    const { ending, fuelLeft } = options.execute(request, limit, output);
    return {
      ending,
      fuelConsumed: Number(consumed(limit, fuelLeft)),
      memoryBytes: options.memoryBytes(),
      durationMs: options.monotonic() - started,
      intact: !this.#isBroken,
    };
  }
}

function consumed(limit: bigint, left: bigint): bigint {
  if (left < 0n) return limit;
  return left < limit ? limit - left : 0n;
}
