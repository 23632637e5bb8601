/**
 * Runs in contexts whose programs can wait: they go on by themselves once they have their turn, and
 * their callers follow them (docs/calls.md).
 *
 * @module
 */
import type { KnownRun } from "../runs/stored_run.ts";
import type { RunOrder } from "../runs/run_table.ts";
import { RunCancelled, type RunEnd, RunOutdated, type StoredHistory } from "../runs/run_terms.ts";
import { failedResult, voidState } from "../runs/stateless_run.ts";
import type { InterpreterExecuteResponse } from "../shared/run_in_context.ts";
import type { ErrorResponse } from "../client/protocol/types.ts";
import { runtimeUnavailable, ServiceError } from "../shared/errors.ts";
import { recordRun } from "../shared/run_account.ts";
import { serverTiming } from "../shared/run_timing.ts";
import type { WithRunTools } from "../shared/operator_tools.ts";
import type { SandboxExecuteRequest } from "../shared/sandbox_types.ts";
import { StoreUnavailable } from "../shared/store_errors.ts";
import { WaitBudget } from "../shared/wait_budget.ts";
import type { Lease } from "../store/lease.ts";
import { firstInQueue } from "./context_queue.ts";
import type { FoundContext } from "./contexts.ts";
import type { OperationOptions } from "./operation_options.ts";
import type { SandboxAddress, SandboxState } from "./root_record.ts";
import { commitRun, executionResult } from "./run_commit.ts";
import { ContextRunStorage, type QueuedOrder, type RunStart } from "./run_storage.ts";
import type { RunInFlight } from "./runs_in_flight.ts";
import { runAtRuntime } from "./runtime_run.ts";
import type { RunKey } from "./stored_answers.ts";
import { afterRun, beforeRun } from "./store_waits.ts";

/** A run, which gives back itself what it has. */
export interface WaitingOrder {
  readonly request: WithRunTools<SandboxExecuteRequest>;
  readonly found: FoundContext;
  /** The sandbox at its beginning. */
  readonly base: SandboxState;
  /** Of a run that has its turn; it enters when it begins otherwise. */
  readonly run?: RunInFlight | undefined;
  readonly key: RunKey | undefined;
  /** Of a run that has its turn. */
  readonly lease?: Lease | undefined;
  /** Gives the place back that the run has. */
  readonly leave?: (() => void) | undefined;
  /** Of a run that is answered before it has its turn. */
  readonly queued?: QueuedOrder | undefined;
  /** Of a run that another process began. */
  readonly stored?: { readonly history: StoredHistory; readonly known: KnownRun } | undefined;
}

