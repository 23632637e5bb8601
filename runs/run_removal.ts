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
import type { KnownRun } from "./stored_run.ts";

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
