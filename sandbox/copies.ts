/**
 * Copies of contexts and of whole sandboxes, as part of the commit that names them: forks,
 * checkpoints and restores consist of them. A copy shares the files, variables and memory of its
 * source.
 *
 * A run that waits in a context is copied too. Its copy has an id and keys of its own, the history
 * of its source so far, and the files of its beginning. Runs in the queue of a context are not copied.
 * The copy in a checkpoint is not due, and no
 * route finds it. A restore copies it again; its calls then have the time that they had left.
 *
 * @module
 */
import { conflict } from "../shared/errors.ts";
import {
  type CopiedPart,
  historyParts,
  putPart,
  readParts,
  readStoredRun,
  type RunBeginning,
  type RunPart,
} from "../runs/stored_run.ts";
import { putNotice } from "../runs/run_notices.ts";
import { tenantCounterKey } from "../store/keys.ts";
import { runDueKey, runPinKey, runRecordKey } from "../store/run_keys.ts";
import type { Transaction } from "../store/transaction.ts";
import { runtimeAddress } from "./contexts.ts";
import type { OperationOptions } from "./operation_options.ts";
import {
  type ContextRecord,
  emptyRecord,
  readRecord,
  type SandboxAddress,
  type SandboxRecord,
  type SandboxState,
} from "./root_record.ts";
import { type HomeMember, joinHome } from "./shared_blobs.ts";

/** A context, and the sandbox or checkpoint in which it is. */
export interface ContextPlace {
  readonly address: SandboxAddress;
  readonly lifetime: string;
  readonly context: ContextRecord;
}

/** A context to copy. */
export interface ContextCopy {
  readonly from: ContextPlace;
  readonly to: ContextPlace;
  /** `kept`: the copy of a waiting run is part of a checkpoint. */
  readonly runs: "waiting" | "kept";
  /** Milliseconds by which the calls of a waiting run expire later. */
  readonly laterMs: number;
}

/** How often a source may change before its state is copied. */
const ATTEMPTS = 20;

/** A source has another state by now. */
class SourceMoved extends Error {
  override readonly name = "SourceMoved";
}

/** Repeats work while the sources of its copies change. `CONFLICT` after many attempts. */
export async function retryCopy<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof SourceMoved)) throw thrown;
    }
  }
  throw conflict("The sandbox kept changing; try again");
}

/**
 * Adds a copy of a context to a transaction. Returns its record, which is marked if a run waits in
 * it. Call it in {@link retryCopy}.
 */
export async function copyContext(
  options: OperationOptions,
  transaction: Transaction,
  copy: ContextCopy,
): Promise<ContextRecord> {
  const { from, to } = copy;
  const { binding, snapshotRef } = from.context;
  // a context without a state has nothing to share: its first run creates it
  if (snapshotRef !== null) {
    const fork = await options.bindings.contexts(binding).fork(
      runtimeAddress(from.address, from),
      runtimeAddress(to.address, to),
      snapshotRef,
    );
    // a context that is behind has run since its sandbox was read
    if (fork === undefined || fork.isBehind) throw new SourceMoved();
    transaction.join(fork.writes);
  }
  return await copyRun(options, transaction, copy);
}

/** A sandbox to copy. */
export interface CopySource extends SandboxState {
  /** Its record, which has a home. */
  readonly record: SandboxRecord;
}

/**
 * Adds a copy of a whole sandbox, under a new lifetime, to a transaction that also checks the
 * version of the source. Call it in {@link retryCopy}. Returns the record of the copy. `member`:
 * where that will be.
 */
export async function copySandbox(
  options: OperationOptions,
  transaction: Transaction,
  { from, to, member, runs, laterMs = 0 }: {
    readonly from: CopySource;
    readonly to: SandboxAddress;
    readonly member: HomeMember;
    readonly runs: ContextCopy["runs"];
    /** Milliseconds by which the calls of waiting runs expire later. @default {0} */
    readonly laterMs?: number;
  },
): Promise<SandboxRecord> {
  const { address, record: { lifetime, home, env, contexts, workspace } } = from;
  if (home === undefined) throw new SourceMoved(); // another sandbox of that name
  const toLifetime = options.ids();
  const copied = await Promise.all(contexts.map((source) => {
    const { runtimeId: _, waiting: __, queue: ___, ...context } = source;
    return copyContext(options, transaction, {
      from: { address, lifetime, context: source },
      to: { address: to, lifetime: toLifetime, context },
      runs,
      laterMs,
    });
  }));
  const copy: SandboxRecord = {
    ...emptyRecord(toLifetime, options.clock()),
    home,
    env,
    contexts: copied,
    workspace,
  };
  joinHome(transaction, copy, member);
  return copy;
}

