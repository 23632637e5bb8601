/**
 * A change of a sandbox that is not committed yet: the next root record, and in the same commit the
 * blobs that it names, the index of expiry and the counters of the tenant.
 *
 * @module
 */
import type { BlobRef } from "../store/blobs.ts";
import { markDead } from "../store/dead.ts";
import { moveExpiry } from "../store/expiry.ts";
import {
  answerTimesPrefix,
  checkpointsPrefix,
  rootRecordKey,
  sandboxBlobKey,
  sandboxBlobsPrefix,
  sandboxLeaseKeys,
  sandboxLeasesPrefix,
  storedAnswersPrefix,
  uploadsPrefix,
} from "../store/keys.ts";
import { runDueKey } from "../store/run_keys.ts";
import type { KvStore } from "../store/kv.ts";
import { Transaction } from "../store/transaction.ts";
import { quotaUsedUp } from "../shared/errors.ts";
import type { SandboxQuotas } from "../shared/limits.ts";
import { encodeLayer, type EnvVars } from "./env_layers.ts";
import { encodeShard, planShards } from "./manifest_shards.ts";
import {
  type Counter,
  hasCommit,
  homeOf,
  type SandboxRecord,
  type SandboxState,
  withCommit,
} from "./root_record.ts";
import { joinHome, leaveBlobs, leaveHome } from "./shared_blobs.ts";
import { countedBytes, storedBytes } from "./stored_bytes.ts";
import { Tree, type TreeEdit } from "./tree.ts";

/** Uses move the time of expiry in steps of this fraction of the whole, not each time. */
const STEPS_PER_TTL = 20;
/**
 * How close to a quota the commits of a tenant start to check each other's counts; farther away
 * they only add. It is more than the total of all commits in flight.
 */
const CLOSE_TO_QUOTA = { sandboxes: 1_024, "tenant bytes": 1_073_741_824 } as const;

/** Bytes that are left to the sweep of a home. */
export interface LeftBytes {
  readonly home: string;
  readonly bytes: number;
}

/** An unfinished upload that ends with its sandbox. */
export interface EndedUpload {
  readonly key: Deno.KvKey;
  readonly parts: BlobRef;
}

/** A sandbox with a waiting run lives longer than the run waits by this factor. */
const WAIT_MARGIN = 1.1;

type Quota = keyof typeof CLOSE_TO_QUOTA;

/** Whether a tenant is so far from its quotas that commits only add to its counters. */
export function isFarFromQuotas(
  { sandboxes, bytes }: SandboxState,
  { maxSandboxes, maxTenantBytes }: SandboxQuotas,
): boolean {
  return sandboxes.count <= maxSandboxes - CLOSE_TO_QUOTA.sandboxes &&
    bytes.count <= maxTenantBytes - CLOSE_TO_QUOTA["tenant bytes"];
}

/** The time at which a sandbox that is used now expires. Epoch milliseconds; null: never. */
export function expiryAfterUse(
  before: number | null,
  now: number,
  ttlMs: number,
): number | null {
  if (ttlMs === 0) return null;
  const expiresAt = now + ttlMs;
  const isNear = before !== null && Math.abs(expiresAt - before) < ttlMs / STEPS_PER_TTL;
  return isNear ? before : expiresAt;
}

/** Options of a draft. */
export interface DraftOptions {
  readonly kv: KvStore;
  /** Write id of its transaction, never used before. */
  readonly writeId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The next state of a sandbox, under construction. */
export class Draft {
  readonly transaction: Transaction;
  /** Id of the transaction. */
  readonly #writeId: string;
  readonly #state: SandboxState;
  readonly #now: number;
  #record: SandboxRecord | undefined;
  #tree: Tree | undefined;
  #left: LeftBytes | undefined;
  #changed = false;
  #leavesState = false;
  #isUse = true;

  constructor(state: SandboxState, { kv, writeId, now }: DraftOptions) {
    this.transaction = new Transaction(kv, { writeId, clock: () => now });
    this.#writeId = writeId;
    this.#state = state;
    this.#record = state.record;
    this.#now = now;
  }