/** The order of a run in a context. */
export function contextOrder(
  options: OperationOptions,
  address: SandboxAddress,
  order: WaitingOrder,
): RunOrder {
  const { request, key, lease, leave, queued, stored } = order;
  let inFlight = order.run;
  // of a run in a queue, until it has its turn: its context as of the request
  let { found, base }: RunStart = order;
  const { lifetime, context } = found;
  const { calls: { notify, ...calls } = {}, ...program } = request;
  const binding = options.bindings.get(context.binding);
  let storage: ContextRunStorage | undefined;
  let onAbort: (() => void) | undefined;
  const ended = async (result: InterpreterExecuteResponse, signal: AbortSignal) => {
    const tree = await options.stored.tree(base.record);
    const held = storage?.history.lease;
    if (held === undefined) throw new RunOutdated();
    const committed = await afterRun(
      options,
      budget(options),
      async () =>
        await commitRun(options, address, {
          lease: held,
          found,
          state: storage?.isStored === true ? await options.stored.read(address) : base,
          tree,
          result,
          key,
          signal,
          ends: (draft, body) => storage?.end(draft, body) ?? Promise.resolve(),
        }),
    );
    await options.onStep("committed");
    const { timing } = result;
    recordRun(result.usage?.fuelConsumed);
    return {
      body: JSON.stringify(executionResult(result, committed)),
      headers: timing === undefined ? {} : { "server-timing": serverTiming(timing) },
    };
  };
  return {
    terms: {
      tenant: address.tenant,
      language: binding.language,
      engine: binding.engine,
      code: request.code,
      calls,
      notify,
      fuel: request.limits?.fuel ?? binding.mostRunLimits?.fuel ?? Infinity,
      clock: request.clock,
      key,
      context: { sandbox: address.id, contextId: context.id },
    },
    leave,
    history: stored?.history,
    storage: (run) => {
      const { seed, waitMs } = run.terms;
      const { envVars } = request;
      storage = new ContextRunStorage({
        options,
        address,
        found,
        base: base.record,
        run,
        beginning: {
          request: {
            ...program,
            envVars: [...envVars],
            ...(request.calls === undefined ? {} : { calls }),
          },
          seed: [...seed],
          key,
          waitMs,
        },
        lease,
        known: stored?.known,
        queued,
        onStart: (start) => ({ found, base } = start),
      });
      return storage.history;
    },
    attempt: async (calls, listener, signal): Promise<RunEnd> => {
      const wait = budget(options);
      const held = storage?.history.lease;
      if (held === undefined || inFlight === undefined) throw new RunOutdated();
      const entered = inFlight;
      const { outcome } = await beforeRun(wait, () =>
        runAtRuntime(options, address, program, {
          lease: held,
          found,
          state: base,
          isPinned: storage?.isStored === true,
          run: { ...entered, signal },
          wait,
          listener,
          // one that only goes on without its caller is like any other
          calls: request.calls === undefined ? undefined : calls,
        }));
      await options.onStep("ran");
      signal.throwIfAborted();
      if (outcome.ok) return await ended(outcome.result, signal);
      const { status, body } = outcome;
      throwIfPassing(body);
      return { body: JSON.stringify(body), headers: {}, status };
    },
    began: (run) => {
      const entered = inFlight ??= options.runs.enter(lifetime, context.id, NEVER);
      onAbort = () => run.cancel(asError(entered.signal.reason));
      entered.signal.addEventListener("abort", onAbort, { once: true });
      if (entered.signal.aborted) onAbort();
    },
    failed: async (run, thrown) => {
      const result = failedResult(run, thrown);
      const { dirs } = (await options.stored.tree(base.record)).manifest;
      const { context } = found;
      const executions = context.executions + 1;
      return await ended({
        ...result,
        executionCount: executions,
        context: {
          id: context.id,
          cwd: context.cwd,
          executions,
          snapshot: context.snapshot,
          rolledBack: true,
        },
        workspace: { dirs, files: [], deleted: [] },
        snapshotRef: context.snapshotRef,
      }, run.signal);
    },
    ended: async (end, signal) => {
      if (onAbort !== undefined) inFlight?.signal.removeEventListener("abort", onAbort);
      inFlight?.leave();
      await storage?.history.release();
      const state = voidState(end, signal);
      if (state !== undefined) await storage?.remove(state);
      await wakeNext(options, address, { lifetime, context }).catch(ignoreFault);
    },
  };
}

/** Lets the run that is next in the queue of a context begin, now that another one is over. */
async function wakeNext(
  options: OperationOptions,
  address: SandboxAddress,
  { lifetime, context: { id } }: FoundContext,
): Promise<void> {
  const { kv, queues, stored, waiting } = options;
  queues.notify(lifetime, id);
  const { record } = stored.cache.last(address) ?? await stored.read(address);
  const context = record?.contexts.find((each) => each.id === id);
  if (record?.lifetime !== lifetime || context?.queue === undefined) return;
  const first = await firstInQueue(kv, context.queue);
  if (first === undefined || context.waiting !== undefined) return;
  waiting.wake(await waiting.find(address.tenant, first.run));
}

/** The janitor wakes it. */
function ignoreFault(thrown: unknown): void {
  const isPassing = thrown instanceof ServiceError || thrown instanceof StoreUnavailable ||
    thrown instanceof RunOutdated;
  if (!isPassing) throw thrown;
}

/** Throws the failures after which a run that has waited is attempted again. */
function throwIfPassing({ code, message, context }: ErrorResponse): void {
  if (code === "INTERNAL_ERROR") throw runtimeUnavailable();
  if (code === "RATE_LIMITED" || code === "OVERLOADED") {
    throw new ServiceError(code, message, { context });
  }
}

const NEVER: AbortSignal = new AbortController().signal;

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new RunCancelled("the run was ended");
}

function budget({ limits, clock }: OperationOptions): WaitBudget {
  return new WaitBudget(limits.maxWaitMs, clock);
}
