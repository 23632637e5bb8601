/**
 * Copies of waiting runs, as part of the commit of a fork, a checkpoint or a restore. A copy has an id
 * and keys of its own, the history of its source so far, and the files of its beginning.
 *
 * The copy in a checkpoint is only kept: it is not due, and nobody finds it. A restore copies it again;
 * its calls then have the time that they had left.
 *
 * @module
 */
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
import { SourceMoved } from "./context_forks.ts";
import type { OperationOptions } from "./operation_options.ts";
import { type ContextRecord, readRecord, type SandboxRecord } from "./root_record.ts";
import { joinHome } from "./shared_blobs.ts";

/** A run to copy. */
export interface RunCopy {
  readonly tenant: string;
  /** The context in which it waits, and the lifetime of its sandbox or checkpoint. */
  readonly from: { readonly lifetime: string; readonly context: ContextRecord };
  /** Where the copy waits. */
  readonly to: {
    readonly sandbox: string;
    readonly lifetime: string;
    readonly context: ContextRecord;
  };
  /** `kept`: the copy is part of a checkpoint. */
  readonly state: "waiting" | "kept";
  /** Milliseconds by which its calls expire later. */
  readonly laterMs: number;
}

/**
 * Adds a copy of the run that waits in a context to a transaction. Returns the context of the copy,
 * marked; without a run it is as given. Call it in `retryFork`.
 */
export async function copyRun(
  { kv, waiting, clock, onNotice }: OperationOptions,
  transaction: Transaction,
  { tenant, from, to, state, laterMs }: RunCopy,
): Promise<ContextRecord> {
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
    sandbox: to.sandbox,
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
  { run, to: { lifetime, context: { id, runtimeId } } }: Pick<RunCopy, "to"> & {
    readonly run: string;
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
