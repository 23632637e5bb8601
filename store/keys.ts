/**
 * Every key of the service is made here.
 *
 * Text of callers (tenant, sandbox id) is always a key part of its own, so no text can reach into
 * another's keys. `lifetime` is a random id given to a sandbox when it is created and never given
 * again: keys under it can be deleted as a whole. `run` is the id of the {@link Transaction} that
 * wrote a blob.
 *
 * | key | value |
 * |---|---|
 * | `sandbox`, tenant, id | root record of a sandbox |
 * | `sandbox_lease`, lifetime, context, `fence` or `deadline` | lease of a context ({@link ./lease.ts}) |
 * | `sandbox_blob`, lifetime, run, n, part | env layers, manifest shards, contents of files |
 * | `sandbox_size`, tenant, `sandboxes` or `bytes` | counters for the quotas of a tenant |
 * | `expiry`, bucket, tenant, id, lifetime | sandboxes by the time they expire ({@link ./expiry.ts}) |
 * | `dead`, lifetime | what of a deleted sandbox is still to be wiped ({@link ./dead.ts}) |
 * | `runtime_wipe`, id | state of runtimes that deleted contexts left, still to be wiped |
 * | `interpreter`, language, key, `context`, context | record of a context |
 * | `interpreter`, language, key, `snapshot`, context, snapshot | index of a snapshot |
 * | `interpreter`, language, key, `blob`, context, snapshot, run, n, part | its pages |
 * | `interpreter_gone`, language, key, or with a context | for a while: what was removed and must not be made again |
 * | `baseline`, language, baseline, `index` | record of a baseline image |
 * | `baseline`, language, baseline, `blob`, run, n, part | its bytes |
 * | `baseline_use`, language, baseline, key, context | a context whose snapshots are differences to it |
 * | `intent`, run | blobs being written ahead of a commit ({@link ./intents.ts}) |
 * | `garbage`, run, n | blobs that a commit superseded and that are still to be deleted |
 * | `service_lease`, name, `fence` or `deadline` | leases of work that one process does for all |
 *
 * @module
 */

/**
 * Where the parts of a blob lie: `run` and `n` tell blobs apart, `part` counts from 0. The last
 * three parts of the key must be exactly these, in this order.
 */
export type BlobKey = (run: string, n: number, part: number) => Deno.KvKey;

/** The two keys of a lease. */
export interface LeaseKeys {
  readonly fence: Deno.KvKey;
  readonly deadline: Deno.KvKey;
}

/** The counters kept for each tenant. */
export type TenantCounter = "sandboxes" | "bytes";

/** Root record of a sandbox. */
export function sandboxKey(tenant: string, id: string): Deno.KvKey {
  return ["sandbox", tenant, id];
}

/** Lease of one context of a sandbox. */
export function sandboxLeaseKeys(lifetime: string, contextId: string): LeaseKeys {
  return leaseKeys("sandbox_lease", lifetime, contextId);
}

/** Prefix of all leases of a sandbox. */
export function sandboxLeasesPrefix(lifetime: string): Deno.KvKey {
  return ["sandbox_lease", lifetime];
}

/** Blobs of a sandbox. */
export function sandboxBlobKey(lifetime: string): BlobKey {
  return (run, n, part) => ["sandbox_blob", lifetime, run, n, part];
}

/** Prefix of all blobs of a sandbox. */
export function sandboxBlobsPrefix(lifetime: string): Deno.KvKey {
  return ["sandbox_blob", lifetime];
}

/** A counter of a tenant, to be moved with `Transaction.add`. */
export function tenantCounterKey(tenant: string, counter: TenantCounter): Deno.KvKey {
  return ["sandbox_size", tenant, counter];
}

/** A sandbox in the index of expiry. */
export function expiryKey(
  bucket: number,
  sandbox: { readonly tenant: string; readonly id: string; readonly lifetime: string },
): Deno.KvKey {
  return ["expiry", bucket, sandbox.tenant, sandbox.id, sandbox.lifetime];
}

/** The index of expiry up to and including a bucket. */
export function expirySelector(lastBucket: number): Deno.KvListSelector {
  return { start: ["expiry", 0], end: ["expiry", lastBucket + 1] };
}

/** Record of a lifetime that is over. */
export function deadKey(lifetime: string): Deno.KvKey {
  return ["dead", lifetime];
}

/** Prefix of all lifetimes that are over and not yet wiped. */
export function deadPrefix(): Deno.KvKey {
  return ["dead"];
}

/** State that a deleted context or sandbox left at a runtime. */
export function runtimeWipeKey(id: string): Deno.KvKey {
  return ["runtime_wipe", id];
}

