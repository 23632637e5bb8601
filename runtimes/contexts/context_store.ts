/**
 * Contexts and their snapshots in the store. The sandbox's commit writes the record of a context
 * and its new snapshot, so the state that the sandbox names is always the last one here. Large
 * pages are written ahead of that commit, and are deleted when it fails.
 *
 * The record of a context holds the fence of the last writer. It also names the existing snapshots:
 * the one from which the last run started, which a fork may be about to share, and the one that it
 * left. The next run removes the first one.
 *
 * @module
 */
import { BlobCorrupt, blobName, type BlobRef, readBlob } from "../../store/blobs.ts";
import {
  interpreterBlobsPrefix,
  interpreterContextsPrefix,
  interpreterPrefix,
  interpreterSnapshotsPrefix,
  sharedMarkKey,
  unsweptKey,
} from "../../store/keys.ts";
import type { KvStore } from "../../store/kv.ts";
import { deletePrefix } from "../../store/prefix.ts";
import { Transaction } from "../../store/transaction.ts";
import type { Clock } from "../../shared/clock.ts";
import type { PreparedFork, RuntimeContexts } from "../../shared/binding.ts";
import type { ContextAddress } from "../../shared/run_in_context.ts";
import { withoutDecision } from "../../shared/store_errors.ts";
import {
  ContextCache,
  ContextKeys,
  type MemoryRecord,
  type NewSnapshot,
  type ReadMemory,
  readMemory,
  readRecord,
  type SavedSnapshot,
  SnapshotUnreadable,
} from "./memory_record.ts";
import {
  encodeIndex,
  readIndex,
  referenceTo,
  snapshotIdOf,
  type SnapshotIndex,
} from "./snapshot_index.ts";
import { SharedSnapshots } from "./shared_snapshots.ts";

/** The contexts of one language. */
export class ContextStore implements RuntimeContexts {
  readonly #kv: KvStore;
  readonly #language: string;
  readonly #keys: ContextKeys;
  readonly #clock: Clock;
  readonly #shared: SharedSnapshots;
  /** The records and indexes that this process has read or written recently. */
  readonly known = new ContextCache();

