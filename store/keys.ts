/**
 * Every key of the service is made here, those of shared blobs in {@link ./home_keys.ts}.
 *
 * Text of callers (tenant, sandbox id) is always a key part of its own, so no text can reach into
 * another's keys. `lifetime` is a random id that a sandbox gets when it is created and that is
 * never reused: keys under it can be deleted as a whole. A write id names the transaction
 * ({@link ./transaction.ts}) that wrote a blob. A sandbox key identifies a sandbox at runtimes.
 *
 * | key | value |
 * |---|---|
 * | `sandbox`, tenant, id | root record of a sandbox |
 * | `sandbox_lease`, lifetime, context, `fence` or `deadline` | lease of a context ({@link ./lease.ts}) |
 * | `sandbox_blob`, lifetime or home, write id, n, part | env layers, manifest shards, contents of files |
 * | `sandbox_checkpoint`, lifetime, checkpoint | a checkpoint of a sandbox |
 * | `sandbox_upload`, lifetime, path | an unfinished upload |
 * | `sandbox_answer`, lifetime, `key`, key | a stored answer, by the key of its run |
 * | `sandbox_answer`, lifetime, `time`, time of expiry, key | the same answers by time |
 * | `sandbox_size`, tenant, `sandboxes`, `bytes` or `waiting_runs` | counters for the quotas of a tenant |
 * | `expiry`, bucket, tenant, id, lifetime | sandboxes by their time of expiry ({@link ./expiry.ts}) |
 * | `answer_expiry`, bucket, tenant, id, lifetime | sandboxes by the time at which their oldest stored answer expires |
 * | `upload_expiry`, bucket, tenant, id, lifetime | sandboxes by the time at which an unfinished upload may expire |
 * | `dead`, lifetime | what must still be wiped of a deleted sandbox ({@link ./dead.ts}) |
 * | `runtime_wipe`, id | state that deleted contexts left at runtimes and that must still be wiped |
 * | `interpreter`, language, sandbox key, `context`, context | record of a context |
 * | `interpreter`, language, sandbox key, `snapshot`, context, snapshot | index of a snapshot |
 * | `interpreter`, language, sandbox key, `blob`, context, snapshot, write id, n, part | its pages |
 * | `interpreter_shared`, language, home, `mark` or `forks` or `member`, sandbox key, context | a context whose snapshots others share, and who does |
 * | `interpreter_unswept`, language, home | the same while it may have snapshots that nobody needs |
 * | `baseline` or `module`, language, name, `index` | record of a baseline, or of the module of an engine digest |
 * | `baseline` or `module`, language, name, `blob`, write id, n, part | its bytes |
 * | `baseline_use` or `module_use`, language, name, sandbox key, context | a context that needs it |
 * | `intent`, write id | blobs being written ahead of a commit ({@link ./intents.ts}) |
 * | `garbage`, write id, n | blobs that a commit superseded and that must still be deleted |
 * | `service_lease`, name, `fence` or `deadline` | leases of work that one process does for all |
 *
 * @module
 */

/**
 * The keys of the parts of a blob: `writeId` and `n` identify the blob, `part` counts from 0. The
 * key must end with exactly these three, in this order.
 */
export type BlobKey = (writeId: string, n: number, part: number) => Deno.KvKey;

/** The two keys of a lease. */
export interface LeaseKeys {
  readonly fence: Deno.KvKey;
  readonly deadline: Deno.KvKey;
}

/** The counters kept for each tenant. */
export type TenantCounter = "sandboxes" | "bytes" | "waiting_runs";

/** Root record of a sandbox. */
export function rootRecordKey(tenant: string, id: string): Deno.KvKey {
  return ["sandbox", tenant, id];
}

/** The root records of a tenant's sandboxes in order of id: those that follow an id, or all. */
export function rootRecordsSelector(tenant: string, after?: string): Deno.KvListSelector {
  return selectorAfter(["sandbox", tenant], after);
}

/** Lease of one context of a sandbox. */
export function sandboxLeaseKeys(lifetime: string, contextId: string): LeaseKeys {
  return leaseKeys("sandbox_lease", lifetime, contextId);
}

/** Prefix of all leases of a sandbox. */
export function sandboxLeasesPrefix(lifetime: string): Deno.KvKey {
  return ["sandbox_lease", lifetime];
}

/** Blobs of a sandbox, or of a home of several. */
export function sandboxBlobKey(lifetime: string): BlobKey {
  return (writeId, n, part) => ["sandbox_blob", lifetime, writeId, n, part];
}

/** Prefix of all blobs of a sandbox. */
export function sandboxBlobsPrefix(lifetime: string): Deno.KvKey {
  return ["sandbox_blob", lifetime];
}

/** A checkpoint of a sandbox. */
export function checkpointKey(lifetime: string, id: string): Deno.KvKey {
  return [...checkpointsPrefix(lifetime), id];
}

