/**
 * Stateless runs of one language: from the parsed request to the answer.
 *
 * @module
 */
import type { ExecuteRequest, ExecutionResult, Language } from "../client/protocol/types.ts";
import type { RunCaller } from "../shared/binding.ts";
import { runtimeUnavailable } from "../shared/errors.ts";
import type { LanguageLimits } from "../shared/limits.ts";
import { clientGone, jsonResponse } from "../shared/responses.ts";
import { recordRun } from "../shared/run_account.ts";
import { serverTiming } from "../shared/run_timing.ts";
import { effectiveLimits } from "../shared/run_limits.ts";
import {
  chargedMs,
  checkAttempt,
  type ExecutionFrame,
  executionResult,
  killedResult,
  runRequest,
  timingOf,
} from "./execution.ts";
import type { RunRequest } from "./engine/engine.ts";
import type { BaselineChoice } from "./imported_packages.ts";
import type { PoolRun } from "./pool/pool_options.ts";

/** Dependencies of stateless runs. */
export interface StatelessRunsOptions {
  readonly language: Language;
  /** Engine name and version, as results show it. */
  readonly engine: string;
  readonly limits: LanguageLimits;
  /** @default {there is one baseline} */
  readonly preloaded?: BaselineChoice;
  run(request: RunRequest, caller: RunCaller): Promise<PoolRun>;
  /** Called when a tenant's run cost a process, with the milliseconds that it ran. */
  readonly onKill: (tenant: string, runMs: number) => void;
}

/** Runs a program and answers like `POST /execute`. Throws a ServiceError when it cannot. */
export type StatelessRuns = (request: ExecuteRequest, caller: RunCaller) => Promise<Response>;

/** Creates the stateless runs of a language. */
export function statelessRuns(options: StatelessRunsOptions): StatelessRuns {
  const { language, engine, limits } = options;
  return async (request, caller) => {
    const held = effectiveLimits(limits, request.limits);
    const { code, envVars: env, typescript, stdin, repr } = request;
    const preloaded = options.preloaded?.({ code, variables: env.keys() });
    const program = { code, env, typescript, stdin, repr, preloaded, replay: request };
    const ran = await ranFor(caller, () => options.run(runRequest(program, held), caller));
    if (ran === undefined) return clientGone();
    if (ran.killed) options.onKill(caller.tenant, chargedMs(ran, held));
    checkAttempt(ran);
    const result = resultOf({ code, language, engine }, ran, held);
    if (result === undefined) return clientGone();
    recordRun(result.usage?.fuelConsumed);
    return jsonResponse(result, { headers: { "server-timing": serverTiming(timingOf(ran)) } });
  };
}

/** Undefined when the caller disconnected before the run started. */
async function ranFor(
  { signal }: RunCaller,
  run: () => Promise<PoolRun>,
): Promise<PoolRun | undefined> {
  try {
    return await run();
  } catch (thrown) {
    if (signal?.aborted && thrown === signal.reason) return undefined;
    throw thrown;
  }
}

function resultOf(
  frame: ExecutionFrame,
  ran: PoolRun,
  limits: LanguageLimits,
): ExecutionResult | undefined {
  if (ran.end === "answered" && ran.run.answer !== undefined) {
    return executionResult(frame, ran.run.answer, ran.run.output, limits);
  }
  if (ran.end === "wall clock") return killedResult(frame, ran.run.output, ran.runMs, limits);
  if (ran.end === "cancelled") return undefined;
  throw runtimeUnavailable();
}