/** Prefix of all state that runtimes are still to wipe. */
export function runtimeWipesPrefix(): Deno.KvKey {
  return ["runtime_wipe"];
}

/** Prefix of everything an interpreter object keeps. `key`: 64 hex digits of the sandbox. */
export function interpreterPrefix(language: string, key: string): Deno.KvKey {
  return ["interpreter", language, key];
}

/** Prefix of the records of all contexts of an interpreter object. */
export function interpreterContextsPrefix(language: string, key: string): Deno.KvKey {
  return [...interpreterPrefix(language, key), "context"];
}

/** Record of one context. */
export function interpreterContextKey(
  language: string,
  key: string,
  contextId: string,
): Deno.KvKey {
  return [...interpreterContextsPrefix(language, key), contextId];
}

/** Prefix of the snapshots of one context. */
export function interpreterSnapshotsPrefix(
  language: string,
  key: string,
  contextId: string,
): Deno.KvKey {
  return [...interpreterPrefix(language, key), "snapshot", contextId];
}

/** Index of one snapshot. */
export function interpreterSnapshotKey(
  language: string,
  key: string,
  contextId: string,
  snapshotId: string,
): Deno.KvKey {
  return [...interpreterSnapshotsPrefix(language, key, contextId), snapshotId];
}

/** Prefix of the pages of one context, of all its snapshots. */
export function interpreterBlobsPrefix(
  language: string,
  key: string,
  contextId: string,
): Deno.KvKey {
  return [...interpreterPrefix(language, key), "blob", contextId];
}

/** Pages written for one snapshot. */
export function interpreterBlobKey(
  language: string,
  key: string,
  contextId: string,
  snapshotId: string,
): BlobKey {
  const prefix = [...interpreterBlobsPrefix(language, key, contextId), snapshotId];
  return (run, n, part) => [...prefix, run, n, part];
}

/** Mark of a context that was removed, or without one of all of an interpreter object. */
export function interpreterGoneKey(
  language: string,
  key: string,
  contextId?: string,
): Deno.KvKey {
  return ["interpreter_gone", language, key, ...contextId === undefined ? [] : [contextId]];
}

/** Prefix of all baselines of a language. */
export function baselinesPrefix(language: string): Deno.KvKey {
  return ["baseline", language];
}

/** Prefix of one baseline: its record and its bytes. */
export function baselinePrefix(language: string, baselineId: string): Deno.KvKey {
  return [...baselinesPrefix(language), baselineId];
}

/** Record of one baseline. */
export function baselineKey(language: string, baselineId: string): Deno.KvKey {
  return [...baselinePrefix(language, baselineId), "index"];
}

/** That a context's snapshots are differences to a baseline. */
export function baselineUseKey(
  language: string,
  baselineId: string,
  key: string,
  contextId: string,
): Deno.KvKey {
  return [...baselineUsesPrefix(language, baselineId), key, contextId];
}

/** Prefix of the uses of one baseline. */
export function baselineUsesPrefix(language: string, baselineId: string): Deno.KvKey {
  return ["baseline_use", language, baselineId];
}

/** The baselines of a language after one of them, or all. */
export function baselinesSelector(language: string, after?: string): Deno.KvListSelector {
  const prefix = baselinesPrefix(language);
  return after === undefined ? { prefix } : { prefix, start: [...prefix, `${after}\0`] };
}

/** Bytes of one baseline. */
export function baselineBlobKey(language: string, baselineId: string): BlobKey {
  const prefix = [...baselinePrefix(language, baselineId), "blob"];
  return (run, n, part) => [...prefix, run, n, part];
}

/** Intent of one transaction. */
export function intentKey(run: string): Deno.KvKey {
  return ["intent", run];
}

/** Prefix of all intents. */
export function intentsPrefix(): Deno.KvKey {
  return ["intent"];
}

/** The n-th list of blobs that a transaction superseded. */
export function garbageKey(run: string, n: number): Deno.KvKey {
  return ["garbage", run, n];
}

/** Prefix of the lists of blobs that a transaction superseded. */
export function garbagePrefix(run: string): Deno.KvKey {
  return ["garbage", run];
}

/** Lease of work that one process at a time does for all, by the name of the work. */
export function serviceLeaseKeys(name: string): LeaseKeys {
  return leaseKeys("service_lease", name);
}

/** Nothing lies there: whoever reads it asks only whether the store answers. */
export const PROBE_KEY: Deno.KvKey = ["probe"];

function leaseKeys(...prefix: readonly string[]): LeaseKeys {
  return { fence: [...prefix, "fence"], deadline: [...prefix, "deadline"] };
}