  constructor(options: {
    readonly kv: KvStore;
    readonly language: string;
    readonly clock: Clock;
    /** Bytes of shared snapshots that may wait for a sweep. */
    readonly unsweptBytes?: number;
  }) {
    this.#kv = options.kv;
    this.#language = options.language;
    this.#keys = new ContextKeys(options.language);
    this.#clock = options.clock;
    this.#shared = new SharedSnapshots({
      kv: options.kv,
      language: options.language,
      unsweptBytes: options.unsweptBytes,
      snapshotsOf: async (address) => (await this.read(address))?.record.snapshots ?? [],
    });
  }

  /** Reads a record; undefined when there is no such context. */
  async read(address: ContextAddress): Promise<ReadMemory | undefined> {
    return readMemory(address, ...await this.#readBoth(address));
  }

  /** The entry of a context, and its mark as a home. */
  async #readBoth(address: ContextAddress) {
    return await this.#kv.getMany<[unknown, unknown]>([
      this.#keys.context(address),
      sharedMarkKey(this.#language, address),
    ]);
  }

  /**
   * Reads a record, or returns the given one for a context that its first snapshot creates.
   * Undefined while forks of a context that had this address share its snapshots.
   */
  async readOrNew(address: ContextAddress, made: MemoryRecord): Promise<ReadMemory | undefined> {
    const [entry, mark] = await this.#readBoth(address);
    if (entry.versionstamp === null && mark.versionstamp === null) {
      return { record: made, versionstamp: null, home: address, isShared: false };
    }
    return readMemory(address, entry, mark);
  }

  /** Ids of the contexts of a sandbox. */
  async list(sandboxKey: string): Promise<readonly string[]> {
    const ids: string[] = [];
    const prefix = interpreterContextsPrefix(this.#language, sandboxKey);
    for await (const entry of this.#kv.list({ prefix })) ids.push(String(entry.key.at(-1)));
    return ids;
  }

  /** Adds a context. False when one with that id exists, or forks of one share its snapshots. */
  async create(address: ContextAddress, record: MemoryRecord): Promise<boolean> {
    const absent = [this.#keys.context(address), sharedMarkKey(this.#language, address)]
      .map((key) => ({ key, versionstamp: null }));
    const done = await this.#kv.atomic().check(...absent).set(this.#keys.context(address), record)
      .commit();
    return done.ok;
  }

  /** Removes a context with all its snapshots. False when there is none. */
  async remove(address: ContextAddress): Promise<boolean> {
    const { sandboxKey, contextId } = address;
    // the record first, because no run can write without it
    const home = await this.#removeRecord(address);
    if (home !== undefined) await this.#shared.sweep(home);
    if (!(await this.#shared.isHome(address))) {
      for (
        const prefix of [
          interpreterSnapshotsPrefix(this.#language, sandboxKey, contextId),
          interpreterBlobsPrefix(this.#language, sandboxKey, contextId),
        ]
      ) await deletePrefix(this.#kv, prefix);
    }
    return home !== undefined;
  }

  /** Removes everything of a sandbox. */
  async wipe(sandboxKey: string): Promise<void> {
    for (const contextId of await this.list(sandboxKey)) {
      const home = await this.#removeRecord({ sandboxKey, contextId });
      if (home !== undefined) await this.#shared.sweep(home);
    }
    const homes = await this.#shared.homesOf(sandboxKey);
    if (homes.size === 0) {
      await deletePrefix(this.#kv, interpreterPrefix(this.#language, sandboxKey));
    } else await this.#shared.deleteExcept(sandboxKey, homes);
  }

  /**
   * Prepares a context with the state of another one, which both share: nothing is copied. The
   * record of the source must name the state; otherwise undefined.
   */
  async fork(
    source: ContextAddress,
    target: ContextAddress,
    reference: string,
  ): Promise<PreparedFork | undefined> {
    this.known.forgetRecord(source);
    const read = await this.read(source);
    if (read === undefined || !read.record.snapshots.includes(reference)) return undefined;
    const { record, home } = read;
    const isBehind = record.snapshots.at(-1) !== reference;
    const transaction = new Transaction(this.#kv, { writeId: "", clock: this.#clock });
    transaction.check(this.#keys.context(source), read.versionstamp);
    transaction.check(this.#keys.context(target), null);
    transaction.set(this.#keys.context(target), {
      ...record,
      fence: 0,
      snapshots: [reference],
      home,
    });
    // a run in progress may be about to remove a snapshot that is not the last one: its commit,
    // which requires the record as it was, is refused
    if (isBehind) transaction.set(this.#keys.context(source), record);
    for (const use of this.#keys.uses(target, record)) transaction.set(use, true);
    this.#shared.join(transaction, { home, source, target, isFirst: !read.isShared });
    const writes = await transaction.asWrites();
    return writes === undefined ? undefined : { writes, isBehind };
  }

  /** Commits a prepared fork alone. False when the source has changed, or the target exists. */
  async commitFork({ writes }: PreparedFork): Promise<boolean> {
    const transaction = new Transaction(this.#kv, { writeId: "", clock: this.#clock });
    return await transaction.join(writes).commit();
  }

  /**
   * Removes a record and its use of a baseline and a module, including changes by a concurrent run.
   * Returns the home of its snapshots; undefined when there is none.
   */
  async #removeRecord(address: ContextAddress): Promise<ContextAddress | undefined> {
    const key = this.#keys.context(address);
    for (;;) {
      const [{ value, versionstamp }, mark] = await this.#readBoth(address);
      if (versionstamp === null) return undefined;
      const record = readRecord(value);
      const removal = this.#kv.atomic().check({ key, versionstamp }, mark).delete(key);
      const uses = record === undefined ? [] : this.#keys.uses(address, record);
      for (const use of uses) removal.delete(use);
      const home = record?.home ?? address;
      if (home !== address || mark.versionstamp !== null) {
        this.#shared.leave(removal, home, address);
      }
      if ((await removal.commit()).ok) return home;
    }
  }

  /** Reads the index that a reference names. Throws SnapshotUnreadable. */
  async index(address: ContextAddress, reference: string): Promise<SnapshotIndex> {
    const id = snapshotIdOf(reference);
    if (id === undefined) throw new SnapshotUnreadable("a reference is not valid");
    let home = this.known.home(address) ?? address;
    let { value, versionstamp } = await this.#kv.get(this.#keys.snapshot(home, id));
    if (versionstamp === null) {
      home = (await this.read(address))?.home ?? address;
      ({ value, versionstamp } = await this.#kv.get(this.#keys.snapshot(home, id)));
    }
    const bytes = value instanceof Uint8Array ? value : new Uint8Array();
    const index = readIndex(bytes, reference);
    if (index === undefined) {
      throw new SnapshotUnreadable("a snapshot's index differs from what was written");
    }
    this.known.remember(address, { index, reference, home, bytes: bytes.length });
    return index;
  }

  /** Reads the segments of a snapshot, oldest first. Throws SnapshotUnreadable. */
  async segments(
    address: ContextAddress,
    { segments }: SnapshotIndex,
  ): Promise<readonly Uint8Array<ArrayBuffer>[]> {
    const home = this.known.home(address) ?? (await this.read(address))?.home ?? address;
    try {
      return await Promise.all(
        segments.map((ref) => readBlob(this.#kv, this.#keys.blob(home, ref.run), ref)),
      );
    } catch (cause) {
      if (cause instanceof BlobCorrupt) throw new SnapshotUnreadable(cause.message);
      throw cause;
    }
  }

  /** Removes shared snapshots that no context needs. Returns how many. */
  sweepShared(signal: AbortSignal): Promise<number> {
    return this.#shared.sweepAll(signal);
  }

  /**
   * Prepares the writes of a snapshot, and the removal of those that are neither the sandbox's
   * state nor this one. They are for the sandbox's commit, which fails when the record has changed
   * since `read`. Undefined when they cannot be prepared because of an earlier attempt.
   */
  async save(
    address: ContextAddress,
    read: ReadMemory,
    { before, segment, fence, ...made }: NewSnapshot,
  ): Promise<SavedSnapshot | undefined> {
    const { id } = made.index;
    const { home, isShared } = read;
    if (isShared) await withoutDecision(() => this.#shared.wrote(home, segment.length));
    const transaction = new Transaction(this.#kv, { writeId: id, clock: this.#clock });
    transaction.check(this.#keys.context(address), read.versionstamp);
    // others may share its snapshots since
    if (read.isRemembered === true) {
      transaction.check(sharedMarkKey(this.#language, address), null);
    }
    const blob = transaction.putBlob(this.#keys.blob(home, id), segment);
    const index: SnapshotIndex = { ...made.index, segments: [...made.index.segments, blob] };
    const bytes = encodeIndex(index);
    const reference = referenceTo(id, bytes);
    const started = before === undefined ? undefined : snapshotOf(read.record, before.id);
    transaction.set(this.#keys.snapshot(home, id), bytes);
    if (isShared) transaction.set(unsweptKey(this.#language, home), true);
    const record: MemoryRecord = {
      ...read.record,
      fence,
      baseline: index.baseline,
      engine: index.engine,
      snapshots: [...started === undefined ? [] : [started], reference],
    };
    transaction.set(this.#keys.context(address), record);
    if (read.record.baseline !== index.baseline || read.record.engine !== index.engine) {
      for (const use of this.#keys.uses(address, index)) transaction.set(use, true);
    }
    for (const old of read.record.snapshots) {
      if (idIn(old) !== before?.id) {
        this.known.forget(address, old);
        if (!isShared) await this.#drop(address, old, { transaction, live: before });
      }
    }
    const onWrite = this.known.onWrite(address, record, read);
    // a run is not done before the sandbox names its state
    const writes = await withoutDecision(() => transaction.asWrites(onWrite));
    if (writes === undefined) return undefined;
    this.known.remember(address, { index, reference, home, bytes: bytes.length });
    return { index, reference, writes };
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
    transaction.delete(this.#keys.snapshot(address, id));
    const unused = live?.replaced?.id === id
      ? live.replaced.segments
      : await this.#unusedSegments(address, reference, live);
    for (const ref of unused) transaction.deleteBlob(this.#keys.blob(address, ref.run), ref);
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
}

function idIn(reference: string): string {
  return reference.slice(0, reference.indexOf("."));
}

function snapshotOf({ snapshots }: MemoryRecord, id: string): string | undefined {
  return snapshots.find((reference) => idIn(reference) === id);
}
