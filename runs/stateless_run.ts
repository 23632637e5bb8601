/**
 * Runs without a context whose programs can wait.
 *
 * @module
 */
import type { ExecuteRequest, ExecutionResult } from "../client/protocol/types.ts";
import type { RuntimeBinding } from "../shared/binding.ts";
import { runtimeUnavailable } from "../shared/errors.ts";
import { RunDiverged } from "../shared/run_calls.ts";
import type { ProgramRun } from "./program_run.ts";
import { ReplayLimit, type RunEnd } from "./run_terms.ts";
import type { RunTable } from "./run_table.ts";

/** A run to begin. */
export interface StatelessOrder {
  readonly binding: RuntimeBinding;
  readonly tenant: string;
  readonly request: ExecuteRequest;
  /** The most fuel that a run can have, where the binding does not know. */
  readonly fuel: number;
  /** Gives back the place that the run has already. */
  readonly leave: () => void;
  /** Maps what is thrown by the runtime to an error for the caller. */
  readonly failure: (thrown: unknown, signal: AbortSignal) => Error;
}

/** Begins a run without a context. */
export function beginStateless(table: RunTable, order: StatelessOrder): ProgramRun {
  const { binding, tenant, request, leave } = order;
  const { calls = {}, ...program } = request;
  return table.begin({
    terms: {
      tenant,
      language: binding.language,
      engine: binding.engine,
      code: request.code,
      calls,
      fuel: request.limits?.fuel ?? binding.mostRunLimits?.fuel ?? order.fuel,
      clock: request.clock,
    },
    leave,
    attempt: async (calls, listener, signal) => {
      try {
        const answer = await binding.execute(program, { tenant, signal, listener, calls });
        if (answer.status !== 200) throw runtimeUnavailable();
        const timing = answer.headers.get("server-timing");
        return {
          body: await answer.text(),
          headers: timing === null ? {} : { "server-timing": timing },
        };
      } catch (thrown) {
        throw order.failure(thrown, signal);
      }
    },
    failed: (run, thrown) => Promise.resolve(failedRun(run, thrown)),
  });
}

/** The end of a run whose attempts did not come to their end; throws what is no result. */
function failedRun(run: ProgramRun, thrown: unknown): RunEnd {
  return { body: JSON.stringify(failedResult(run, thrown)), headers: {} };
}

/** The result of a run that cannot go on; throws what is no result. */
export function failedResult(run: ProgramRun, thrown: unknown): ExecutionResult {
  const { code, language, engine, fuel } = run.terms;
  const error = thrown instanceof RunDiverged
    ? {
      name: "RunDivergedError",
      message: "The program did not make the same calls again",
      traceback: [],
    }
    : thrown instanceof ReplayLimit
    ? { name: "ExecutionLimitError", message: "Replay limit reached", traceback: [] }
    : undefined;
  if (error === undefined) throw thrown;
  return {
    code,
    language,
    engine,
    durationMs: run.computedMs,
    logs: run.events.logs(),
    results: [],
    error,
    usage: { fuelConsumed: run.fuel, fuelLimit: fuel, memoryBytes: 0 },
  };
}