/** Copies the run that waits in a context. Returns the context of the copy, marked if there is one. */
async function copyRun(
  { kv, waiting, clock, onNotice }: OperationOptions,
  transaction: Transaction,
  { from, to, runs: state, laterMs }: ContextCopy,
): Promise<ContextRecord> {
  const { tenant } = to.address;
  const { waiting: mark } = from.context;
  if (mark === undefined) return to.context;
  const source = { tenant, run: mark.run };
  const entry = await kv.get(runRecordKey(tenant, source.run));
  const pin = await kv.get<{ readonly state: unknown }>(runPinKey(from.lifetime, source.run));
  const record = readStoredRun(entry.value);
  const pinned = pin.value === null ? undefined : readRecord(pin.value.state);
  const [beginning] = await readParts<RunBeginning>(kv, { ...source, from: 0 });
  const parts = await readParts<RunPart>(kv, { ...source, from: 1 });
  const isThere = record !== undefined && record.end === undefined && pinned !== undefined;
  if (!isThere || beginning === undefined) throw new SourceMoved();
  transaction.check(runRecordKey(tenant, source.run), entry.versionstamp);

  const run = waiting.newId();
  const copied = { tenant, run };
  const ownPin = pinOf(pinned, { run, to });
  if (ownPin.home !== undefined) joinHome(transaction, ownPin, { owner: to.lifetime, run });
  transaction.set(runPinKey(to.lifetime, run), { state: ownPin });
  const part = partOf(parts, { from: source.run, to: run, laterMs });
  const bytes = putPart(transaction, { ...copied, n: 0 }, { ...beginning, key: undefined }) +
    putPart(transaction, { ...copied, n: 1 }, part) + ownPin.workspace.bytes;
  const dueAt = record.dueAt + laterMs;
  transaction.set(runRecordKey(tenant, run), {
    ...record,
    sandbox: to.address.id,
    lifetime: to.lifetime,
    contextId: to.context.id,
    isKept: state === "kept",
    parts: 2,
    dueAt,
    bytes,
  });
  transaction.add(tenantCounterKey(tenant, "bytes"), bytes);
  if (state === "waiting") {
    await waiting.checkCount(tenant);
    transaction.add(tenantCounterKey(tenant, "waiting_runs"), 1);
    transaction.set(runDueKey(dueAt, tenant, run), true);
    const { language, createdAt, notify } = record;
    const told = { language, createdAt, contextId: to.context.id };
    putNotice(transaction, notify === undefined ? told : { ...told, notify }, {
      ...copied,
      n: 1,
      state,
      clock,
      onNotice,
    });
  }
  return { ...to.context, waiting: { ...mark, run } };
}

/** The sandbox at the beginning of a run, for its copy. */
function pinOf(
  pinned: SandboxRecord,
  { run, to: { lifetime, context: { id, runtimeId } } }: {
    readonly run: string;
    readonly to: ContextPlace;
  },
): SandboxRecord {
  const contexts = pinned.contexts.map(({ runtimeId: _, ...before }) => ({
    ...before,
    id,
    ...(runtimeId === undefined ? {} : { runtimeId }),
  }));
  return { ...pinned, lifetime: `${lifetime}-${run}`, contexts };
}

/** The history of a run as one part, with the keys of its copy. */
function partOf(
  parts: readonly RunPart[],
  { from, to, laterMs }: { readonly from: string; readonly to: string; readonly laterMs: number },
): CopiedPart {
  const { calls, questions, entries, digests, verdicts } = historyParts(parts);
  const answered = new Set(digests.map(([key]) => key));
  const rekeyed = (key: string) => `${to}${key.slice(from.length)}`;
  const shown = <S extends { readonly key: string; readonly expiresAt: number }>(one: S): S => ({
    ...one,
    key: rekeyed(one.key),
    expiresAt: one.expiresAt + laterMs,
  });
  return {
    calls: calls.map(shown),
    question: null,
    questions: questions.map(shown),
    entries,
    digests: digests.map(([key, digest]) => [rekeyed(key), digest] as const),
    // a copy performs nothing that was approved for its source
    verdicts: verdicts.filter(([key]) => answered.has(key))
      .map(([key, decision]) => [rekeyed(key), decision] as const),
  };
}
