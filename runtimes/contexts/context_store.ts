/**
 * Contexts and their snapshots in the store. A run's new snapshot is there, whole, before the
 * sandbox hears of it; what it replaces goes once the sandbox has named what it stands on.
 *
 * The record of a context holds the fence of the last writer: one that holds an older lease can
 * write and delete nothing. It also holds the snapshots that exist: the one the sandbox stood on
 * at the last run, and the one that run left. Whichever of the two the next run names is kept.
 *
 * @module
 */
import { z } from "zod";
import { BlobCorrupt, blobName, type BlobRef, readBlob } from "../../store/blobs.ts";
import { BoundedCache } from "../../store/bounded_cache.ts";
import {
  baselineUseKey,
  type BlobKey,
  interpreterBlobKey,
  interpreterBlobsPrefix,
  interpreterContextKey,
  interpreterContextsPrefix,
  interpreterGoneKey,
  interpreterPrefix,
  interpreterSnapshotKey,
  interpreterSnapshotsPrefix,
} from "../../store/keys.ts";
import type { KvStore } from "../../store/kv.ts";
import { deletePrefix } from "../../store/prefix.ts";
import { Transaction } from "../../store/transaction.ts";
import type { Clock } from "../../wire/clock.ts";
import type { StoreWrites } from "../../wire/run_in_context.ts";
import { decidingNothing } from "../../wire/store_errors.ts";
import {
  encodeIndex,
  readIndex,
  referenceTo,
  snapshotIdOf,
  type SnapshotIndex,
} from "./snapshot_index.ts";

/** A context of a key. */
export interface ContextAddress {
  /** The sandbox's own id. */
  readonly key: string;
  readonly contextId: string;
}

/** What is kept of a context beside its snapshots. */
export interface ContextRecord {
  readonly createdAt: string;
  /** Where its first run begins. */
  readonly cwd: string;
  /** Fence of the last writer. */
  readonly fence: number;
  /** References to the snapshots that exist; oldest first. */
  readonly snapshots: readonly string[];
  /** The baseline image that its snapshots are differences to; null before the first. */
  readonly baseline: string | null;
}

/** A record as read: later writes hold only if it is still the same. */
export interface ReadContext {
  readonly record: ContextRecord;
  readonly versionstamp: string;
}

/** The stored snapshot is not what was written. */
export class SnapshotUnreadable extends Error {
  override readonly name = "SnapshotUnreadable";
}

/** A snapshot on its way into the store. */
export interface NewSnapshot {
  /** What the run stood on; undefined: the baseline. */
  readonly before: SnapshotIndex | undefined;
  /** All of the new index but the new segment, which comes after `segments`. */
  readonly index: SnapshotIndex;
  readonly segment: Uint8Array<ArrayBuffer>;
  readonly fence: number;
  /** Whether somebody can make its writes part of a commit. */
  readonly canBeJoined: boolean;
}

/** A snapshot that is in the store, or is once its writes are. */
export interface SavedSnapshot {
  readonly index: SnapshotIndex;
  readonly reference: string;
  /** Absent when they are committed. */
  readonly writes?: StoreWrites;
}

const recordSchema: z.ZodType<ContextRecord> = z.object({
  createdAt: z.string(),
  cwd: z.string(),
  fence: z.number().int().nonnegative(),
  snapshots: z.array(z.string()),
  baseline: z.string().nullable(),
});

/** Far above the time that a call may be on its way. */
const GONE_MS = 10 * 60_000;
/** Memory for indexes that were read or written last, in bytes. */
const INDEX_CACHE_BYTES = 4 * 1024 * 1024;
/** What an index takes in memory, for each byte it takes in the store. */
const BYTES_PER_INDEX_BYTE = 4;

/** The contexts of one language. */
export class ContextStore {
  readonly #kv: KvStore;
  readonly #language: string;
  readonly #clock: Clock;
  readonly #indexes = new BoundedCache<SnapshotIndex>(INDEX_CACHE_BYTES);

  constructor(options: { readonly kv: KvStore; readonly language: string; readonly clock: Clock }) {
    this.#kv = options.kv;
    this.#language = options.language;
    this.#clock = options.clock;
  }

  /** Reads a record. Undefined when there is no such context. */
  async read(address: ContextAddress): Promise<ReadContext | undefined> {
    const { value, versionstamp } = await this.#kv.get(this.#contextKey(address));
    if (versionstamp === null) return undefined;
    const parsed = recordSchema.safeParse(value);
    if (!parsed.success) throw new SnapshotUnreadable("a context's record has another shape");
    return { record: parsed.data, versionstamp };
  }

