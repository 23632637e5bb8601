/**
 * A run of a context at its runtime: files and variables that it starts from, the call, and the
 * files that the runtime requests.
 *
 * @module
 */
import { BlobCorrupt } from "../store/blobs.ts";
import { noSpace, runtimeUnavailable } from "../shared/errors.ts";
import type { WorkspaceLimits } from "../shared/limits.ts";
import { describeCause } from "../shared/log.ts";
import { replayOf } from "../shared/replay.ts";
import type {
  ExecuteInContextArgs,
  GetFiles,
  InterpreterExecuteRpcResult,
  WorkspaceFile,
} from "../shared/run_in_context.ts";
import { AttemptEnded, type RunCalls } from "../shared/run_calls.ts";
import type { RunListener } from "../shared/run_listener.ts";
import type { WaitBudget } from "../shared/wait_budget.ts";
import type { SandboxExecuteRequest } from "../shared/sandbox_types.ts";
import { type ContextClaim, isThere, OutdatedState } from "./context_claim.ts";
import {
  contextDeleted,
  contextReplaced,
  type FoundContext,
  runtimeAddress,
  runtimeId,
} from "./contexts.ts";
import { flatEnv } from "./env_layers.ts";
import type { OperationOptions } from "./operation_options.ts";
import {
  homeOf,
  type SandboxAddress,
  type SandboxRecord,
  type SandboxState,
} from "./root_record.ts";
import type { Tree } from "./tree.ts";

/** How often files may be replaced before a run starts. */
const ATTEMPTS = 8;

/** A run that has its turn, its remaining wait budget, and who listens to it. */
export type AdmittedClaim =
  & ContextClaim
  & {
    readonly wait: WaitBudget;
    readonly listener?: RunListener | undefined;
    /** The caller's side of a run that can wait. */
    readonly calls?: RunCalls | undefined;
    /** The state is that of the beginning of a stored run, which stays. */
    readonly isPinned?: boolean;
  };

/** A run that has returned from its runtime, with its initial state. */
export interface RuntimeRun {
  readonly found: FoundContext;
  readonly state: SandboxState;
  readonly tree: Tree;
  readonly outcome: InterpreterExecuteRpcResult;
}

/**
 * Runs the code. When a file that the runtime requests was replaced in the meantime, the code has
 * not started, and everything is read again.
 */
export async function runAtRuntime(
  options: OperationOptions,
  address: SandboxAddress,
  request: SandboxExecuteRequest,
  claim: AdmittedClaim,
): Promise<RuntimeRun> {
  const { isPinned = false } = claim;
  let state = isPinned ? claim.state : await noteUse(options, claim.state);
  for (let attempt = 1;; attempt++) {
    const run = await options.stored.steady(
      state,
      (at) => {
        // its context was found in another state, so all of it begins again
        if (claim.confirmation !== undefined && at !== claim.state) throw new OutdatedState();
        return runOnce(options, address, request, { ...claim, state: at });
      },
    );
    if (run !== undefined) return run;
    if (attempt >= ATTEMPTS) throw runtimeUnavailable();
    if (!isPinned) state = await options.stored.read(address);
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
  { state, found, lease, run, wait, listener, calls, confirmation }: AdmittedClaim,
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
  checkWorkspace(tree, options.limits.workspace);
  const files = filesOf(options, record, tree);
  const args = {
    contextId: runtimeId(found.context),
    code: request.code,
    envVars: flatEnv(layers, request.envVars),
    workspace: tree.manifest,
    snapshot: found.context.snapshotRef,
    fence: lease.fence,
    tenant: address.tenant,
    ...runArguments(request),
    ...(record.term === undefined ? {} : { notebook: true }),
    signal: run.signal,
    ...(listener === undefined ? {} : { listener }),
    ...(calls === undefined ? {} : { calls }),
    cwd: found.context.cwd,
    ...(confirmation === undefined ? {} : { isOptimistic: true }),
  };
  const call = () =>
    callRuntime(options, address, found, { ...args, maxWaitMs: wait.left() }, files.get);
  const outcome = await call();
  if (files.replaced() && !outcome.ok) return undefined;
  if (isNotAtRuntime(outcome)) await checkNotReplaced(options, address, found);
  return { found, state, tree, outcome };
}

/**
 * An operator may have lowered the limits since the files were stored. Then no run can have them, and
 * deletions of files are still possible.
 */
function checkWorkspace(tree: Tree, { totalBytes, fileBytes }: WorkspaceLimits): void {
  if (tree.bytes <= totalBytes && tree.largestFile <= fileBytes) return;
  throw noSpace(
    `The workspace has ${tree.bytes} bytes, and its largest file ${tree.largestFile}: this service ` +
      `allows ${totalBytes} and ${fileBytes}`,
    "workspace bytes",
  );
}

/**
 * A runtime does not know a context under its earlier id, once another process has restored or
 * restarted it. The context exists then, so its run is refused with `CONFLICT`.
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
  const { binding } = found.context;
  const { sandboxKey } = runtimeAddress(address, found);
  const runtime = options.bindings.get(binding);
  try {
    return await runtime.executeInContext(sandboxKey, args, getFiles);
  } catch (thrown) {
    if (thrown instanceof AttemptEnded) throw thrown;
    args.signal?.throwIfAborted();
    options.log("error", "runtime call failed", { binding, ...describeCause(thrown) });
    throw runtimeUnavailable();
  }
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
    const data = await options.stored.contents(homeOf(record), node.ref);
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

/** The caller's fields of a run, as arguments for the runtime. */
export function runArguments(
  { limits, stdin, repr, ...replay }: Omit<SandboxExecuteRequest, "calls" | "envVars">,
): Pick<ExecuteInContextArgs, "limits" | "stdin" | "repr" | "seed" | "clock"> {
  return {
    ...(limits === undefined ? {} : { limits }),
    ...(stdin === undefined ? {} : { stdin }),
    ...(repr === undefined ? {} : { repr }),
    ...replayOf(replay),
  };
}
