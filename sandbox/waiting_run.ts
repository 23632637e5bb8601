/**
 * Runs in contexts whose programs can wait: they go on by themselves once they have their turn, and
 * their callers follow them (docs/calls.md).
 *
 * @module
 */
import type { RunEnd } from "../runs/run_terms.ts";
import type { ProgramRun } from "../runs/program_run.ts";
import { failedResult } from "../runs/stateless_run.ts";
import type { InterpreterExecuteResponse } from "../shared/run_in_context.ts";
import { serverTiming } from "../shared/run_timing.ts";
import type { SandboxExecuteRequest } from "../shared/sandbox_types.ts";
import { WaitBudget } from "../shared/wait_budget.ts";
import type { ContextClaim } from "./context_claim.ts";
import type { OperationOptions } from "./operation_options.ts";
import type { SandboxAddress } from "./root_record.ts";
import { commitRun, executionResult } from "./run_commit.ts";
import { runAtRuntime } from "./runtime_run.ts";
import type { RunKey } from "./stored_answers.ts";
import { afterRun, beforeRun } from "./store_waits.ts";

/** A run that has its turn and its place, both of which it gives back itself. */
export interface WaitingOrder {
  readonly request: SandboxExecuteRequest;
  readonly claim: ContextClaim;
  readonly key: RunKey | undefined;
  /** Gives the place back. */
  readonly leave: () => void;
}

/** Begins a run in a context. */
export function beginInContext(
  options: OperationOptions,
  address: SandboxAddress,
  { request, claim, key, leave }: WaitingOrder,
): ProgramRun {
  const { context } = claim.found;
  const { calls = {}, ...program } = request;
  const binding = options.bindings.get(context.binding);
  const ended = async (result: InterpreterExecuteResponse, at: Pick<ContextClaim, "state">) => {
    const tree = await options.stored.tree(at.state.record);
    const wait = budget(options);
    const run = { ...claim, ...at, tree, result, key, signal: claim.run.signal };
    const commit = () => commitRun(options, address, run);
    const committed = await afterRun(options, wait, commit);
    await options.onStep("committed");
    const { timing } = result;
    return {
      body: JSON.stringify(executionResult(result, committed)),
      headers: timing === undefined ? {} : { "server-timing": serverTiming(timing) },
    };
  };
  const run = options.waiting.begin({
    terms: {
      tenant: address.tenant,
      language: binding.language,
      engine: binding.engine,
      code: request.code,
      calls,
      fuel: request.limits?.fuel ?? binding.mostRunLimits?.fuel ?? 0,
      clock: request.clock,
      context: { sandbox: address.id, contextId: context.id },
    },
    leave,
    attempt: async (calls, listener, signal): Promise<RunEnd> => {
      const wait = budget(options);
      const attempt = { ...claim, run: { ...claim.run, signal }, wait, listener, calls };
      const { outcome, state } = await beforeRun(
        wait,
        () => runAtRuntime(options, address, program, attempt),
      );
      await options.onStep("ran");
      signal.throwIfAborted();
      if (outcome.ok) return await ended(outcome.result, { state });
      const { status, body } = outcome;
      return { body: JSON.stringify(body), headers: {}, status };
    },
    failed: async (run, thrown) => {
      const result = failedResult(run, thrown);
      const { record } = claim.state;
      const { dirs } = (await options.stored.tree(record)).manifest;
      return await ended({
        ...result,
        executionCount: context.executions + 1,
        context: {
          id: context.id,
          cwd: context.cwd,
          executions: context.executions + 1,
          snapshot: context.snapshot,
          rolledBack: true,
        },
        workspace: { dirs, files: [], deleted: [] },
        snapshotRef: context.snapshotRef,
      }, claim);
    },
    ended: async () => {
      claim.run.signal.removeEventListener("abort", onAbort);
      claim.run.leave();
      await claim.lease.release();
    },
  });
  const onAbort = () => run.cancel(claim.run.signal.reason);
  claim.run.signal.addEventListener("abort", onAbort);
  return run;
}

function budget({ limits, clock }: OperationOptions): WaitBudget {
  return new WaitBudget(limits.maxWaitMs, clock);
}
