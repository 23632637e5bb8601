/**
 * One run in a context, as a story: admit, lease of the context, root record, files, variables,
 * the run itself, one commit, the answer. No step of it can leave half of a run behind.
 *
 * A small run of a resident context costs the store two commits: one that takes the lease, while
 * the sandbox is read, and the one that holds all of the run, the runtime's part of it included
 * where that is kept in the same store.
 *
 * @module
 */
import { BlobCorrupt } from "../store/blobs.ts";
import { inSpan } from "../telemetry/spans.ts";
import { retryAfter, runtimeUnavailable, validationFailed } from "../wire/errors.ts";
import type {
  ExecuteInContextArgs,
  GetFiles,
  InterpreterExecuteResponse,
  InterpreterExecuteRpcResult,
  WorkspaceFile,
} from "../wire/run_in_context.ts";
import { describeCause } from "../wire/log.ts";
import { clientGone, jsonResponse } from "../wire/responses.ts";
import { serverTiming } from "../wire/run_timing.ts";
import type { SandboxExecuteRequest } from "../wire/sandbox_types.ts";
import type { ErrorResponse, ExecutionResult } from "../client/protocol/types.ts";
import { WaitBudget } from "../wire/wait_budget.ts";
import {
  type ContextClaim,
  type ContextClaims,
  isThere,
  type WaitingRun,
} from "./context_claim.ts";
import { contextDeleted, type FoundContext, runtimeContext } from "./contexts.ts";
import { changedLayer, flatEnv } from "./env_layers.ts";
import type { SandboxAddress, SandboxRecord } from "./root_record.ts";
import { commitRun, type CommittedRun } from "./run_commit.ts";
import { CallerGone } from "./runs_in_flight.ts";
import type { SandboxParts } from "./sandbox_parts.ts";
import { afterRun, beforeRun } from "./store_waits.ts";
import type { SandboxState } from "./stored_sandbox.ts";
import type { Tree } from "./tree.ts";

/** How often files may be replaced under a run that is about to begin. */
const ATTEMPTS = 8;

/** What `POST /execute` needs beside the parts. */
export interface ExecuteOptions {
  readonly parts: SandboxParts;
  readonly claims: ContextClaims;
}

/** A run that has its turn, and what is left of its wait. */
type AdmittedClaim = ContextClaim & Pick<WaitingRun, "wait">;

