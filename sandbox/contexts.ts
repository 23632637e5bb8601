/**
 * The registry of a sandbox's contexts: create, list, delete, and the default context of a
 * binding (docs/contract.md#state-of-a-context).
 *
 * The first run of a context creates its state at the runtime. A deletion removes it from the
 * registry, then at its runtime.
 *
 * @module
 */
import { sandboxLeaseKeys } from "../store/keys.ts";
import type { BegunLease, Lease } from "../store/lease.ts";
import { isoTimestamp } from "../shared/clock.ts";
import {
  conflict,
  contextNotFound,
  type ServiceError,
  validationFailed,
} from "../shared/errors.ts";
import { WORKSPACE } from "../client/protocol/paths.ts";
import type { ContextAddress } from "../shared/run_in_context.ts";
import type {
  ContextDetails,
  ContextInfo,
  CreateContextRequest,
  SandboxExecuteRequest,
} from "../shared/sandbox_types.ts";
import type { Draft } from "./draft.ts";
import { changedLayer, type EnvVars, NO_VARIABLES } from "./env_layers.ts";
import { FileFault } from "./file_fault.ts";
import { pathExists } from "./file_lookup.ts";
import {
  type ContextRecord,
  runtimeKey,
  type SandboxAddress,
  type SandboxRecord,
  type SandboxState,
} from "./root_record.ts";
import { checkRuns, type ExpectedRuns } from "./run_conditions.ts";
import type { RuntimeWipe } from "./runtime_wipes.ts";
import type { OperationOptions } from "./operation_options.ts";
import { resolvePath } from "./workspace_path.ts";

/** A context and the lifetime of the sandbox it belongs to. */
export interface FoundContext {
  readonly lifetime: string;
  readonly context: ContextRecord;
}

/** The turn of the run whose commit created the context. */
export interface FirstTurn {
  readonly lease: Lease;
  readonly state: SandboxState;
}

/** A context, and the turn in it if the commit that created it took one. */
export interface ChosenContext extends FoundContext {
  readonly turn?: FirstTurn | undefined;
}

/**
 * The requested context: the one with an id, or without an id the one with a name, or without both
 * the default context of a binding.
 */
export interface WantedContext
  extends Pick<SandboxExecuteRequest, "contextId" | "binding" | "contextName"> {
  /** Checked before a default context is created. */
  readonly expectedRuns?: ExpectedRuns | undefined;
}

/**
 * Creates a context, with a notebook if its runs are to be in one. 400 for a binding without contexts, a
 * ninth context, or a bad `cwd`.
 */
export async function createContext(
  options: OperationOptions,
  address: SandboxAddress,
  request: CreateContextRequest,
  notebook?: Uint8Array<ArrayBuffer>,
): Promise<ContextInfo> {
  const { binding } = request;
  options.bindings.contexts(binding);
  const created = await options.changes.change(address, async (state, draft) => {
    const cwd = await workingDirectory(options, state, request.cwd);
    const env = changedLayer(NO_VARIABLES, request.envVars);
    return register(options, state, draft, { binding, cwd, env, notebook });
  });
  return contextInfo(created.context);
}

/**
 * The default context of a binding, or its context with a name: the oldest one, or a new one when
 * there is none. One commit chooses or creates it. Undefined when the binding has no contexts,
 * which is an error where one is named. `PRECONDITION_FAILED` when it would be created and must
 * have had runs.
 */
export async function defaultContext(
  options: OperationOptions,
  state: SandboxState,
  { binding = "", contextName, expectedRuns }: WantedContext,
): Promise<ChosenContext | undefined> {
  const wanted = { binding, contextName };
  const known = chosenIn(state.record, wanted);
  if (known !== undefined) return known;
  const hasContexts = options.bindings.get(binding).contexts !== undefined;
  if (!hasContexts && contextName === undefined) return undefined;
  options.bindings.contexts(binding);
  const { found, begun } = await options.changes.change<Chosen>(state.address, (now, draft) => {
    const other = chosenIn(now.record, wanted);
    if (other !== undefined) return Promise.resolve({ found: other });
    checkRuns(expectedRuns, undefined);
    const order = { binding, contextName, cwd: WORKSPACE, env: NO_VARIABLES };
    const found = register(options, now, draft, order);
    const keys = sandboxLeaseKeys(found.lifetime, found.context.id);
    const lease = options.leases.beginWith(keys, draft.transaction);
    return Promise.resolve({ found, begun: () => beganIn(draft, lease()) });
  }, state);
  return { ...found, turn: begun?.() };
}