  /** Ids of the contexts of a key. */
  async list(key: string): Promise<readonly string[]> {
    const ids: string[] = [];
    const prefix = interpreterContextsPrefix(this.#language, key);
    for await (const entry of this.#kv.list({ prefix })) ids.push(String(entry.key.at(-1)));
    return ids;
  }

  /** Adds a context. False when there is one with that id, or was one a while ago. */
  async create(address: ContextAddress, record: ContextRecord): Promise<boolean> {
    const { key, contextId } = address;
    const absent = [
      this.#contextKey(address),
      interpreterGoneKey(this.#language, key),
      interpreterGoneKey(this.#language, key, contextId),
    ].map((key) => ({ key, versionstamp: null }));
    const done = await this.#kv.atomic().check(...absent).set(this.#contextKey(address), record)
      .commit();
    return done.ok;
  }

  /**
   * Removes a context with all its snapshots. False when there is none. For a while it cannot be
   * made again: a call that is to make it may be on its way still.
   */
  async remove({ key, contextId }: ContextAddress): Promise<boolean> {
    await this.#markGone(interpreterGoneKey(this.#language, key, contextId));
    // the record first: without it no run can write any more
    const removed = await this.#removeRecord({ key, contextId });
    await deletePrefix(this.#kv, interpreterSnapshotsPrefix(this.#language, key, contextId));
    await deletePrefix(this.#kv, interpreterBlobsPrefix(this.#language, key, contextId));
    return removed;
  }

  /** Removes everything of a key, whose contexts cannot be made again for a while. */
  async wipe(key: string): Promise<void> {
    await this.#markGone(interpreterGoneKey(this.#language, key));
    for (const contextId of await this.list(key)) await this.#removeRecord({ key, contextId });
    await deletePrefix(this.#kv, interpreterPrefix(this.#language, key));
  }

  async #markGone(key: Deno.KvKey): Promise<void> {
    await this.#kv.set(key, true, { expireIn: GONE_MS });
  }

  /**
   * Removes a record, and with it the use of its baseline, as the last run that was faster noted
   * it. False when there is none.
   */
  async #removeRecord(address: ContextAddress): Promise<boolean> {
    const key = this.#contextKey(address);
    for (;;) {
      const { value, versionstamp } = await this.#kv.get(key);
      if (versionstamp === null) return false;
      const parsed = recordSchema.safeParse(value);
      const baseline = parsed.success ? parsed.data.baseline : null;
      const removal = this.#kv.atomic().check({ key, versionstamp }).delete(key);
      if (baseline !== null) removal.delete(this.#useKey(address, baseline));
      if ((await removal.commit()).ok) return true;
    }
  }

  /** An index that this process has read or written lately: it never changes. */
  knownIndex(address: ContextAddress, reference: string): SnapshotIndex | undefined {
    return this.#indexes.get(cacheName(address, reference));
  }

  /** The index that a reference names. Throws SnapshotUnreadable. */
  async index(address: ContextAddress, reference: string): Promise<SnapshotIndex> {
    const id = snapshotIdOf(reference);
    if (id === undefined) throw new SnapshotUnreadable("a reference is none");
    const { value } = await this.#kv.get(this.#snapshotKey(address, id));
    const bytes = value instanceof Uint8Array ? value : new Uint8Array();
    const index = readIndex(bytes, reference);
    if (index === undefined) throw new SnapshotUnreadable("a snapshot's index is not as written");
    this.#remember(address, { index, reference, bytes: bytes.length });
    return index;
  }

  /** The segments of a snapshot, oldest first. Throws SnapshotUnreadable. */
  async segments(
    address: ContextAddress,
    { segments }: SnapshotIndex,
  ): Promise<readonly Uint8Array<ArrayBuffer>[]> {
    try {
      return await Promise.all(
        segments.map((ref) => readBlob(this.#kv, this.#blobKey(address, ref), ref)),
      );
    } catch (cause) {
      if (cause instanceof BlobCorrupt) throw new SnapshotUnreadable(cause.message);
      throw cause;
    }
  }

  /** Whether this is where contexts are kept. */
  isKeptIn(store: object | undefined): boolean {
    return store === this.#kv;
  }

  /**
   * Writes a snapshot, and removes those that neither the sandbox stands on nor this one uses.
   * When that is little and somebody can join it to a commit, it is left to him. Undefined when
   * somebody else has written since `read`.
   */
  async save(
    address: ContextAddress,
    read: ReadContext,
    made: NewSnapshot,
  ): Promise<SavedSnapshot | undefined> {
    const { id } = made.index;
    const transaction = new Transaction(this.#kv, { writeId: id, clock: this.#clock });
    transaction.check(this.#contextKey(address), read.versionstamp);
    const blob = transaction.putBlob(this.#blobKey(address, { run: id }), made.segment);
    const index: SnapshotIndex = { ...made.index, segments: [...made.index.segments, blob] };
    const bytes = encodeIndex(index);
    const reference = referenceTo(id, bytes);
    const kept = made.before === undefined ? undefined : snapshotOf(read.record, made.before.id);
    transaction.set(this.#snapshotKey(address, id), bytes);
    transaction.set(this.#contextKey(address), {
      ...read.record,
      fence: made.fence,
      baseline: index.baseline,
      snapshots: [...kept === undefined ? [] : [kept], reference],
    });
    if (read.record.baseline !== index.baseline) {
      transaction.set(this.#useKey(address, index.baseline), true);
    }
    for (const old of read.record.snapshots) {
      if (idIn(old) !== made.before?.id) {
        this.#indexes.delete(cacheName(address, old));
        await this.#drop(address, old, { transaction, live: made.before });
      }
    }
    const writes = made.canBeJoined ? transaction.asWrites() : undefined;
    // no run is done before the sandbox names what it left
    if (writes === undefined && !(await decidingNothing(() => transaction.commit()))) {
      if (!(await this.#stands(address, reference))) return undefined;
    }
    this.#remember(address, { index, reference, bytes: bytes.length });
    return { index, reference, ...(writes === undefined ? {} : { writes }) };
  }

  /** Whether a snapshot is the last one: then it was refused only because an answer was lost. */
  async #stands(address: ContextAddress, reference: string): Promise<boolean> {
    return (await this.read(address))?.record.snapshots.at(-1) === reference;
  }

  #remember(
    address: ContextAddress,
    { index, reference, bytes }: {
      readonly index: SnapshotIndex;
      readonly reference: string;
      readonly bytes: number;
    },
  ): void {
    this.#indexes.set(cacheName(address, reference), index, BYTES_PER_INDEX_BYTE * bytes);
  }

  /** Removes a snapshot but for the segments that a live one uses. */
  async #drop(
    address: ContextAddress,
    reference: string,
    { transaction, live }: {
      readonly transaction: Transaction;
      readonly live: SnapshotIndex | undefined;
    },
  ): Promise<void> {
    const id = idIn(reference);
    transaction.delete(this.#snapshotKey(address, id));
    const unused = live?.replaced?.id === id
      ? live.replaced.segments
      : await this.#unusedSegments(address, reference, live);
    for (const ref of unused) transaction.deleteBlob(this.#blobKey(address, ref), ref);
  }

  /** Segments of a snapshot that a live one does without. */
  async #unusedSegments(
    address: ContextAddress,
    reference: string,
    live: SnapshotIndex | undefined,
  ): Promise<readonly BlobRef[]> {
    const index = await this.index(address, reference).catch((cause) => {
      if (cause instanceof SnapshotUnreadable) return undefined; // it is to go anyway
      throw cause;
    });
    const used = new Set(live?.segments.map(blobName));
    return (index?.segments ?? []).filter((ref) => !used.has(blobName(ref)));
  }

  #contextKey({ key, contextId }: ContextAddress): Deno.KvKey {
    return interpreterContextKey(this.#language, key, contextId);
  }

  #useKey({ key, contextId }: ContextAddress, baseline: string): Deno.KvKey {
    return baselineUseKey(this.#language, baseline, key, contextId);
  }

  #snapshotKey({ key, contextId }: ContextAddress, snapshotId: string): Deno.KvKey {
    return interpreterSnapshotKey(this.#language, key, contextId, snapshotId);
  }

  /** The run of a blob is the id of the snapshot it was written for. */
  #blobKey({ key, contextId }: ContextAddress, { run }: { readonly run: string }): BlobKey {
    return interpreterBlobKey(this.#language, key, contextId, run);
  }
}

function cacheName({ key, contextId }: ContextAddress, reference: string): string {
  return JSON.stringify([key, contextId, reference]);
}

function idIn(reference: string): string {
  return reference.slice(0, reference.indexOf("."));
}

function snapshotOf({ snapshots }: ContextRecord, id: string): string | undefined {
  return snapshots.find((reference) => idIn(reference) === id);
}