/** Runs code in a context, in the default context of a binding, or statelessly. */
export async function execute(
  { parts, claims }: ExecuteOptions,
  address: SandboxAddress,
  request: SandboxExecuteRequest,
  caller: AbortSignal,
): Promise<Response> {
  const { contextId, binding } = request;
  if (contextId === undefined && binding === undefined) {
    throw validationFailed("Pass a context or a binding");
  }
  // before a default context is made
  if (contextId === undefined) parts.bindings.checkLimits(binding ?? "", request.limits);
  const wait = new WaitBudget(parts.limits.maxWaitMs, parts.clock);
  let claim: ContextClaim | undefined;
  try {
    claim = await claimInTurn({ parts, claims }, address, request, { caller, wait });
    if (claim === undefined) {
      return await executeStateless(parts, address, request, { caller, wait });
    }
    return await executeClaimed(parts, address, request, { ...claim, wait });
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

/** Waiting for the context counts among the waiting of the tenant, not among its runs. */
async function claimInTurn(
  { parts, claims }: ExecuteOptions,
  address: SandboxAddress,
  request: SandboxExecuteRequest,
  waiting: WaitingRun,
): Promise<ContextClaim | undefined> {
  const stopWaiting = parts.admission.wait(address.tenant);
  try {
    await parts.onStep("admitted");
    const claim = () => claims.claim(address, request, waiting);
    return await inSpan("turn", () => beforeRun(waiting.wait, claim));
  } finally {
    stopWaiting();
  }
}

async function executeClaimed(
  parts: SandboxParts,
  address: SandboxAddress,
  request: SandboxExecuteRequest,
  claim: AdmittedClaim,
): Promise<Response> {
  await parts.onStep("leased");
  parts.bindings.checkLimits(claim.found.context.binding, request.limits);
  const leave = await parts.admission.enter(address.tenant, claim.run.signal, claim.wait.left());
  try {
    const { wait } = claim;
    const run = await beforeRun(wait, () => runAtRuntime(parts, address, request, claim));
    await parts.onStep("ran");
    claim.run.signal.throwIfAborted();
    if (!run.outcome.ok) return refusal(run.outcome);
    const { result } = run.outcome;
    const ended = { ...claim, ...run, result, signal: claim.run.signal };
    const commit = () => commitRun(parts, address, ended);
    const committed = await inSpan("commit", () => afterRun(parts, wait, commit));
    await parts.onStep("committed");
    const { timing } = result;
    const headers = timing === undefined ? {} : { "server-timing": serverTiming(timing) };
    const answer = jsonResponse(executionResult(result, committed), { headers });
    await parts.onStep("answered");
    return answer;
  } finally {
    leave();
  }
}

/** What a runtime said against a run, as it said it. */
function refusal({ body, status }: { readonly body: ErrorResponse; readonly status: number }) {
  const { retryAfterMs } = body.context;
  const headers = typeof retryAfterMs === "number" ? retryAfter(retryAfterMs) : {};
  return jsonResponse(body, { status, headers });
}

/** A run that came back from its runtime, and what it began with. */
interface RuntimeRun {
  readonly found: FoundContext;
  readonly state: SandboxState;
  readonly tree: Tree;
  readonly outcome: InterpreterExecuteRpcResult;
}

/**
 * Runs the code. When a file that the runtime asks for was replaced in the meantime, the code
 * has not begun to run, and all is read again.
 */
async function runAtRuntime(
  parts: SandboxParts,
  address: SandboxAddress,
  request: SandboxExecuteRequest,
  claim: AdmittedClaim,
): Promise<RuntimeRun> {
  let state = await noteUse(parts, claim.state);
  for (let attempt = 1;; attempt++) {
    const run = await parts.stored.steady(
      state,
      (at) => runOnce(parts, address, request, { ...claim, state: at }),
    );
    if (run !== undefined) return run;
    if (attempt >= ATTEMPTS) throw runtimeUnavailable();
    state = await parts.stored.read(address);
  }
}

/** A run counts as a use from its beginning, so that the sandbox does not expire under it. */
async function noteUse(parts: SandboxParts, state: SandboxState): Promise<SandboxState> {
  if (state.record === undefined || !parts.changes.isUseWorthNoting(state.record)) return state;
  await parts.changes.use(state);
  return await parts.stored.read(state.address);
}

/** Undefined when a file was replaced before the runtime had it. */
async function runOnce(
  parts: SandboxParts,
  address: SandboxAddress,
  request: SandboxExecuteRequest,
  { state, found, lease, run, wait }: AdmittedClaim,
): Promise<RuntimeRun | undefined> {
  const { record } = state;
  if (record === undefined || !isThere(state, found.lifetime, found.context.id)) {
    run.signal.throwIfAborted();
    throw contextDeleted(found.context.id);
  }
  const tree = await parts.stored.tree(record);
  const layers = [
    await parts.stored.layer(record, record.env),
    await parts.stored.layer(record, found.context.env),
  ];
  await parts.onStep("read");
  run.signal.throwIfAborted();
  const files = filesOf(parts, record, tree);
  const args = {
    contextId: found.context.id,
    code: request.code,
    envVars: flatEnv(layers, request.envVars),
    workspace: tree.manifest,
    snapshot: found.context.snapshotRef,
    fence: lease.fence,
    tenant: address.tenant,
    ...limitsOf(request),
    signal: run.signal,
    store: parts.kv,
  };
  const call = () =>
    callRuntime(parts, address, found, { ...args, maxWaitMs: wait.left() }, files.get);
  let outcome = await call();
  if (isUnknownAtRuntime(outcome, found)) {
    await parts.bindings.create(runtimeContext(address, found), found.context.cwd);
    outcome = await call();
  }
  if (files.replaced() && !outcome.ok) return undefined;
  return { found, state, tree, outcome };
}

async function callRuntime(
  parts: SandboxParts,
  address: SandboxAddress,
  found: FoundContext,
  args: ExecuteInContextArgs,
  getFiles: GetFiles,
): Promise<InterpreterExecuteRpcResult> {
  const { binding, key } = runtimeContext(address, found);
  const runtime = parts.bindings.get(binding);
  try {
    return await runtime.executeInContext(key, args, getFiles);
  } catch (thrown) {
    args.signal?.throwIfAborted();
    parts.log("error", "runtime call failed", { binding, ...describeCause(thrown) });
    throw runtimeUnavailable();
  }
}

/** The context is registered, but the process was killed before it was made at the runtime. */
function isUnknownAtRuntime(outcome: InterpreterExecuteRpcResult, { context }: FoundContext) {
  return !outcome.ok && outcome.body.code === "CONTEXT_NOT_FOUND" && context.executions === 0;
}

/** Contents of files for a runtime, and whether one of them was replaced meanwhile. */
function filesOf(
  parts: SandboxParts,
  record: SandboxRecord,
  tree: Tree,
): { readonly get: GetFiles; readonly replaced: () => boolean } {
  let replaced = false;
  const read = async (path: string): Promise<readonly WorkspaceFile[]> => {
    const node = tree.nodes.get(path);
    if (node?.type !== "file") return [];
    const data = await parts.stored.contents(record.lifetime, node.ref);
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

/** Statelessly, for a binding without contexts. The answer is the runtime's own. */
async function executeStateless(
  parts: SandboxParts,
  { tenant, id }: SandboxAddress,
  request: SandboxExecuteRequest,
  { caller, wait }: WaitingRun,
): Promise<Response> {
  const { code, binding = "", envVars } = request;
  const leave = await parts.admission.enter(tenant, caller, wait.left());
  try {
    const layer = await parts.stored.steady(
      await parts.changes.current({ tenant, id }),
      async ({ record }) =>
        record === undefined ? new Map() : await parts.stored.layer(record, record.env),
    );
    const run = {
      code,
      envVars: changedLayer(layer, envVars),
      typescript: false,
      ...limitsOf(request),
    };
    const onBehalf = { tenant, maxWaitMs: wait.left(), signal: caller };
    return await parts.bindings.execute(binding, run, onBehalf);
  } finally {
    leave();
  }
}

/** What the caller asked for, as a field of what goes to the runtime. */
function limitsOf({ limits }: SandboxExecuteRequest): Pick<ExecuteInContextArgs, "limits"> {
  return limits === undefined ? {} : { limits };
}

/** The result as the caller gets it: the registry's view of the context, no workspace. */
function executionResult(
  ran: InterpreterExecuteResponse,
  { context, expiresAt, rolledBack, limitReached }: CommittedRun,
): ExecutionResult {
  const { snapshotMs } = ran.context;
  const error = limitReached === undefined
    ? ran.error
    : { name: "ExecutionLimitError", message: limitReached, traceback: [] };
  return {
    code: ran.code,
    language: ran.language,
    engine: ran.engine,
    durationMs: ran.durationMs,
    logs: ran.logs,
    results: error === undefined ? ran.results : [],
    ...(error === undefined ? {} : { error }),
    executionCount: context.executions,
    ...(ran.usage === undefined ? {} : { usage: ran.usage }),
    context: {
      id: context.id,
      cwd: context.cwd,
      executions: context.executions,
      ...(snapshotMs === undefined || rolledBack ? {} : { snapshotMs }),
      ...(expiresAt === null ? {} : { expiresAt }),
      ...(rolledBack ? { rolledBack: true } : {}),
    },
  };
}
