/**
 * The one commit of a run: globals and files of a context become current together, or not at all
 * (docs/contract.md#state-of-a-context).
 *
 * It succeeds only if no other run has held the lease since, and the sandbox is the one in which the
 * run started. When others changed the sandbox meanwhile, the run's files are merged into their
 * result.
 *
 * @module
 */
import type { Lease } from "../store/lease.ts";
import { conflict } from "../shared/errors.ts";
import type { InterpreterExecuteResponse } from "../shared/run_in_context.ts";
import { WORKSPACE } from "../client/protocol/paths.ts";
import { contextDeleted, type FoundContext } from "./contexts.ts";
import type { Draft } from "./draft.ts";
import { recordRun } from "./notebooks.ts";
import { answerPlace, otherRequest, putAnswer, type RunKey } from "./stored_answers.ts";
import { mergeRun, WorkspaceLimitReached } from "./merge.ts";
import type { ContextRecord, SandboxAddress, SandboxRecord, SandboxState } from "./root_record.ts";
import type { OperationOptions } from "./operation_options.ts";
import { type Confirmation, OutdatedState } from "./context_claim.ts";
import { type Tree, TreeEdit } from "./tree.ts";
import type { ExecutionResult } from "../client/protocol/types.ts";

/** A run that has ended at its runtime. */
export interface EndedRun {
  readonly lease: Lease;
  readonly found: FoundContext;
  /** The sandbox and its files at the start of the run. */
  readonly state: SandboxState;
  readonly tree: Tree;
  readonly result: InterpreterExecuteResponse;
  /** Under which its answer is stored, if it is. */
  readonly key: RunKey | undefined;
  /** Fires when the run must not be committed, until the commit has begun. */
  readonly signal: AbortSignal;
  /** Of a run that began on a known state. */
  readonly confirmation?: Confirmation;
  /** Adds the end of a stored run to the draft. */
  readonly ends?: (draft: Draft, body: string) => Promise<void>;
}

/**
 * Commits a run and ends its lease in the same commit.
 *
 * Rejects with the signal's reason, or `CONFLICT` when the context was deleted, the lease lost, or
 * the run's key used by another request meanwhile. Rejects with `OutdatedState` when the run began
 * on a known state that was not the current one.
 */
export async function commitRun(
  options: OperationOptions,
  address: SandboxAddress,
  run: EndedRun,
): Promise<CommittedRun> {
  const { writes } = run.result;
  let isUsed = false;
  try {
    const committed = await commit(options, address, run);
    isUsed = !committed.rolledBack;
    return committed;
  } finally {
    // the janitor removes them if this fails; those of a commit that is done are not touched
    if (!isUsed) await writes?.discard().catch(() => undefined);
  }
}

async function commit(
  options: OperationOptions,
  address: SandboxAddress,
  run: EndedRun,
): Promise<CommittedRun> {
  const { confirmation } = run;
  let hasLease = confirmation === undefined || await confirmation.over();
  run.signal.throwIfAborted();
  const refused = new Set<string>();
  let before: Draft | undefined;
  /** The data of attempts, by the id of the write that keeps the answer. */
  const attempts = new Map<string, CommittedRun>();
  return await options.changes.change(address, async (state, draft) => {
    run.signal.throwIfAborted();
    const place = run.key && await answerPlace(options, state, run.key);
    if (place?.keeper !== undefined) return attempts.get(place.keeper) ?? refuse(otherRequest());
    const done = doneIn(state, run);
    if (done !== undefined) {
      const expiresAt = state.record?.expiresAt ?? null;
      return { context: done, expiresAt, rolledBack: false, limitReached: undefined };
    }
    if (!hasLease && before !== undefined) {
      const isCertain = options.kv.repeatsCommits !== true || before.isMissingIn(state);
      if (isCertain) throw new OutdatedState();
      confirmation?.settle();
      throw lost(run.found.context.id);
    }
    // Everything that a commit checks is unchanged since the refusal, except the lease.
    if (refused.has(versionOf(state))) {
      throw confirmation === undefined ? lost(run.found.context.id) : new OutdatedState();
    }
    refused.add(versionOf(state));
    before = draft;
    const made = await withNotebook(
      options,
      draft,
      run.result,
      await draftRun(options, state, draft, run),
    );
    // it leaves nothing by which its own commit could be recognised when the answer is lost
    if (made.rolledBack && !hasLease) hasLease = await confirmation?.now() === true;
    if (made.rolledBack && !hasLease) throw new OutdatedState();
    if (place !== undefined && draft.record !== undefined) {
      const body = JSON.stringify(executionResult(run.result, made));
      const { id: contextId, executions } = made.context;
      const data = { body, now: options.clock(), run: { contextId, executions } };
      attempts.set(putAnswer(draft, draft.record, place, data), made);
    }
    await run.ends?.(draft, JSON.stringify(executionResult(run.result, made)));
    const { writes } = run.result;
    if (writes !== undefined && !made.rolledBack) draft.transaction.join(writes);
    run.lease.commitWith(draft.transaction);
    draft.transaction.attach({
      committing: () => void options.onStep("blobs written"),
      settled: () => undefined,
    });
    return made;
  }, run.state);
}

function refuse(reason: Error): never {
  throw reason;
}

