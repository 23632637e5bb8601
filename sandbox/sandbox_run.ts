/**
 * One run in a context, step by step: the lease of the context with the root record, the tenant's
 * place, files, variables, the run itself, one commit, the answer. No step can leave half of a run
 * behind.
 *
 * A small run of a resident context costs the store two commits: one that takes the lease, while
 * the sandbox is read, and one that holds the whole run, including the runtime's part if that is in
 * the same store. Where this process knows the state, it costs the second one alone
 * ({@link ./context_claim.ts}).
 *
 * @module
 */
import type { ProgramRun } from "../runs/program_run.ts";
import { beginStateless } from "../runs/stateless_run.ts";
import { inSpan } from "../telemetry/spans.ts";
import { retryAfter, validationFailed } from "../shared/errors.ts";
import { clientGone, jsonResponse } from "../shared/responses.ts";
import type { RunListener } from "../shared/run_listener.ts";
import { recordRun } from "../shared/run_account.ts";
import { serverTiming } from "../shared/run_timing.ts";
import { type WithRunTools, withRunTools } from "../shared/operator_tools.ts";
import type { SandboxExecuteRequest } from "../shared/sandbox_types.ts";
import { OutcomeUnknown, StoreUnavailable } from "../shared/store_errors.ts";
import type { ErrorResponse } from "../client/protocol/types.ts";
import { WaitBudget } from "../shared/wait_budget.ts";
import {
  claimContext,
  claimOptimistically,
  type ContextClaim,
  OutdatedState,
  type WaitingRun,
} from "./context_claim.ts";
import { type FoundContext, runtimeId, type WantedContext } from "./contexts.ts";
import { changedLayer } from "./env_layers.ts";
import {
  otherRequest,
  repeatedAnswer,
  type Repeater,
  type RunKey,
  runKey,
} from "./stored_answers.ts";
import type { OperationOptions } from "./operation_options.ts";
import type { SandboxAddress } from "./root_record.ts";
import { commitRun, executionResult } from "./run_commit.ts";
import { accepted, answerQueued, runInContext } from "./queued_run.ts";
import { checkRuns, type RunConditions } from "./run_conditions.ts";
import { CallerGone } from "./runs_in_flight.ts";
import { type AdmittedClaim, runArguments, runAtRuntime } from "./runtime_run.ts";
import { afterRun, beforeRun } from "./store_waits.ts";
import { contextOrder } from "./waiting_run.ts";

/** The caller of a run, and what its headers ask for. */
export interface RunCall extends Repeater {
  readonly listener?: RunListener | undefined;
  readonly conditions: RunConditions;
}

/** The inputs of a run in a context, in addition to its claim. */
interface RunTerms extends RunCall {
  readonly key: RunKey | undefined;
}

/** Runs code in a context, in the default context of a binding, or statelessly. */
export async function runInSandbox(
  options: OperationOptions,
  address: SandboxAddress,
  request: SandboxExecuteRequest,
  call: RunCall,
): Promise<Response> {
  const { contextId, binding, contextName } = request;
  if (contextId === undefined && binding === undefined) {
    throw validationFailed("Pass a context or a binding");
  }
  options.waiting.checkNotify(request.calls);
  const { signal: caller, listener, conditions: { idempotencyKey, expectedRuns } } = call;
  const key = runKey(idempotencyKey, request);
  const wait = new WaitBudget(options.limits.maxWaitMs, options.clock);
  let claim: ContextClaim | undefined;
  try {
    const known = key && await beforeRun(wait, () => options.changes.current(address));
    const repeated = key && known &&
      await beforeRun(wait, () => repeatedAnswer(options, known, key, call));
    if (repeated !== undefined) return repeated;
    const wanted = { contextId, binding, contextName, expectedRuns };
    if (request.calls !== undefined || call.conditions.respondAsync) {
      const ready = withRunTools(request, () => options.waiting.tools.of(address.tenant));
      return await runWithCalls(options, address, ready, { ...call, key, wanted, wait, known });
    }
    const quick = key === undefined && (listener?.mayRestart ?? true)
      ? await runOptimistically(options, address, request, { ...call, wanted, wait })
      : undefined;
    if (quick !== undefined) return quick;
    // before a default context is created
    if (contextId === undefined) options.bindings.limited(address.tenant, binding ?? "", request);
    claim = await claimInTurn(options, address, wanted, { caller, wait, known });
    if (claim === undefined) {
      const plain = { ...request, calls: undefined };
      return await runStatelessly(options, address, plain, { caller, wait, listener });
    }
    return await runClaimed(options, address, request, { ...claim, ...call, key, wait });
  } catch (thrown) {
    if (caller.aborted && (thrown instanceof CallerGone || thrown === caller.reason)) {
      return clientGone();
    }
    throw thrown;
  } finally {
    claim?.run.leave();
    await claim?.lease.release();
  }
}

