/**
 * Contexts and their snapshots in the store. A run's new snapshot is stored completely before the
 * sandbox learns of it. The snapshot that it replaces is removed once the sandbox has named the
 * state of its next run.
 *
 * The record of a context holds the fence of the last writer: a holder of an older lease cannot
 * write or delete anything. It also names the existing snapshots: the one from which the last run
 * started, and the one that it left. The one that the next run names is kept.
 *
 * @module
 */
import { z } from "zod";
import { BlobCorrupt, blobName, type BlobRef, readBlob } from "../../store/blobs.ts";
import { BoundedCache } from "../../store/bounded_cache.ts";
import {
  type BlobKey,
  interpreterBlobKey,
  interpreterBlobsPrefix,
  interpreterContextKey,
  interpreterContextsPrefix,
  interpreterGoneKey,
  interpreterPrefix,
  interpreterSnapshotKey,
  interpreterSnapshotsPrefix,
  type KeptPart,
  partUseKey,
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

/** A context of a sandbox. */
export interface ContextAddress {
  /** The sandbox key. */
  readonly sandboxKey: string;
  readonly contextId: string;
}

/** The stored record of a context, besides its snapshots. */
export interface ContextRecord {
  readonly createdAt: string;
  /** The working directory of its first run. */
  readonly cwd: string;
  /** Fence of the last writer. */
  readonly fence: number;
  /** References to the snapshots that exist; oldest first. */
  readonly snapshots: readonly string[];
  /** The baseline that its snapshots are deltas against; null before the first snapshot. */
  readonly baseline: string | null;
  /** Digest of the engine that its snapshots belong to; absent before the first snapshot. */
  readonly engine?: string | undefined;
}

/** A record as read. Later writes commit only if it is unchanged. */
export interface ReadContext {
  readonly record: ContextRecord;
  readonly versionstamp: string;
}

/** The stored snapshot is damaged. */
export class SnapshotUnreadable extends Error {
  override readonly name = "SnapshotUnreadable";
}

/** A snapshot to be stored. */
export interface NewSnapshot {
  /** The snapshot from which the run started; undefined: the baseline. */
  readonly before: SnapshotIndex | undefined;
  /** The new index without the new segment, which follows `segments`. */
  readonly index: SnapshotIndex;
  readonly segment: Uint8Array<ArrayBuffer>;
  readonly fence: number;
  /** Whether the caller can make its writes part of a commit. */
  readonly canBeJoined: boolean;
}

/** A snapshot that is stored, or will be with its writes. */
export interface SavedSnapshot {
  readonly index: SnapshotIndex;
  readonly reference: string;
  /** Absent when they are committed already. */
  readonly writes?: StoreWrites;
}

const recordSchema: z.ZodType<ContextRecord> = z.object({
  createdAt: z.string(),
  cwd: z.string(),
  fence: z.number().int().nonnegative(),
  snapshots: z.array(z.string()),
  baseline: z.string().nullable(),
  engine: z.string().optional(),
});

/** Far above the time that a call may be in flight. */
const GONE_MS = 10 * 60_000;
/** Memory for recently read or written indexes, in bytes. */
const INDEX_CACHE_BYTES = 4 * 1024 * 1024;
/** Bytes of memory for each stored byte of an index. */
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

  /** Reads a record; undefined when there is no such context. */
  async read(address: ContextAddress): Promise<ReadContext | undefined> {
    const { value, versionstamp } = await this.#kv.get(this.#contextKey(address));
    if (versionstamp === null) return undefined;
    const parsed = recordSchema.safeParse(value);
    if (!parsed.success) throw new SnapshotUnreadable("a context's record has another shape");
    return { record: parsed.data, versionstamp };
  }

  /** Ids of the contexts of a sandbox. */
  async list(sandboxKey: string): Promise<readonly string[]> {
    const ids: string[] = [];
    const prefix = interpreterContextsPrefix(this.#language, sandboxKey);
    for await (const entry of this.#kv.list({ prefix })) ids.push(String(entry.key.at(-1)));
    return ids;
  }

  /** Adds a context. False when one with that id exists, or was removed recently. */
  async create(address: ContextAddress, record: ContextRecord): Promise<boolean> {
    const { sandboxKey, contextId } = address;
    const absent = [
      this.#contextKey(address),
      interpreterGoneKey(this.#language, sandboxKey),
      interpreterGoneKey(this.#language, sandboxKey, contextId),
    ].map((key) => ({ key, versionstamp: null }));
    const done = await this.#kv.atomic().check(...absent).set(this.#contextKey(address), record)
      .commit();
    return done.ok;
  }

  /**
   * Removes a context with all its snapshots. False when there is none. For a while it cannot be
   * created again, because a call that creates it may still be in flight.
   */
  async remove({ sandboxKey, contextId }: ContextAddress): Promise<boolean> {
    await this.#markGone(interpreterGoneKey(this.#language, sandboxKey, contextId));
    // the record first, because no run can write without it
    const removed = await this.#removeRecord({ sandboxKey, contextId });
    await deletePrefix(this.#kv, interpreterSnapshotsPrefix(this.#language, sandboxKey, contextId));
    await deletePrefix(this.#kv, interpreterBlobsPrefix(this.#language, sandboxKey, contextId));
    return removed;
  }

  /** Removes everything of a sandbox. Its contexts cannot be created again for a while. */
  async wipe(sandboxKey: string): Promise<void> {
    await this.#markGone(interpreterGoneKey(this.#language, sandboxKey));
    for (const contextId of await this.list(sandboxKey)) {
      await this.#removeRecord({ sandboxKey, contextId });
    }
    await deletePrefix(this.#kv, interpreterPrefix(this.#language, sandboxKey));
  }

  async #markGone(key: Deno.KvKey): Promise<void> {
    await this.#kv.set(key, true, { expireIn: GONE_MS });
  }

  /**
   * Removes a record and its use of a baseline and a module, including changes by a concurrent run.
   * False when there is none.
   */
  async #removeRecord(address: ContextAddress): Promise<boolean> {
    const key = this.#contextKey(address);
    for (;;) {
      const { value, versionstamp } = await this.#kv.get(key);
      if (versionstamp === null) return false;
      const parsed = recordSchema.safeParse(value);
      const removal = this.#kv.atomic().check({ key, versionstamp }).delete(key);
      const uses = parsed.success ? this.#usesOf(address, parsed.data) : [];
      for (const use of uses) removal.delete(use);
      if ((await removal.commit()).ok) return true;
    }
  }

  /** An index that this process has read or written recently. Indexes never change. */
  knownIndex(address: ContextAddress, reference: string): SnapshotIndex | undefined {
    return this.#indexes.get(cacheName(address, reference));
  }

  /** Reads the index that a reference names. Throws SnapshotUnreadable. */
  async index(address: ContextAddress, reference: string): Promise<SnapshotIndex> {
    const id = snapshotIdOf(reference);
    if (id === undefined) throw new SnapshotUnreadable("a reference is not valid");
    const { value } = await this.#kv.get(this.#snapshotKey(address, id));
    const bytes = value instanceof Uint8Array ? value : new Uint8Array();
    const index = readIndex(bytes, reference);
    if (index === undefined) {
      throw new SnapshotUnreadable("a snapshot's index differs from what was written");
    }
    this.#remember(address, { index, reference, bytes: bytes.length });
    return index;
  }

  /** Reads the segments of a snapshot, oldest first. Throws SnapshotUnreadable. */
  async segments(
    address: ContextAddress,
    { segments }: SnapshotIndex,
  ): Promise<readonly Uint8Array<ArrayBuffer>[]> {
    try {
      return await Promise.all(
        segments.map((ref) => readBlob(this.#kv, this.#blobKey(address, ref.run), ref)),
      );
    } catch (cause) {
      if (cause instanceof BlobCorrupt) throw new SnapshotUnreadable(cause.message);
      throw cause;
    }
  }

  /** Whether this object is the store of contexts. */
  isKeptIn(store: object | undefined): boolean {
    return store === this.#kv;
  }

  /**
   * Writes a snapshot, and removes those that are neither the sandbox's state nor used by this one.
   * If the writes are small and the caller can join them to a commit, they are returned instead.
   * Undefined when the record has changed since `read`.
   */
  async save(
    address: ContextAddress,
    read: ReadContext,
    made: NewSnapshot,
  ): Promise<SavedSnapshot | undefined> {
    const { id } = made.index;
    const transaction = new Transaction(this.#kv, { writeId: id, clock: this.#clock });
    transaction.check(this.#contextKey(address), read.versionstamp);
    const blob = transaction.putBlob(this.#blobKey(address, id), made.segment);
    const index: SnapshotIndex = { ...made.index, segments: [...made.index.segments, blob] };
    const bytes = encodeIndex(index);
    const reference = referenceTo(id, bytes);
    const kept = made.before === undefined ? undefined : snapshotOf(read.record, made.before.id);
    transaction.set(this.#snapshotKey(address, id), bytes);
    transaction.set(this.#contextKey(address), {
      ...read.record,
      fence: made.fence,
      baseline: index.baseline,
      engine: index.engine,
      snapshots: [...kept === undefined ? [] : [kept], reference],
    });
    if (read.record.baseline !== index.baseline || read.record.engine !== index.engine) {
      for (const use of this.#usesOf(address, index)) transaction.set(use, true);
    }
    for (const old of read.record.snapshots) {
      if (idIn(old) !== made.before?.id) {
        this.#indexes.delete(cacheName(address, old));
        await this.#drop(address, old, { transaction, live: made.before });
      }
    }
    const writes = made.canBeJoined ? transaction.asWrites() : undefined;
    // a run is not done before the sandbox names its state
    if (writes === undefined && !(await decidingNothing(() => transaction.commit()))) {
      if (!(await this.#stands(address, reference))) return undefined;
    }
    this.#remember(address, { index, reference, bytes: bytes.length });
    return { index, reference, ...(writes === undefined ? {} : { writes }) };
  }

  /**
   * Whether a snapshot is the latest one. Then the commit was refused only because an earlier
   * answer was lost.
   */
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

  /** Removes a snapshot, except the segments that a live one uses. */
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
    for (const ref of unused) transaction.deleteBlob(this.#blobKey(address, ref.run), ref);
  }

  /** Segments of a snapshot that a live one does not use. */
  async #unusedSegments(
    address: ContextAddress,
    reference: string,
    live: SnapshotIndex | undefined,
  ): Promise<readonly BlobRef[]> {
    const index = await this.index(address, reference).catch((cause) => {
      if (cause instanceof SnapshotUnreadable) return undefined; // it is being removed anyway
      throw cause;
    });
    const used = new Set(live?.segments.map(blobName));
    return (index?.segments ?? []).filter((ref) => !used.has(blobName(ref)));
  }

  #contextKey({ sandboxKey, contextId }: ContextAddress): Deno.KvKey {
    return interpreterContextKey(this.#language, sandboxKey, contextId);
  }

  /** The keys that keep the parts of an engine in the store. */
  #usesOf(
    address: ContextAddress,
    { baseline, engine }: Pick<ContextRecord, "baseline" | "engine">,
  ): readonly Deno.KvKey[] {
    const use = (part: KeptPart, name: string | null | undefined) =>
      name === null || name === undefined ? [] : [partUseKey(part, this.#language, name, address)];
    return [...use("baseline", baseline), ...use("module", engine)];
  }

  #snapshotKey({ sandboxKey, contextId }: ContextAddress, snapshotId: string): Deno.KvKey {
    return interpreterSnapshotKey(this.#language, sandboxKey, contextId, snapshotId);
  }

  /** The write id of a blob is the id of the snapshot that it was written for. */
  #blobKey({ sandboxKey, contextId }: ContextAddress, writeId: string): BlobKey {
    return interpreterBlobKey(this.#language, sandboxKey, contextId, writeId);
  }
}

function cacheName({ sandboxKey, contextId }: ContextAddress, reference: string): string {
  return JSON.stringify([sandboxKey, contextId, reference]);
}

function idIn(reference: string): string {
  return reference.slice(0, reference.indexOf("."));
}

function snapshotOf({ snapshots }: ContextRecord, id: string): string | undefined {
  return snapshots.find((reference) => idIn(reference) === id);
}