/** Prefix of all checkpoints of a sandbox. */
export function checkpointsPrefix(lifetime: string): Deno.KvKey {
  return ["sandbox_checkpoint", lifetime];
}

/** An unfinished upload of a sandbox, by the path of its file. */
export function uploadKey(lifetime: string, path: string): Deno.KvKey {
  return [...uploadsPrefix(lifetime), path];
}

/** Prefix of all unfinished uploads of a sandbox. */
export function uploadsPrefix(lifetime: string): Deno.KvKey {
  return ["sandbox_upload", lifetime];
}

/** A stored answer of a sandbox, by the key of its run. */
export function storedAnswerKey(lifetime: string, key: string): Deno.KvKey {
  return [...storedAnswersPrefix(lifetime), "key", key];
}

/** The same answer in order of time. `expiresAt`: epoch milliseconds. */
export function answerTimeKey(lifetime: string, expiresAt: number, key: string): Deno.KvKey {
  return [...answerTimesPrefix(lifetime), expiresAt, key];
}

/** Prefix of the stored answers of a sandbox in order of time. */
export function answerTimesPrefix(lifetime: string): Deno.KvKey {
  return [...storedAnswersPrefix(lifetime), "time"];
}

/** Prefix of all stored answers of a sandbox. */
export function storedAnswersPrefix(lifetime: string): Deno.KvKey {
  return ["sandbox_answer", lifetime];
}

/** A counter of a tenant, which `Transaction.add` moves. */
export function tenantCounterKey(tenant: string, counter: TenantCounter): Deno.KvKey {
  return ["sandbox_size", tenant, counter];
}

/** The indexes of expiry: of sandboxes, of their stored answers, and of their unfinished uploads. */
export type ExpiryIndex = "expiry" | "answer_expiry" | "upload_expiry";

/** A sandbox in an index of expiry. */
export function expiryKey(
  bucket: number,
  sandbox: { readonly tenant: string; readonly id: string; readonly lifetime: string },
  index: ExpiryIndex = "expiry",
): Deno.KvKey {
  return [index, bucket, sandbox.tenant, sandbox.id, sandbox.lifetime];
}

/** A tenant's sandboxes in one bucket of an index of expiry. */
export interface ExpirySpan {
  readonly bucket: number;
  readonly tenant: string;
}

/** An index of expiry up to and including a bucket: what follows a span, or all. */
export function expirySelector(
  lastBucket: number,
  index: ExpiryIndex = "expiry",
  after?: ExpirySpan,
): Deno.KvListSelector {
  const start = after === undefined ? [0] : [after.bucket, `${after.tenant}\0`];
  return { start: [index, ...start], end: [index, lastBucket + 1] };
}

