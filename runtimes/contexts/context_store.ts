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
import { BlobCorrupt, blobName, type BlobRef, readBlob } from "../../store/blobs.ts";
import {
  interpreterBlobsPrefix,
  interpreterContextsPrefix,
  interpreterGoneKey,
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
  encodeIndex,
  readIndex,
  referenceTo,
  snapshotIdOf,
  type SnapshotIndex,
} from "./snapshot_index.ts";
import {
  ContextKeys,
  type ContextRecord,
  type NewSnapshot,
  type ReadContext,
  readContext,
  readRecord,
  type SavedSnapshot,
  SnapshotUnreadable,
} from "./context_record.ts";
import { ContextCache } from "./context_cache.ts";
import { SharedSnapshots } from "./shared_snapshots.ts";

/** Far above the time that a call may be in flight. */
const GONE_MS = 10 * 60_000;

/** The contexts of one language. */
export class ContextStore implements RuntimeContexts {
  readonly #kv: KvStore;
  readonly #language: string;
  readonly #keys: ContextKeys;
  readonly #clock: Clock;
  readonly #shared: SharedSnapshots;
  readonly #known = new ContextCache();

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
  async read(address: ContextAddress): Promise<ReadContext | undefined> {
    const [entry, mark] = await this.#kv.getMany<[unknown, unknown]>([
      this.#keys.context(address),
      sharedMarkKey(this.#language, address),
    ]);
    return readContext(address, entry, mark);
  }

  /**
   * Reads a record, or returns the given one for a context that its first snapshot creates.
   * Undefined when the context was removed recently.
   */
  async readOrNew(address: ContextAddress, made: ContextRecord): Promise<ReadContext | undefined> {
    const [entry, mark, ...gone] = await this.#kv.getMany<[unknown, unknown, ...unknown[]]>([
      this.#keys.context(address),
      sharedMarkKey(this.#language, address),
      ...this.#keys.gone(address),
    ]);
    const found = readContext(address, entry, mark);
    if (found !== undefined) return found;
    if (gone.some(({ versionstamp }) => versionstamp !== null)) return undefined;
    return {
      record: made,
      versionstamp: null,
      home: address,
      isShared: mark.versionstamp !== null,
    };
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
    const absent = [this.#keys.context(address), ...this.#keys.gone(address)]
      .map((key) => ({ key, versionstamp: null }));
    const done = await this.#kv.atomic().check(...absent).set(this.#keys.context(address), record)
      .commit();
    return done.ok;
  }

  /**
   * Removes a context with all its snapshots. False when there is none. For a while it cannot be
   * created again, because a call that creates it may still be in flight.
   */
  async remove(address: ContextAddress): Promise<boolean> {
    const { sandboxKey, contextId } = address;
    await this.#markGone(interpreterGoneKey(this.#language, sandboxKey, contextId));
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

  /** Removes everything of a sandbox. Its contexts cannot be created again for a while. */
  async wipe(sandboxKey: string): Promise<void> {
    await this.#markGone(interpreterGoneKey(this.#language, sandboxKey));
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
    this.#known.forgetRecord(source);
    const read = await this.read(source);
    if (read === undefined || !read.record.snapshots.includes(reference)) return undefined;
    const { record, home } = read;
    const isBehind = record.snapshots.at(-1) !== reference;
    const transaction = new Transaction(this.#kv, { writeId: "", clock: this.#clock });
    transaction.check(this.#keys.context(source), read.versionstamp);
    for (const key of [this.#keys.context(target), ...this.#keys.gone(target)]) {
      transaction.check(key, null);
    }
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
    const writes = transaction.asWrites();
    if (writes === undefined) throw new TypeError("a fork has more writes than a commit takes");
    return { writes, isBehind };
  }

  /** Commits a prepared fork alone. False when the source has changed, or the target exists. */
  async commitFork({ writes }: PreparedFork): Promise<boolean> {
    const transaction = new Transaction(this.#kv, { writeId: "", clock: this.#clock });
    return await transaction.join(writes).commit();
  }

  async #markGone(key: Deno.KvKey): Promise<void> {
    await this.#kv.set(key, true, { expireIn: GONE_MS });
  }

  /**
   * Removes a record and its use of a baseline and a module, including changes by a concurrent run.
   * Returns the home of its snapshots; undefined when there is none.
   */
  async #removeRecord(address: ContextAddress): Promise<ContextAddress | undefined> {
    const key = this.#keys.context(address);
    const markKey = sharedMarkKey(this.#language, address);
    for (;;) {
      const [{ value, versionstamp }, mark] = await this.#kv.getMany<[unknown, unknown]>(
        [key, markKey],
      );
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

  /** The record as this process wrote it last, unless others share its snapshots. */
  knownRecord(address: ContextAddress): ReadContext | undefined {
    return this.#known.record(address);
  }

  /** An index that this process has read or written recently. Indexes never change. */
  knownIndex(address: ContextAddress, reference: string): SnapshotIndex | undefined {
    return this.#known.index(address, reference);
  }

  /** Reads the index that a reference names. Throws SnapshotUnreadable. */
  async index(address: ContextAddress, reference: string): Promise<SnapshotIndex> {
    const id = snapshotIdOf(reference);
    if (id === undefined) throw new SnapshotUnreadable("a reference is not valid");
    let home = this.#known.home(address) ?? address;
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
    this.#known.remember(address, { index, reference, home, bytes: bytes.length });
    return index;
  }

  /** Reads the segments of a snapshot, oldest first. Throws SnapshotUnreadable. */
  async segments(
    address: ContextAddress,
    { segments }: SnapshotIndex,
  ): Promise<readonly Uint8Array<ArrayBuffer>[]> {
    const home = this.#known.home(address) ?? (await this.read(address))?.home ?? address;
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
   * Writes a snapshot, and removes those that are neither the sandbox's state nor used by this one.
   * If the writes are small, they are returned instead, for the commit of the caller.
   * Undefined when the record has changed since `read`.
   */
  async save(
    address: ContextAddress,
    read: ReadContext,
    made: NewSnapshot,
  ): Promise<SavedSnapshot | undefined> {
    const { id } = made.index;
    if (read.isShared) {
      await withoutDecision(() => this.#shared.wrote(read.home, made.segment.length));
    }
    const transaction = new Transaction(this.#kv, { writeId: id, clock: this.#clock });
    transaction.check(this.#keys.context(address), read.versionstamp);
    if (read.versionstamp === null) {
      for (const key of this.#keys.gone(address)) transaction.check(key, null);
    }
    const { home, isShared } = read;
    const blob = transaction.putBlob(this.#keys.blob(home, id), made.segment);
    const index: SnapshotIndex = { ...made.index, segments: [...made.index.segments, blob] };
    const bytes = encodeIndex(index);
    const reference = referenceTo(id, bytes);
    const kept = made.before === undefined ? undefined : snapshotOf(read.record, made.before.id);
    transaction.set(this.#keys.snapshot(home, id), bytes);
    if (isShared) transaction.set(unsweptKey(this.#language, home), true);
    const record: ContextRecord = {
      ...read.record,
      fence: made.fence,
      baseline: index.baseline,
      engine: index.engine,
      snapshots: [...kept === undefined ? [] : [kept], reference],
    };
    transaction.set(this.#keys.context(address), record);
    if (read.record.baseline !== index.baseline || read.record.engine !== index.engine) {
      for (const use of this.#keys.uses(address, index)) transaction.set(use, true);
    }
    for (const old of read.record.snapshots) {
      if (idIn(old) !== made.before?.id) {
        this.#known.forget(address, old);
        if (!isShared) await this.#drop(address, old, { transaction, live: made.before });
      }
    }
    const onWrite = this.#known.onWrite(address, record, read);
    const check = () => transaction.check(sharedMarkKey(this.#language, address), null);
    if (read.isRemembered === true) check();
    const writes = transaction.asWrites(onWrite);
    if (writes === undefined) {
      if (!isShared && read.isRemembered !== true) check();
      transaction.attach(onWrite);
    }
    if (writes === undefined && await made.confirm?.() === false) return undefined;
    // a run is not done before the sandbox names its state
    if (writes === undefined && !(await withoutDecision(() => transaction.commit()))) {
      if (!(await this.#isLatest(address, reference))) return undefined;
    }
    this.#known.remember(address, { index, reference, home, bytes: bytes.length });
    return { index, reference, ...(writes === undefined ? {} : { writes }) };
  }

  /**
   * Whether a snapshot is the latest one. Then the commit was refused only because an earlier
   * answer was lost.
   */
  async #isLatest(address: ContextAddress, reference: string): Promise<boolean> {
    return (await this.read(address))?.record.snapshots.at(-1) === reference;
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

function snapshotOf({ snapshots }: ContextRecord, id: string): string | undefined {
  return snapshots.find((reference) => idIn(reference) === id);
}