/** The result of choosing or creating a context. */
interface Chosen {
  readonly found: FoundContext;
  readonly begun?: () => FirstTurn | undefined;
}

function beganIn(draft: Draft, begun: BegunLease | undefined): FirstTurn | undefined {
  if (begun === undefined) return undefined;
  return { lease: begun.lease, state: draft.after(begun.versionstamp) };
}

/** A context by its id. Throws 404. */
export function contextWithId({ record }: SandboxState, contextId: string): FoundContext {
  const found = chosenIn(record, { contextId });
  if (found === undefined) throw contextNotFound(contextId);
  return found;
}

/**
 * The requested context, if it exists. The default context is the oldest one without a name. Each
 * binding has names of its own.
 */
export function chosenIn(
  record: SandboxRecord | undefined,
  { contextId, binding, contextName }: WantedContext,
): FoundContext | undefined {
  const context = record?.contexts.find(({ id, name, binding: its }) =>
    contextId === undefined ? its === binding && name === contextName : id === contextId
  );
  if (record === undefined || context === undefined) return undefined;
  return { lifetime: record.lifetime, context };
}

/** Deletes a context, its runs and its state at the runtime. Throws 404. */
export async function deleteContext(
  options: OperationOptions,
  address: SandboxAddress,
  contextId: string,
): Promise<void> {
  const { lifetime, wipe } = await options.changes.change(address, (state, draft) => {
    const { lifetime, context } = contextWithId(state, contextId);
    const wipe = wipeOf(options, address, { lifetime, context });
    unregister(draft, context);
    options.wipes.enter(draft.transaction, [wipe]);
    return Promise.resolve({ lifetime, wipe });
  });
  options.runs.abort(lifetime, contextId, contextDeleted(contextId));
  await options.wipes.finish([wipe]);
}

/**
 * A context was deleted, alone or with its sandbox, while one of its runs was in progress or
 * waiting.
 */
export function contextDeleted(contextId: string): ServiceError {
  return conflict("The context was deleted during the run", contextId);
}

/** The state of the context was replaced while one of its runs was in progress or waiting. */
export function contextReplaced(contextId: string): ServiceError {
  return conflict("The context was restored or restarted during the run", contextId);
}

/** A sandbox has the maximum number of contexts. */
export function tooManyContexts(max: number): ServiceError {
  return validationFailed(`A sandbox holds at most ${max} contexts`);
}

/** The id of a context at its runtime. */
export function runtimeId({ id, runtimeId = id }: ContextRecord): string {
  return runtimeId;
}

/** The address under which the runtime of a context stores its state. */
export function runtimeAddress(
  address: SandboxAddress,
  { lifetime, context }: FoundContext,
): ContextAddress {
  return { sandboxKey: runtimeKey(address, lifetime), contextId: runtimeId(context) };
}

/** A context as `GET /contexts` shows it. */
export function contextInfo(context: ContextRecord): ContextInfo {
  const { id, binding, language, cwd } = context;
  const createdAt = isoTimestamp(() => context.createdAt);
  return { id, binding, language, cwd, createdAt, lastUsed: isoTimestamp(() => context.lastUsed) };
}

/** A context as `GET /` shows it. */
export function contextDetails(context: ContextRecord): ContextDetails {
  const { engine, executions, snapshot } = context;
  return { ...contextInfo(context), engine, executions, snapshot };
}

interface NewContext {
  readonly binding: string;
  readonly contextName?: string | undefined;
  readonly cwd: string;
  readonly env: EnvVars;
  readonly notebook?: Uint8Array<ArrayBuffer> | undefined;
}

function register(
  options: OperationOptions,
  state: SandboxState,
  draft: Draft,
  { binding, contextName, cwd, env, notebook }: NewContext,
): FoundContext {
  const now = options.clock();
  const { language, engine } = options.bindings.get(binding);
  const context: ContextRecord = {
    id: options.ids(),
    ...(contextName === undefined ? {} : { name: contextName }),
    binding,
    language,
    engine,
    cwd,
    createdAt: now,
    lastUsed: now,
    executions: 0,
    env: null,
    snapshotRef: null,
    snapshot: null,
  };
  return addContext(options, state, draft, context, { env, notebook });
}