/**
 * Runs a program that can wait for its caller. It goes on by itself once it has its turn and its place;
 * a caller that disconnects before the program first waits ends it.
 */
async function runWithCalls(
  options: OperationOptions,
  address: SandboxAddress,
  request: WithRunTools<SandboxExecuteRequest>,
  call: RunTerms & Pick<WaitingRun, "wait" | "known"> & { readonly wanted: WantedContext },
): Promise<Response> {
  const { signal: caller, listener, key, wait, wanted, known } = call;
  const going = new AbortController();
  const onGone = () => going.abort(caller.reason);
  caller.addEventListener("abort", onGone, { once: true });
  if (caller.aborted) onGone();
  const { signal } = going;
  if (wanted.contextId === undefined) {
    options.bindings.limited(address.tenant, wanted.binding ?? "", request);
  }
  const { respondAsync } = call.conditions;
  // the number of runs is known only once the run has its turn
  const queued = respondAsync && call.conditions.expectedRuns === undefined
    ? await answerQueued(options, address, request, call)
    : undefined;
  if (queued !== undefined) return queued;
  const claim = await claimInTurn(options, address, wanted, { caller: signal, wait, known });
  if (claim === undefined) {
    return await runStatelessly(options, address, request, { ...call, caller });
  }
  let run: ProgramRun | undefined;
  try {
    const repeated = key &&
      await beforeRun(wait, () => repeatedAnswer(options, claim.state, key, call));
    if (repeated !== undefined) return repeated;
    const same = await runInContext(options, address, claim.found, key);
    if (same !== undefined) {
      claim.run.leave();
      await claim.lease.release();
      if (respondAsync) return accepted(same);
      return await options.waiting.follow(same, { signal: caller, listener });
    }
    checkRuns(call.conditions.expectedRuns, claim.found.context);
    const limited = options.bindings.limited(
      address.tenant,
      claim.found.context.binding,
      request,
    );
    const leave = await options.admission.enter(address.tenant, claim.run.signal, wait.left());
    const { lease, found, state: base, run: inFlight } = claim;
    const goesOn = respondAsync || request.calls?.durable === true;
    const create = goesOn ? "beginStored" : "begin";
    run = await options.waiting[create](contextOrder(options, address, {
      request: limited,
      found,
      base,
      run: inFlight,
      key,
      lease,
      leave,
    }));
  } finally {
    if (run === undefined) {
      claim.run.leave();
      await claim.lease.release();
    }
  }
  caller.removeEventListener("abort", onGone);
  if (respondAsync) return accepted(run);
  return await options.waiting.followFromStart(run, { signal: caller, listener });
}

/** Runs on the state that this process knows. Undefined when the run has to begin otherwise. */
async function runOptimistically(
  options: OperationOptions,
  address: SandboxAddress,
  request: SandboxExecuteRequest,
  call: RunCall & { readonly wanted: WantedContext; readonly wait: WaitBudget },
): Promise<Response | undefined> {
  const claim = claimOptimistically(options, address, call.wanted, call.signal);
  if (claim === undefined) return undefined;
  try {
    await options.onStep("admitted");
    return await runClaimed(options, address, request, { ...call, ...claim, key: undefined });
  } catch (thrown) {
    if (!(thrown instanceof OutdatedState)) throw thrown;
    options.stored.cache.doubt(address);
    return undefined;
  } finally {
    claim.confirmation.end();
    claim.run.leave();
    await claim.lease.release();
  }
}

/**
 * A run that waits for its context counts among the tenant's waiting runs, not among its running
 * ones.
 */
async function claimInTurn(
  options: OperationOptions,
  address: SandboxAddress,
  wanted: WantedContext,
  waiting: WaitingRun,
): Promise<ContextClaim | undefined> {
  const stopWaiting = options.admission.wait(address.tenant);
  try {
    await options.onStep("admitted");
    const claim = () => claimContext(options, address, wanted, waiting);
    return await inSpan("turn", () => beforeRun(waiting.wait, claim));
  } finally {
    stopWaiting();
  }
}

