/**
 * One run in a context, step by step: the lease of the context with the root record, the tenant's
 * place, files, variables, the run itself, one commit, the answer. No step can leave half of a run
 * behind.
 *
 * A small run of a resident context costs the store two commits: one that takes the lease, while
 * the sandbox is read, and one that holds the whole run, including the runtime's part if that is in
 * the same store.
 *
 * @module
 */
import { BlobCorrupt } from "../store/blobs.ts";
import { inSpan } from "../telemetry/spans.ts";
import { retryAfter, runtimeUnavailable, validationFailed } from "../wire/errors.ts";
import type {
  ExecuteInContextArgs,
  GetFiles,
  InterpreterExecuteRpcResult,
  WorkspaceFile,
} from "../wire/run_in_context.ts";
import { describeCause } from "../wire/log.ts";
import { replayOf } from "../wire/replay.ts";
import { clientGone, jsonResponse } from "../wire/responses.ts";
import type { RunAudience } from "../wire/run_listener.ts";
import { serverTiming } from "../wire/run_timing.ts";
import type { SandboxExecuteRequest } from "../wire/sandbox_types.ts";
import type { ErrorResponse } from "../client/protocol/types.ts";
import { WaitBudget } from "../wire/wait_budget.ts";
import {
  type ContextClaim,
  type ContextClaims,
  isThere,
  type WaitingRun,
} from "./context_claim.ts";
import {
  contextDeleted,
  contextReplaced,
  type FoundContext,
  runtimeContext,
  runtimeId,
  type WantedContext,
} from "./contexts.ts";
import { changedLayer, flatEnv } from "./env_layers.ts";
import { type Repeater, replay, type RunKey, runKey } from "./kept_answers.ts";
import type { SandboxAddress, SandboxRecord } from "./root_record.ts";
import { commitRun } from "./run_commit.ts";
import { checkRuns, type RunConditions } from "./run_conditions.ts";
import { executionResult } from "./run_result.ts";
import { CallerGone } from "./runs_in_flight.ts";
import type { OperationOptions } from "./operation_options.ts";
import { afterRun, beforeRun } from "./store_waits.ts";
import type { SandboxState } from "./stored_sandbox.ts";
import type { Tree } from "./tree.ts";

/** How often files may be replaced before a run starts. */
const ATTEMPTS = 8;

/** The dependencies of `POST /execute`, in addition to the options. */
export interface ExecuteOptions {
  readonly options: OperationOptions;
  readonly claims: ContextClaims;
}

/** The caller of a run, and what its headers ask for. */
export interface RunCall extends Repeater, Pick<RunAudience, "listener"> {
  readonly conditions: RunConditions;
}

/** A run that has its turn, its remaining wait budget, and who listens to it. */
type AdmittedClaim = ContextClaim & Pick<WaitingRun, "wait"> & Pick<RunAudience, "listener">;

/** The inputs of a run in a context, in addition to its claim. */
interface RunTerms extends RunCall {
  readonly key: RunKey | undefined;
}

