/**
 * The removal of a stored run.
 *
 * @module
 */
import type { Clock } from "../shared/clock.ts";
import { markDead } from "../store/dead.ts";
import { tenantCounterKey } from "../store/keys.ts";
import {
  runBlobsPrefix,
  runDueKey,
  runLeasesPrefix,
  runPartsPrefix,
  runQueueKey,
  runRecordKey,
} from "../store/run_keys.ts";
import type { Transaction } from "../store/transaction.ts";
import type { KnownRun, StoredRun } from "./stored_run.ts";

/** Runs that are over are there for so long, in milliseconds. */
export const ENDED_MS: number = 24 * 3_600_000;

/** The names of a run. */
export interface RunName {
  readonly tenant: string;
  readonly run: string;
}

/** Adds the removal of a run, its history and its result to a transaction. */
export function removeRun(
  transaction: Transaction,
  { tenant, run }: RunName,
  { record, versionstamp }: KnownRun,
  clock: Clock,
): void {
  const key = runRecordKey(tenant, run);
  transaction.check(key, versionstamp).delete(key).delete(runDueKey(record.dueAt, tenant, run));
  if (record.queue !== undefined) {
    transaction.delete(runQueueKey(record.queue.id, record.queue.n));
  }
  transaction.add(tenantCounterKey(tenant, "bytes"), -record.bytes);
  if (record.end === undefined && record.isKept !== true) {
    transaction.add(tenantCounterKey(tenant, "waiting_runs"), -1);
  }
  const prefixes = [runPartsPrefix(tenant, run), runBlobsPrefix(tenant, run), runLeasesPrefix(run)];
  markDead(transaction, { lifetime: run, prefixes }, clock);
}

/** Adds to a transaction that a run was cancelled, which frees `keptBytes`. Its record and history stay. */
export function cancelRun(
  transaction: Transaction,
  { tenant, run }: RunName,
  { record: { isQueued: _, queue, ...record }, versionstamp }: KnownRun,
  { clock, keptBytes }: { readonly clock: Clock; readonly keptBytes: number },
): void {
  const key = runRecordKey(tenant, run);
  const at = clock();
  const dueAt = at + ENDED_MS;
  const bytes = record.bytes - keptBytes;
  const cancelled: StoredRun = { ...record, bytes, dueAt, end: { at, state: "cancelled" } };
  transaction.check(key, versionstamp).set(key, cancelled)
    .delete(runDueKey(record.dueAt, tenant, run)).set(runDueKey(dueAt, tenant, run), true);
  if (queue !== undefined) transaction.delete(runQueueKey(queue.id, queue.n));
  transaction.add(tenantCounterKey(tenant, "bytes"), -keptBytes);
  transaction.add(tenantCounterKey(tenant, "waiting_runs"), -1);
}