async function runClaimed(
  options: OperationOptions,
  address: SandboxAddress,
  request: SandboxExecuteRequest,
  claim: AdmittedClaim & RunTerms,
): Promise<Response> {
  await options.onStep("leased");
  const { key } = claim;
  // the run that had the turn before may have been the first with this key
  const repeated = key &&
    await beforeRun(claim.wait, () => repeatedAnswer(options, claim.state, key, claim));
  if (repeated !== undefined) return repeated;
  const same = await runInContext(options, address, claim.found, key);
  if (same !== undefined) throw otherRequest(); // one that could not wait had another body
  checkRuns(claim.conditions.expectedRuns, claim.found.context);
  const limited = await confirmed(
    claim,
    () =>
      Promise.resolve(
        options.bindings.limited(address.tenant, claim.found.context.binding, request),
      ),
  );
  const leave = await options.admission.enter(address.tenant, claim.run.signal, claim.wait.left());
  try {
    const { wait } = claim;
    const run = await confirmed(
      claim,
      () => beforeRun(wait, () => runAtRuntime(options, address, limited, claim)),
    );
    await options.onStep("ran");
    if (!run.outcome.ok) {
      claim.run.signal.throwIfAborted();
      if (await claim.confirmation?.now() === false) throw new OutdatedState();
      return refusal(run.outcome, claim.found);
    }
    const { result } = run.outcome;
    const ended = { ...claim, ...run, result, signal: claim.run.signal };
    const commit = () => commitRun(options, address, ended);
    const committed = await inSpan(
      "commit",
      () => confirmed(claim, () => afterRun(options, wait, commit)),
    );
    await options.onStep("committed");
    const { timing } = result;
    const headers = timing === undefined ? {} : { "server-timing": serverTiming(timing) };
    recordRun(result.usage?.fuelConsumed);
    const answer = jsonResponse(executionResult(result, committed), { headers });
    await options.onStep("answered");
    return answer;
  } finally {
    leave();
  }
}

/**
 * The result of a part of a run. A run that began on a known state fails only if that is the
 * current one.
 */
async function confirmed<T>(
  { confirmation, run }: AdmittedClaim,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (run.signal.reason instanceof OutdatedState) throw run.signal.reason;
    const ofStore = thrown instanceof StoreUnavailable || thrown instanceof OutcomeUnknown;
    if (confirmation === undefined || ofStore || run.signal.aborted) throw thrown;
    if (thrown instanceof OutdatedState || await confirmation.now()) throw thrown;
    throw new OutdatedState();
  }
}

/** The error of a runtime, passed on with the id by which callers know the context. */
function refusal(
  { body, status }: { readonly body: ErrorResponse; readonly status: number },
  { context }: FoundContext,
) {
  const { retryAfterMs, contextId } = body.context;
  const headers = typeof retryAfterMs === "number" ? retryAfter(retryAfterMs) : {};
  if (contextId !== runtimeId(context)) return jsonResponse(body, { status, headers });
  const known = { ...body, context: { ...body.context, contextId: context.id } };
  return jsonResponse(known, { status, headers });
}

/** Runs statelessly, for a binding without contexts. The answer is the runtime's own. */
async function runStatelessly(
  options: OperationOptions,
  { tenant, id }: SandboxAddress,
  request: WithRunTools<SandboxExecuteRequest>,
  { caller, wait, listener }: WaitingRun & { readonly listener?: RunListener | undefined },
): Promise<Response> {
  const { code, binding = "", envVars, calls } = request;
  const limited = options.bindings.limited(tenant, binding, request);
  let isTransferred = false;
  const leave = await options.admission.enter(tenant, caller, wait.left());
  try {
    const layer = await options.stored.steady(
      await options.changes.current({ tenant, id }),
      async ({ record }) =>
        record === undefined ? new Map() : await options.stored.layer(record, record.env),
    );
    const run = {
      code,
      envVars: changedLayer(layer, envVars),
      typescript: false,
      ...runArguments(limited),
    };
    if (calls !== undefined) {
      isTransferred = true;
      const order = {
        binding: options.bindings.get(binding),
        tenant,
        request: { ...run, calls },
        fuel: Infinity,
        leave,
        failure: (thrown: unknown) => options.bindings.failure(thrown, caller),
      };
      const begun = await beginStateless(options.waiting, order);
      return await options.waiting.followFromStart(begun, { signal: caller, listener });
    }
    const onBehalf = { tenant, maxWaitMs: wait.left(), signal: caller, listener };
    return await options.bindings.execute(binding, run, onBehalf);
  } finally {
    if (!isTransferred) leave();
  }
}