/** Runs code in a context, in the default context of a binding, or statelessly. */
export async function execute(
  { options, claims }: ExecuteOptions,
  address: SandboxAddress,
  request: SandboxExecuteRequest,
  call: RunCall,
): Promise<Response> {
  const { contextId, binding, contextName } = request;
  if (contextId === undefined && binding === undefined) {
    throw validationFailed("Pass a context or a binding");
  }
  const { signal: caller, listener, conditions: { idempotencyKey, expectedRuns } } = call;
  const key = runKey(idempotencyKey, request);
  const wait = new WaitBudget(options.limits.maxWaitMs, options.clock);
  let claim: ContextClaim | undefined;
  try {
    const known = key && await beforeRun(wait, () => options.changes.current(address));
    const repeated = key && known &&
      await beforeRun(wait, () => replay(options, known, key, call));
    if (repeated !== undefined) return repeated;
    // before a default context is created
    if (contextId === undefined) options.bindings.checkLimits(binding ?? "", request.limits);
    const wanted = { contextId, binding, contextName, expectedRuns };
    claim = await claimInTurn({ options, claims }, address, wanted, { caller, wait, known });
    if (claim === undefined) {
      return await executeStateless(options, address, request, { caller, wait, listener });
    }
    return await executeClaimed(options, address, request, { ...claim, ...call, key, wait });
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
 * A run that waits for its context counts among the tenant's waiting runs, not among its running
 * ones.
 */
async function claimInTurn(
  { options, claims }: ExecuteOptions,
  address: SandboxAddress,
  wanted: WantedContext,
  waiting: WaitingRun,
): Promise<ContextClaim | undefined> {
  const stopWaiting = options.admission.wait(address.tenant);
  try {
    await options.onStep("admitted");
    const claim = () => claims.claim(address, wanted, waiting);
    return await inSpan("turn", () => beforeRun(waiting.wait, claim));
  } finally {
    stopWaiting();
  }
}

async function executeClaimed(
  options: OperationOptions,
  address: SandboxAddress,
  request: SandboxExecuteRequest,
  claim: AdmittedClaim & RunTerms,
): Promise<Response> {
  await options.onStep("leased");
  const { key } = claim;
  // the run that had the turn before may have been the first with this key
  const repeated = key &&
    await beforeRun(claim.wait, () => replay(options, claim.state, key, claim));
  if (repeated !== undefined) return repeated;
  checkRuns(claim.conditions.expectedRuns, claim.found.context);
  options.bindings.checkLimits(claim.found.context.binding, request.limits);
  const leave = await options.admission.enter(address.tenant, claim.run.signal, claim.wait.left());
  try {
    const { wait } = claim;
    const run = await beforeRun(wait, () => runAtRuntime(options, address, request, claim));
    await options.onStep("ran");
    claim.run.signal.throwIfAborted();
    if (!run.outcome.ok) return refusal(run.outcome, claim.found);
    const { result } = run.outcome;
    const ended = { ...claim, ...run, result, signal: claim.run.signal };
    const commit = () => commitRun(options, address, ended);
    const committed = await inSpan("commit", () => afterRun(options, wait, commit));
    await options.onStep("committed");
    const { timing } = result;
    const headers = timing === undefined ? {} : { "server-timing": serverTiming(timing) };
    const answer = jsonResponse(executionResult(result, committed), { headers });
    await options.onStep("answered");
    return answer;
  } finally {
    leave();
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

/** A run that has returned from its runtime, with its initial state. */
interface RuntimeRun {
  readonly found: FoundContext;
  readonly state: SandboxState;
  readonly tree: Tree;
  readonly outcome: InterpreterExecuteRpcResult;
}

/**
 * Runs the code. When a file that the runtime requests was replaced in the meantime, the code has
 * not started, and everything is read again.
 */
async function runAtRuntime(
  options: OperationOptions,
  address: SandboxAddress,
  request: SandboxExecuteRequest,
  claim: AdmittedClaim,
): Promise<RuntimeRun> {
  let state = await noteUse(options, claim.state);
  for (let attempt = 1;; attempt++) {
    const run = await options.stored.steady(
      state,
      (at) => runOnce(options, address, request, { ...claim, state: at }),
    );
    if (run !== undefined) return run;
    if (attempt >= ATTEMPTS) throw runtimeUnavailable();
    state = await options.stored.read(address);
  }
}

/** A run counts as a use from its start, so that the sandbox does not expire meanwhile. */
async function noteUse(options: OperationOptions, state: SandboxState): Promise<SandboxState> {
  if (state.record === undefined || !options.changes.isUseWorthNoting(state.record)) return state;
  await options.changes.use(state);
  return await options.stored.read(state.address);
}

/** Undefined when a file was replaced before the runtime got it. */
async function runOnce(
  options: OperationOptions,
  address: SandboxAddress,
  request: SandboxExecuteRequest,
  { state, found, lease, run, wait, listener }: AdmittedClaim,
): Promise<RuntimeRun | undefined> {
  const { record } = state;
  if (record === undefined || !isThere(state, found.lifetime, found.context.id)) {
    run.signal.throwIfAborted();
    throw contextDeleted(found.context.id);
  }
  const [tree, ...layers] = await Promise.all([
    options.stored.tree(record),
    options.stored.layer(record, record.env),
    options.stored.layer(record, found.context.env),
  ]);
  await options.onStep("read");
  run.signal.throwIfAborted();
  const files = filesOf(options, record, tree);
  const args = {
    contextId: runtimeId(found.context),
    code: request.code,
    envVars: flatEnv(layers, request.envVars),
    workspace: tree.manifest,
    snapshot: found.context.snapshotRef,
    fence: lease.fence,
    tenant: address.tenant,
    ...givenTo(request),
    signal: run.signal,
    ...(listener === undefined ? {} : { listener }),
    store: options.kv,
    ...(found.context.snapshotRef === null ? { firstCwd: found.context.cwd } : {}),
  };
  const call = () =>
    callRuntime(options, address, found, { ...args, maxWaitMs: wait.left() }, files.get);
  let outcome = await call();
  if (isUnknownAtRuntime(outcome, found)) {
    await options.bindings.create(runtimeContext(address, found), found.context.cwd);
    outcome = await call();
  }
  if (files.replaced() && !outcome.ok) return undefined;
  if (isNotAtRuntime(outcome)) await checkNotReplaced(options, address, found);
  return { found, state, tree, outcome };
}

/**
 * A runtime does not know a context under the id of before, once another process has restored or
 * restarted it. Then the context exists, so that its run is refused with `CONFLICT`.
 */
async function checkNotReplaced(
  { stored }: OperationOptions,
  address: SandboxAddress,
  { lifetime, context }: FoundContext,
): Promise<void> {
  const { record } = await stored.read(address);
  if (record?.lifetime !== lifetime) return;
  const now = record.contexts.find(({ id }) => id === context.id);
  if (now !== undefined && runtimeId(now) !== runtimeId(context)) throw contextReplaced(context.id);
}

async function callRuntime(
  options: OperationOptions,
  address: SandboxAddress,
  found: FoundContext,
  args: ExecuteInContextArgs,
  getFiles: GetFiles,
): Promise<InterpreterExecuteRpcResult> {
  const { binding, key } = runtimeContext(address, found);
  const runtime = options.bindings.get(binding);
  try {
    return await runtime.executeInContext(key, args, getFiles);
  } catch (thrown) {
    args.signal?.throwIfAborted();
    options.log("error", "runtime call failed", { binding, ...describeCause(thrown) });
    throw runtimeUnavailable();
  }
}

/**
 * The context is registered, but a process was killed before it created the context at the runtime.
 */
function isUnknownAtRuntime(outcome: InterpreterExecuteRpcResult, { context }: FoundContext) {
  return isNotAtRuntime(outcome) && context.executions === 0;
}

function isNotAtRuntime(outcome: InterpreterExecuteRpcResult): boolean {
  return !outcome.ok && outcome.body.code === "CONTEXT_NOT_FOUND";
}

/**
 * Provides contents of files to a runtime, and records whether one of them was replaced meanwhile.
 */
function filesOf(
  options: OperationOptions,
  record: SandboxRecord,
  tree: Tree,
): { readonly get: GetFiles; readonly replaced: () => boolean } {
  let replaced = false;
  const read = async (path: string): Promise<readonly WorkspaceFile[]> => {
    const node = tree.nodes.get(path);
    if (node?.type !== "file") return [];
    const data = await options.stored.contents(record.lifetime, node.ref);
    return [{ path, data, updatedAt: node.modifiedAt }];
  };
  const get: GetFiles = async (paths) => {
    try {
      return (await Promise.all(paths.map(read))).flat();
    } catch (thrown) {
      if (!(thrown instanceof BlobCorrupt)) throw thrown;
      replaced = true;
      return [];
    }
  };
  return { get, replaced: () => replaced };
}

/** Runs statelessly, for a binding without contexts. The answer is the runtime's own. */
async function executeStateless(
  options: OperationOptions,
  { tenant, id }: SandboxAddress,
  request: SandboxExecuteRequest,
  { caller, wait, listener }: WaitingRun & Pick<RunAudience, "listener">,
): Promise<Response> {
  const { code, binding = "", envVars } = request;
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
      ...givenTo(request),
    };
    const onBehalf = { tenant, maxWaitMs: wait.left(), signal: caller, listener };
    return await options.bindings.execute(binding, run, onBehalf);
  } finally {
    leave();
  }
}

/** What the caller gives to the run, as fields of the arguments for the runtime. */
function givenTo(
  { limits, stdin, ...replay }: SandboxExecuteRequest,
): Pick<ExecuteInContextArgs, "limits" | "stdin" | "seed" | "clock"> {
  return {
    ...(limits === undefined ? {} : { limits }),
    ...(stdin === undefined ? {} : { stdin }),
    ...replayOf(replay),
  };
}
