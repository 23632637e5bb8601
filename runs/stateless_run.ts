/**
 * Runs without a context whose programs can wait.
 *
 * @module
 */
import type { ExecuteRequest, ExecutionResult } from "../client/protocol/types.ts";
import type { RuntimeBinding } from "../shared/binding.ts";
import { runtimeUnavailable, ServiceError, validationFailed } from "../shared/errors.ts";
import type { WithRunTools } from "../shared/operator_tools.ts";
import { describeCause, type Log } from "../shared/log.ts";
import { AttemptEnded, RunDiverged } from "../shared/run_calls.ts";
import type { ProgramRun } from "./program_run.ts";
import {
  ReplayLimit,
  RunCancelled,
  type RunEnd,
  RunOutdated,
  type RunResult,
  type StoredHistory,
} from "./run_terms.ts";
import type { RunOrder, RunTable } from "./run_table.ts";
import { type RunStore, StatelessStorage } from "./stateless_storage.ts";
import type { KnownRun, RunBeginning } from "./stored_run.ts";

/** A run to begin. */
export interface StatelessOrder {
  readonly binding: RuntimeBinding;
  readonly tenant: string;
  readonly request: WithRunTools<ExecuteRequest>;
  /** The most fuel that a run can have, where the binding does not know; `Infinity`: its runtime limits it. */
  readonly fuel: number;
  /** Gives back the place that the run has already. */
  readonly leave: (() => void) | undefined;
  /** Maps what is thrown by the runtime to an error for the caller. */
  readonly failure: (thrown: unknown, signal: AbortSignal) => Error;
}

/**
 * Begins a run without a context. One that is `durable` is stored before.
 *
 * @throws {ServiceError} `RATE_LIMITED`; of a durable run also `NO_SPACE`, and `VALIDATION_FAILED` where
 * nothing can be stored.
 */
export async function beginStateless(table: RunTable, order: StatelessOrder): Promise<ProgramRun> {
  try {
    table.checkNotify(order.request.calls);
  } catch (thrown) {
    order.leave?.();
    throw thrown;
  }
  if (order.request.calls?.durable !== true) {
    return await table.begin(statelessOrder(order, undefined));
  }
  if (table.store === undefined) {
    order.leave?.();
    throw validationFailed("durable needs a service that stores contexts");
  }
  return await table.beginStored(statelessOrder(order, table.store));
}

/**
 * The error for the caller of a run whose runtime has thrown. The log gets a failure of the runtime,
 * with `fields`; a call that its caller aborted is none.
 */
export function runtimeFailure(
  thrown: unknown,
  caller: AbortSignal | undefined,
  log: Log,
  fields: { readonly language?: string } = {},
): Error {
  if (thrown instanceof ServiceError || thrown instanceof AttemptEnded) return thrown;
  if (caller?.aborted !== true) {
    log("error", "runtime call failed", { ...fields, ...describeCause(thrown) });
  }
  return runtimeUnavailable();
}

/** The order of a run without a context. `store`: of a durable one; `stored`: another process began it. */
export function statelessOrder(
  order: StatelessOrder,
  store: RunStore | undefined,
  stored?: { readonly history: StoredHistory; readonly known: KnownRun },
): RunOrder {
  const { binding, tenant, request, leave } = order;
  const { calls: { notify, ...calls } = {}, ...program } = request;
  let storage: StatelessStorage | undefined;
  const ended = async (end: RunResult): Promise<RunEnd> => {
    await storage?.end(end.body);
    return end;
  };
  return {
    terms: {
      tenant,
      language: binding.language,
      engine: binding.engine,
      code: request.code,
      calls,
      notify,
      fuel: request.limits?.fuel ?? binding.mostRunLimits?.fuel ?? order.fuel,
      clock: request.clock,
    },
    leave,
    history: stored?.history,
    storage: store && ((run) => {
      const beginning = beginningOf({ ...program, calls }, run.terms);
      storage = new StatelessStorage(store, run, beginning, stored?.known);
      return storage.history;
    }),
    attempt: async (calls, listener, signal) => {
      try {
        const answer = await binding.execute(program, { tenant, signal, listener, calls });
        if (answer.status !== 200) throw runtimeUnavailable();
        const timing = answer.headers.get("server-timing");
        return await ended({
          body: await answer.text(),
          headers: timing === null ? {} : { "server-timing": timing },
        });
      } catch (thrown) {
        throw thrown instanceof RunOutdated ? thrown : order.failure(thrown, signal);
      }
    },
    failed: async (run, thrown) =>
      await ended({ body: JSON.stringify(failedResult(run, thrown)), headers: {} }),
    ended: async (end, signal) => {
      await storage?.history.release();
      const state = voidState(end, signal);
      if (state !== undefined) await storage?.history.remove(state);
    },
  };
}

/** The beginning of a run as it is stored. */
function beginningOf(
  { envVars, typescript, ...request }: WithRunTools<ExecuteRequest>,
  { seed, waitMs, key }: ProgramRun["terms"],
): RunBeginning {
  return {
    request: { ...request, envVars: [...envVars] },
    ...(typescript ? { typescript } : {}),
    seed: [...seed],
    key,
    waitMs,
  };
}

/** The state of a run that has ended without a result, by itself or by its caller. */
export function voidState(
  end: RunEnd,
  signal: AbortSignal,
): "failed" | "cancelled" | undefined {
  if (!isVoid(end, signal)) return undefined;
  return signal.aborted && signal.reason instanceof RunCancelled ? "cancelled" : "failed";
}

function isVoid(end: RunEnd, signal: AbortSignal): boolean {
  const isVoid = "error" in end || end.status !== undefined;
  const { reason } = signal;
  if (!isVoid || ("error" in end && end.error instanceof RunOutdated)) return false;
  // a service that stops leaves its runs to others
  return !(signal.aborted && reason instanceof ServiceError && reason.code === "OVERLOADED");
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
    usage: { fuelConsumed: run.use.fuel, fuelLimit: fuel, memoryBytes: run.use.memoryBytes },
  };
}