/** The context, if this very run is committed already and the answer was lost. */
function doneIn(
  { record }: SandboxState,
  { found: { lifetime, context }, result: { snapshotRef } }: EndedRun,
): ContextRecord | undefined {
  if (record?.lifetime !== lifetime || snapshotRef === context.snapshotRef) return undefined;
  return record.contexts.find((now) => now.id === context.id && now.snapshotRef === snapshotRef);
}

async function draftRun(
  options: OperationOptions,
  state: SandboxState,
  draft: Draft,
  run: EndedRun,
): Promise<CommittedRun> {
  const expiresAt = draft.expiresAt(options.quotas(state.address.tenant));
  const { record, before } = contextAsItWas(state, run.found);
  const { waiting: _, ...unmarked } = before;
  const counted = { ...unmarked, executions: before.executions + 1, lastUsed: options.clock() };
  if (run.result.context.rolledBack === true) {
    draft.update(withContext(record, counted));
    return { context: counted, expiresAt, rolledBack: true, limitReached: undefined };
  }
  const edit = await mergedFiles(options, record, run);
  if (edit instanceof WorkspaceLimitReached) {
    draft.update(withContext(record, counted));
    return { context: counted, expiresAt, rolledBack: true, limitReached: edit.message };
  }
  const { cwd, snapshot } = run.result.context;
  const context: ContextRecord = {
    ...counted,
    cwd: (edit?.isDirectory(cwd) ?? run.tree.nodes.get(cwd)?.type === "directory")
      ? cwd
      : WORKSPACE,
    snapshotRef: run.result.snapshotRef,
    snapshot,
  };
  const next = withContext(record, context);
  if (edit === undefined) draft.update(next);
  else draft.keepTree(next, edit);
  return { context, expiresAt, rolledBack: false, limitReached: undefined };
}

/** Writes the run into the notebook of its context, if there is one. */
async function withNotebook(
  options: OperationOptions,
  draft: Draft,
  ran: InterpreterExecuteResponse,
  made: CommittedRun,
): Promise<CommittedRun> {
  const { record } = draft;
  if (record === undefined || made.context.notebook === undefined) return made;
  const context = await recordRun(options, draft, {
    record,
    context: made.context,
    run: executionResult(ran, made),
  });
  draft.update(withContext(record, context));
  return { ...made, context };
}

/** Undefined when neither the run nor anybody else changed a file. */
async function mergedFiles(
  options: OperationOptions,
  record: SandboxRecord,
  { tree: base, result: { workspace: diff } }: EndedRun,
): Promise<TreeEdit | WorkspaceLimitReached | undefined> {
  const tree = await options.stored.tree(record);
  const untouched = diff.files.length === 0 && diff.deleted.length === 0 &&
    sameDirectories(base, diff.dirs);
  if (untouched && tree === base) return undefined;
  const edit = new TreeEdit(tree);
  if (untouched) return edit;
  try {
    mergeRun(edit, { base, diff, now: options.clock() }, options.limits.workspace);
    return edit;
  } catch (thrown) {
    if (thrown instanceof WorkspaceLimitReached) return thrown;
    throw thrown;
  }
}

function sameDirectories(base: Tree, dirs: readonly string[]): boolean {
  if (base.nodes.size - base.files !== dirs.length) return false;
  return dirs.every((path) => base.nodes.get(path)?.type === "directory");
}

/** The context, if it is still as the run found it. Throws `CONFLICT`. */
export function contextAsItWas(
  { record }: SandboxState,
  { lifetime, context }: FoundContext,
): { readonly record: SandboxRecord; readonly before: ContextRecord } {
  const before = record?.contexts.find(({ id }) => id === context.id);
  if (record === undefined || before === undefined || record.lifetime !== lifetime) {
    throw contextDeleted(context.id);
  }
  const same = before.executions === context.executions &&
    before.snapshotRef === context.snapshotRef && before.runtimeId === context.runtimeId;
  if (!same) throw lost(context.id);
  return { record, before };
}

/** Every part of a state that a commit may check. */
function versionOf({ versionstamp, sandboxes, bytes }: SandboxState): string {
  return [versionstamp, sandboxes.versionstamp, bytes.versionstamp].join();
}

function lost(contextId: string): Error {
  return conflict("The lease of the context was lost", contextId);
}

/** A record with another state of one of its contexts. */
export function withContext(record: SandboxRecord, context: ContextRecord): SandboxRecord {
  const contexts = record.contexts.map((old) => old.id === context.id ? context : old);
  return { ...record, contexts };
}

/** The result of a commit. */
export interface CommittedRun {
  readonly context: ContextRecord;
  /** Of the sandbox. Epoch milliseconds; null: never. */
  readonly expiresAt: number | null;
  /** Globals and files are as they were before the run. */
  readonly rolledBack: boolean;
  /** The limit of the workspace that the run's files would have exceeded. */
  readonly limitReached: string | undefined;
}

/** The result for the caller: with the registry's view of the context, without the workspace. */
export function executionResult(
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
    ...(ran.displays === undefined ? {} : { displays: ran.displays }),
    ...(error === undefined ? {} : { error }),
    ...(error !== undefined || ran.exitCode === undefined ? {} : { exitCode: ran.exitCode }),
    ...(ran.unterminated === undefined ? {} : { unterminated: ran.unterminated }),
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