/** Adds a context with variables and a notebook to the record of a draft. Throws for a ninth one. */
export function addContext(
  options: OperationOptions,
  state: SandboxState,
  draft: Draft,
  context: ContextRecord,
  { env, notebook }: Pick<NewContext, "env" | "notebook">,
): FoundContext {
  const record = options.changes.recordOrNew(state);
  if (record.contexts.length >= options.limits.contexts) {
    throw tooManyContexts(options.limits.contexts);
  }
  const added = {
    ...context,
    env: draft.keepLayer(record, null, env),
    ...(notebook === undefined
      ? {}
      : { notebook: draft.keepNotebook(record, undefined, notebook) }),
  };
  draft.update({ ...record, contexts: [...record.contexts, added] });
  return { lifetime: record.lifetime, context: added };
}

/** Removes a context from the record of a draft. */
function unregister(draft: Draft, context: ContextRecord): void {
  const { record } = draft;
  if (record === undefined) return;
  draft.drop(record, context.env);
  draft.drop(record, context.notebook ?? null);
  draft.dropLease(record.lifetime, context.id);
  draft.update({ ...record, contexts: record.contexts.filter(({ id }) => id !== context.id) });
}

/** The removals at the runtime of a context. */
export function wipeOf(
  options: OperationOptions,
  address: SandboxAddress,
  found: FoundContext,
): RuntimeWipe {
  const { sandboxKey: key, contextId } = runtimeAddress(address, found);
  return { id: options.ids(), binding: found.context.binding, key, contextId };
}

/** The removals at the runtimes of a whole sandbox. */
export function wipesOf(
  ids: () => string,
  address: SandboxAddress,
  { lifetime, contexts }: SandboxRecord,
): readonly RuntimeWipe[] {
  const key = runtimeKey(address, lifetime);
  return [...new Set(contexts.map(({ binding }) => binding))].map((binding) => {
    return { id: ids(), binding, key, contextId: null };
  });
}

/** The working directory of a new context: an existing directory. */
async function workingDirectory(
  options: OperationOptions,
  { record }: SandboxState,
  cwd: string | undefined,
): Promise<string> {
  if (cwd === undefined) return WORKSPACE;
  const target = resolveDirectory(options, cwd);
  const tree = await options.stored.tree(record);
  if (target === undefined || !pathExists(tree, { path: target, directory: true })) {
    throw validationFailed("cwd must be an existing directory under /workspace");
  }
  return target;
}

function resolveDirectory(options: OperationOptions, cwd: string): string | undefined {
  try {
    return resolvePath(cwd, options.limits.workspace).path;
  } catch (thrown) {
    if (thrown instanceof FileFault) return undefined;
    throw thrown;
  }
}

/** All contexts as `GET /contexts` shows them. */
export function contextInfos(record: SandboxRecord | undefined): readonly ContextInfo[] {
  return (record?.contexts ?? []).map(contextInfo);
}

/** Empties a context and ends its runs. Throws `CONTEXT_NOT_FOUND`. */
export async function restartContext(
  options: OperationOptions,
  address: SandboxAddress,
  contextId: string,
): Promise<void> {
  const { lifetime, wipe } = await options.changes.change(address, (state, draft) => {
    const found = contextWithId(state, contextId);
    const { lifetime, context } = found;
    const wipe = wipeOf(options, address, found);
    options.wipes.enter(draft.transaction, [wipe]);
    draft.dropLease(lifetime, contextId);
    const { waiting: _, queue: __, ...others } = context;
    const empty = {
      ...others,
      runtimeId: options.ids(),
      executions: 0,
      snapshotRef: null,
      snapshot: null,
    };
    const record = options.changes.recordOrNew(state);
    const contexts = record.contexts.map((old) => old.id === contextId ? empty : old);
    draft.update({ ...record, contexts });
    return Promise.resolve({ lifetime, wipe });
  });
  options.runs.abort(lifetime, contextId, contextRestarted(contextId));
  await options.wipes.finish([wipe]);
}

/** A context was restarted while one of its runs was in progress or waiting. */
function contextRestarted(contextId: string) {
  return conflict("The context was restarted during the run", contextId);
}