/** The entries of a span of an index of expiry. */
export function expirySpanPrefix({ bucket, tenant }: ExpirySpan, index: ExpiryIndex): Deno.KvKey {
  return [index, bucket, tenant];
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

/** Prefix of all state that runtimes must still wipe. */
export function runtimeWipesPrefix(): Deno.KvKey {
  return ["runtime_wipe"];
}

/** Prefix of everything that a context host stores for a sandbox. */
export function interpreterPrefix(language: string, sandboxKey: string): Deno.KvKey {
  return ["interpreter", language, sandboxKey];
}

/** Prefix of the records of all contexts of a sandbox. */
export function interpreterContextsPrefix(language: string, sandboxKey: string): Deno.KvKey {
  return [...interpreterPrefix(language, sandboxKey), "context"];
}

/** Record of one context. */
export function interpreterContextKey(
  language: string,
  sandboxKey: string,
  contextId: string,
): Deno.KvKey {
  return [...interpreterContextsPrefix(language, sandboxKey), contextId];
}

/** Prefix of the snapshots of one context. */
export function interpreterSnapshotsPrefix(
  language: string,
  sandboxKey: string,
  contextId: string,
): Deno.KvKey {
  return [...interpreterPrefix(language, sandboxKey), "snapshot", contextId];
}

/** Index of one snapshot. */
export function interpreterSnapshotKey(
  language: string,
  sandboxKey: string,
  contextId: string,
  snapshotId: string,
): Deno.KvKey {
  return [...interpreterSnapshotsPrefix(language, sandboxKey, contextId), snapshotId];
}

/** Prefix of the pages of all snapshots of one context. */
export function interpreterBlobsPrefix(
  language: string,
  sandboxKey: string,
  contextId: string,
): Deno.KvKey {
  return [...interpreterPrefix(language, sandboxKey), "blob", contextId];
}

/** Pages written for one snapshot. */
export function interpreterBlobKey(
  language: string,
  sandboxKey: string,
  contextId: string,
  snapshotId: string,
): BlobKey {
  const prefix = [...interpreterBlobsPrefix(language, sandboxKey, contextId), snapshotId];
  return (writeId, n, part) => [...prefix, writeId, n, part];
}

/** A context at a runtime, as part of keys. */
export interface ContextKeyParts {
  readonly sandboxKey: string;
  readonly contextId: string;
}

/** Present once others share the snapshots of a context, the home of them all. */
export function sharedMarkKey(language: string, home: ContextKeyParts): Deno.KvKey {
  return [...sharedPrefix(language, home), "mark"];
}

/** Changes whenever another context begins to share. */
export function sharedForksKey(language: string, home: ContextKeyParts): Deno.KvKey {
  return [...sharedPrefix(language, home), "forks"];
}

/** A context that shares the snapshots of a home. */
export function sharedMemberKey(
  language: string,
  home: ContextKeyParts,
  member: ContextKeyParts,
): Deno.KvKey {
  return [...sharedMembersPrefix(language, home), member.sandboxKey, member.contextId];
}

/** Prefix of all contexts that share the snapshots of a home. */
export function sharedMembersPrefix(language: string, home: ContextKeyParts): Deno.KvKey {
  return [...sharedPrefix(language, home), "member"];
}

/** Prefix of the homes of a sandbox. */
export function sharedHomesPrefix(language: string, sandboxKey: string): Deno.KvKey {
  return ["interpreter_shared", language, sandboxKey];
}

function sharedPrefix(language: string, { sandboxKey, contextId }: ContextKeyParts): Deno.KvKey {
  return [...sharedHomesPrefix(language, sandboxKey), contextId];
}

/** A home that may have snapshots that nobody needs. */
export function unsweptKey(language: string, home: ContextKeyParts): Deno.KvKey {
  return [...unsweptPrefix(language), home.sandboxKey, home.contextId];
}

/** Prefix of all such homes. */
export function unsweptPrefix(language: string): Deno.KvKey {
  return ["interpreter_unswept", language];
}

/** The parts of engines that the store keeps for contexts. */
export const ENGINE_PARTS = ["baseline", "module"] as const;
/** One of them. */
export type EnginePart = typeof ENGINE_PARTS[number];

/** Record of one engine part. */
export function enginePartKey(part: EnginePart, language: string, name: string): Deno.KvKey {
  return [part, language, name, "index"];
}

/** The names of the engine parts of a language that follow the given one, or all. */
export function enginePartsSelector(
  part: EnginePart,
  language: string,
  after?: string,
): Deno.KvListSelector {
  return selectorAfter([part, language], after);
}

/** The bytes of one engine part. */
export function enginePartBlobKey(part: EnginePart, language: string, name: string): BlobKey {
  return (
    writeId,
    n,
    number,
  ) => [...enginePartBlobsPrefix(part, language, name, writeId), n, number];
}

/** Prefix of the bytes of one engine part that one transaction wrote. */
export function enginePartBlobsPrefix(
  part: EnginePart,
  language: string,
  name: string,
  writeId: string,
): Deno.KvKey {
  return [part, language, name, "blob", writeId];
}

/** The bytes of one engine part whose write ids follow the given one, or all. */
export function enginePartBlobsSelector(
  part: EnginePart,
  language: string,
  name: string,
  after?: string,
): Deno.KvListSelector {
  return selectorAfter([part, language, name, "blob"], after);
}

/** Marks that a context needs a engine part. */
export function partUseKey(
  part: EnginePart,
  language: string,
  name: string,
  context: { readonly sandboxKey: string; readonly contextId: string },
): Deno.KvKey {
  return [...partUsesPrefix(part, language, name), context.sandboxKey, context.contextId];
}

/** Prefix of the uses of one engine part. */
export function partUsesPrefix(part: EnginePart, language: string, name: string): Deno.KvKey {
  return [`${part}_use`, language, name];
}

/** Intent of one transaction. */
export function intentKey(writeId: string): Deno.KvKey {
  return ["intent", writeId];
}

/** Prefix of all intents. */
export function intentsPrefix(): Deno.KvKey {
  return ["intent"];
}

/** The n-th list of blobs that a transaction superseded. */
export function garbageKey(writeId: string, n: number): Deno.KvKey {
  return ["garbage", writeId, n];
}

/** Prefix of the lists of blobs that a transaction superseded. */
export function garbagePrefix(writeId: string): Deno.KvKey {
  return ["garbage", writeId];
}

/** Lease of work that one process at a time does for all, by name of the work. */
export function serviceLeaseKeys(name: string): LeaseKeys {
  return leaseKeys("service_lease", name);
}

/** A key without a value: reading it only tests whether the store answers. */
export const PROBE_KEY: Deno.KvKey = ["probe"];

/** The keys below a prefix whose next part follows a text, or all. */
function selectorAfter(prefix: Deno.KvKey, after: string | undefined): Deno.KvListSelector {
  return after === undefined ? { prefix } : { prefix, start: [...prefix, `${after}\0`] };
}

/** The keys of a lease below a prefix. */
export function leaseKeys(...prefix: readonly string[]): LeaseKeys {
  return { fence: [...prefix, "fence"], deadline: [...prefix, "deadline"] };
}
