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

/** A run that is due at a time, in epoch milliseconds. */
export function runDueKey(at: number, tenant: string, run: string): Deno.KvKey {
  return ["run_due", at, tenant, run];
}

/** The runs that are due until a time, inclusive. */
export function runDueSelector(until: number): Deno.KvListSelector {
  return { start: ["run_due", 0], end: ["run_due", until + 1] };
}
