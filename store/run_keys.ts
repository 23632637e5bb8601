/**
 * Keys of stored runs that wait for their callers.
 *
 * | key | value |
 * |---|---|
 * | `run`, tenant, run | record of a run |
 * | `run_part`, tenant, run, n | its beginning, what it showed, and what came, in order |
 * | `run_blob`, tenant, run, write id, n, part | parts that are larger than a value, and its result |
 * | `run_lease`, run, part | turn of a run without a context |
 * | `run_pin`, lifetime, run | the state of the sandbox at the beginning of the run |
 * | `run_queue`, queue, n | a run that waits for its turn in a context, see `sandbox/context_queue.ts` |
 * | `run_notice`, tenant, run, n | a notification that is not delivered |
 * | `run_notice_due`, tenant, time, run, n | notifications of a tenant by the time of their next attempt |
 * | `run_due`, time, tenant, run | runs by the time at which something is to be done for them |
 *
 * @module
 */
import { type BlobKey, type LeaseKeys, leaseKeys } from "./keys.ts";

/** Record of a run. */
export function runRecordKey(tenant: string, run: string): Deno.KvKey {
  return ["run", tenant, run];
}

/** The runs of a tenant that follow an id, or all, the newest first. */
export function runRecordsSelector(tenant: string, after?: string): Deno.KvListSelector {
  const prefix = ["run", tenant];
  return after === undefined ? { prefix } : { prefix, start: [...prefix, `${after}\0`] };
}

/** A part of the history of a run. */
export function runPartKey(tenant: string, run: string, n: number): Deno.KvKey {
  return [...runPartsPrefix(tenant, run), n];
}

/** Prefix of the history of a run. */
export function runPartsPrefix(tenant: string, run: string): Deno.KvKey {
  return ["run_part", tenant, run];
}

/** Bytes of a run. */
export function runBlobKey(tenant: string, run: string): BlobKey {
  return (writeId, n, part) => [...runBlobsPrefix(tenant, run), writeId, n, part];
}

/** Prefix of the bytes of a run. */
export function runBlobsPrefix(tenant: string, run: string): Deno.KvKey {
  return ["run_blob", tenant, run];
}

/** Lease of a run without a context. */
export function runLeaseKeys(run: string): LeaseKeys {
  return leaseKeys("run_lease", run);
}

/** Prefix of the lease of a run. */
export function runLeasesPrefix(run: string): Deno.KvKey {
  return ["run_lease", run];
}

/** The state of a sandbox at the beginning of a run. */
export function runPinKey(lifetime: string, run: string): Deno.KvKey {
  return ["run_pin", lifetime, run];
}

/** A place in the queue of a context. */
export function runQueueKey(queue: string, n: number): Deno.KvKey {
  return [...runQueuePrefix(queue), n];
}

/** Prefix of the queue of a context. */
export function runQueuePrefix(queue: string): Deno.KvKey {
  return ["run_queue", queue];
}

/** All notifications. */
export function runNoticesSelector(): Deno.KvListSelector {
  return { prefix: ["run_notice"] };
}

/** A notification of a run. */
export function runNoticeKey(tenant: string, run: string, n: number): Deno.KvKey {
  return ["run_notice", tenant, run, n];
}

/** A notification whose next attempt is due at a time, in epoch milliseconds. */
export function runNoticeDueKey(
  at: number,
  { tenant, run, n }: { readonly tenant: string; readonly run: string; readonly n: number },
): Deno.KvKey {
  return ["run_notice_due", tenant, at, run, n];
}

/** The notifications of a tenant that are due until a time, inclusive. */
export function runNoticeDueSelector(tenant: string, until: number): Deno.KvListSelector {
  return { start: ["run_notice_due", tenant, 0], end: ["run_notice_due", tenant, until + 1] };
}

/** The notifications of the tenants that follow one, or of all, the first due ones first. */
export function runNoticeTenantsSelector(after: string | undefined): Deno.KvListSelector {
  const prefix = ["run_notice_due"];
  return after === undefined ? { prefix } : { prefix, start: [...prefix, `${after}\0`] };
}

/** A run that is due at a time, in epoch milliseconds. */
export function runDueKey(at: number, tenant: string, run: string): Deno.KvKey {
  return ["run_due", at, tenant, run];
}

/** The runs that are due until a time, inclusive. */
export function runDueSelector(until: number): Deno.KvListSelector {
  return { start: ["run_due", 0], end: ["run_due", until + 1] };
}