  /**
   * Whether a state is the result of this draft's own commit. When an answer is lost, Deno's client
   * of a KV server commits again, which is then refused.
   */
  isDoneIn({ record }: SandboxState): boolean {
    return record !== undefined && hasCommit(record, this.#writeId, undefined) === true;
  }

  /**
   * Whether a state is certainly without this draft's own commit: it names every commit since, or
   * belongs to another sandbox of the same name.
   */
  isMissingIn({ record }: SandboxState): boolean {
    const { record: before } = this.#state;
    if (record === undefined || record.lifetime !== before?.lifetime) return true;
    return hasCommit(record, this.#writeId, before.commit) === false;
  }

  /** Whether there is anything to commit. */
  get changed(): boolean {
    return this.#changed;
  }

  /** The next record; undefined: no such sandbox. */
  get record(): SandboxRecord | undefined {
    return this.#record;
  }

  /** The next files, when this draft changes them. */
  get tree(): Tree | undefined {
    return this.#tree;
  }

  /** When the sandbox will expire once this is committed. Epoch milliseconds; null: never. */
  expiresAt({ idleTtlMs }: SandboxQuotas): number | null {
    const endAt = this.#record?.term?.endAt;
    if (endAt !== undefined) return endAt;
    const before = this.#record?.expiresAt ?? null;
    if (!this.#isUse) return before;
    return expiryAfterUse(before, this.#now, this.#ttlMs(idleTtlMs));
  }

  /** A sandbox lives as long as the runs that wait in it. */
  #ttlMs(idleTtlMs: number): number {
    if (idleTtlMs === 0) return 0;
    const waits = (this.#record?.contexts ?? [])
      .map(({ waiting, queue }) => (waiting ?? queue)?.waitMs ?? 0);
    return Math.max(idleTtlMs, ...waits.map((waitMs) => waitMs * WAIT_MARGIN));
  }

  /** The change is the service's own: it does not count as a use. */
  asMaintenance(): void {
    this.#isUse = false;
  }

  /** Sets the next record. */
  update(record: SandboxRecord): void {
    this.#record = record;
    this.#changed = true;
  }

  /** Stores the variables of a scope, in place of others; null when there are none. */
  keepLayer(record: SandboxRecord, old: BlobRef | null, layer: EnvVars): BlobRef | null {
    this.drop(record, old);
    if (layer.size === 0) return null;
    return this.transaction.putBlob(sandboxBlobKey(homeOf(record)), encodeLayer(layer));
  }

  /** Stores a notebook of a context, in place of another one. */
  keepNotebook(
    record: SandboxRecord,
    old: BlobRef | undefined,
    contents: Uint8Array<ArrayBuffer>,
  ): BlobRef {
    this.drop(record, old ?? null);
    return this.transaction.putBlob(sandboxBlobKey(homeOf(record)), contents);
  }

  /** The state after the commit, with the version of that. */
  after(versionstamp: string): SandboxState {
    const { address, record: before, sandboxes, bytes } = this.#state;
    const record = this.#record;
    const moved = (counter: Counter, more: number): Counter =>
      more === 0 ? counter : { ...counter, versionstamp, count: counter.count + more };
    return {
      address,
      record,
      versionstamp,
      sandboxes: moved(sandboxes, Number(record !== undefined) - Number(before !== undefined)),
      bytes: moved(bytes, countedBytes(record) - countedBytes(before)),
    };
  }

  /** Deletes a blob of the state before, or leaves it to the sweep of a home. */
  drop(record: SandboxRecord, ref: BlobRef | null): void {
    if (ref === null) return;
    if (record.home === undefined) {
      this.transaction.deleteBlob(sandboxBlobKey(record.lifetime), ref);
    } else this.leave(record.home, ref.bytes);
  }

  /** Leaves files and variables of the state before to the sweep of its home, `bytes` about. */
  leave(home: string, bytes: number): void {
    this.#leavesState = true;
    this.#leave(home, bytes);
  }

  /** Deletes a checkpoint's part in its home. */
  endMember(state: SandboxRecord): void {
    leaveHome(this.transaction, state);
    this.#leave(homeOf(state), state.workspace.bytes);
  }

  #leave(home: string, bytes: number): void {
    this.#left = { home, bytes: bytes + (this.#left?.bytes ?? 0) };
  }

  /** The bytes that the draft leaves to the sweep of a home. */
  get left(): LeftBytes | undefined {
    return this.#left;
  }

  /** From now on others may share the blobs of the sandbox. Returns its record. */
  share(record: SandboxRecord): SandboxRecord {
    if (record.home !== undefined) return record;
    const { tenant, id } = this.#state.address;
    const shared = { ...record, home: homeOf(record) };
    joinHome(this.transaction, shared, { tenant, id });
    return shared;
  }

  /** Stores changed files: their contents, and the shards of the manifest that name them. */
  keepTree(record: SandboxRecord, edit: TreeEdit): void {
    if (!edit.changed) return this.update(record);
    const { workspace } = record;
    const key = sandboxBlobKey(homeOf(record));
    const tree = new Tree(edit.finish((data) => this.transaction.putBlob(key, data)));
    const { unchanged, written, dropped } = planShards(tree.nodes, workspace.shards, edit.slices);
    const added = written.map((shard) => {
      const ref = this.transaction.putBlob(key, encodeShard(shard));
      return { from: shard.from, end: shard.end, ref };
    });
    for (const ref of edit.leftBehind) this.drop(record, ref);
    for (const { ref } of dropped) this.drop(record, ref);
    const { files, bytes } = tree;
    this.#tree = tree;
    this.update({
      ...record,
      workspace: { state: this.#writeId, files, bytes, shards: [...unchanged, ...added] },
    });
  }

  /**
   * Deletes the sandbox: its record now, the rest as a dead lifetime, with its checkpoints. Blobs that
   * others may share are left to the sweep of their home. `uploads`: the unfinished ones there.
   */
  end(
    record: SandboxRecord,
    checkpoints: readonly SandboxRecord[],
    uploads: readonly EndedUpload[],
  ): void {
    const { lifetime, contexts } = record;
    const states = [record, ...checkpoints];
    const own = states.filter(({ home, lifetime }) => home !== lifetime);
    const prefixes = [
      uploadsPrefix(lifetime), // first, so that no upload in progress writes a blob afterwards
      ...own.map((state) => sandboxBlobsPrefix(state.lifetime)),
      sandboxLeasesPrefix(lifetime),
      storedAnswersPrefix(lifetime),
      checkpointsPrefix(lifetime),
    ];
    // the first sandbox of a home has its answers among the blobs that others share
    const named = own.includes(record)
      ? []
      : [{ entries: answerTimesPrefix(lifetime), blobs: sandboxBlobsPrefix(lifetime) }];
    markDead(this.transaction, { lifetime, prefixes, named }, () => this.#now);
    // at once, so that no upload in progress writes a blob that the sweep misses
    for (const { key } of uploads) this.transaction.delete(key);
    for (const state of states.filter(({ home }) => home !== undefined)) {
      leaveHome(this.transaction, state, state === record ? uploads.map(({ parts }) => parts) : []);
      this.#leave(homeOf(state), state.workspace.bytes);
    }
    for (const state of checkpoints) this.endRunsOf(state);
    for (const { id } of contexts) this.dropLease(lifetime, id);
    this.#record = undefined;
    this.#changed = true;
  }

  /** Takes the lease of a context from its holder, so that no run of it can commit. */
  dropLease(lifetime: string, contextId: string): void {
    const { fence, deadline } = sandboxLeaseKeys(lifetime, contextId);
    this.transaction.delete(fence).delete(deadline);
  }

  /**
   * Adds the records to the transaction. The change counts as a use, unless {@link asMaintenance}.
   *
   * @throws {ServiceError} `NO_SPACE` when the tenant would exceed a quota.
   */
  seal(quotas: SandboxQuotas): void {
    const { address: { tenant, id }, record: before, versionstamp } = this.#state;
    const key = rootRecordKey(tenant, id);
    const next = this.#record === undefined ? undefined : this.#used(this.#record, quotas);
    this.#record = next;
    this.transaction.check(key, versionstamp);
    if (this.#leavesState && before !== undefined) leaveBlobs(this.transaction, before);
    if (next === undefined) this.transaction.delete(key);
    else this.transaction.set(key, next);
    this.#moveExpiry(before, next);
    this.#endRuns(before, next);
    this.#count(before, next, quotas);
  }

  #used(record: SandboxRecord, quotas: SandboxQuotas): SandboxRecord {
    const expiresAt = this.expiresAt(quotas);
    const lastUsed = this.#isUse ? Math.max(record.lastUsed, this.#now) : record.lastUsed;
    const counted = storedBytes(record);
    return withCommit({ ...record, lastUsed, expiresAt, counted }, this.#writeId);
  }

  /** Runs of contexts that are gone or were replaced are removed by the next round of the janitor. */
  #endRuns(before: SandboxRecord | undefined, next: SandboxRecord | undefined): void {
    const left = new Set(runsOf(next));
    for (const run of runsOf(before)) if (!left.has(run)) this.#endRun(run);
  }

  /** The next round of the janitor removes the runs that a state keeps. */
  endRunsOf(state: SandboxRecord): void {
    for (const run of runsOf(state)) this.#endRun(run);
  }

  #endRun(run: string): void {
    this.transaction.set(runDueKey(0, this.#state.address.tenant, run), true);
  }

  #moveExpiry(before: SandboxRecord | undefined, after: SandboxRecord | undefined): void {
    const lifetime = (after ?? before)?.lifetime;
    if (lifetime === undefined) return;
    const sandbox = { ...this.#state.address, lifetime };
    const [from, to] = [before?.expiresAt ?? null, after?.expiresAt ?? null];
    if (from !== to) moveExpiry(this.transaction, sandbox, from, to);
    const [oldest, left] = [before?.answers?.until ?? null, after?.answers?.until ?? null];
    if (oldest !== left) moveExpiry(this.transaction, sandbox, oldest, left, "answer_expiry");
    const [first, next] = [before?.uploads?.until ?? null, after?.uploads?.until ?? null];
    if (first !== next) moveExpiry(this.transaction, sandbox, first, next, "upload_expiry");
  }

  #count(
    before: SandboxRecord | undefined,
    next: SandboxRecord | undefined,
    { maxSandboxes, maxTenantBytes }: SandboxQuotas,
  ): void {
    const { sandboxes, bytes } = this.#state;
    const more = Number(next !== undefined) - Number(before !== undefined);
    this.#move(sandboxes, more, { grows: more > 0, max: maxSandboxes, name: "sandboxes" });
    this.#move(bytes, countedBytes(next) - countedBytes(before), {
      // an earlier version counted less: what it left out refuses no change that adds nothing
      grows: storedBytes(next) > storedBytes(before),
      max: maxTenantBytes,
      name: "tenant bytes",
    });
  }

  #move(
    counter: Counter,
    more: number,
    { grows, max, name }: { readonly grows: boolean; readonly max: number; readonly name: Quota },
  ): void {
    const after = counter.count + more;
    if (grows && after > max) throw quotaUsedUp(max, name);
    if (more === 0) return;
    if (more > 0 && after > max - CLOSE_TO_QUOTA[name]) {
      this.transaction.check(counter.key, counter.versionstamp);
    }
    this.transaction.add(counter.key, more);
  }
}

function runsOf(record: SandboxRecord | undefined): readonly string[] {
  return (record?.contexts ?? []).flatMap(({ waiting }) => waiting?.run ?? []);
}
