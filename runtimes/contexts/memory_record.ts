/**
 * The stored record of the memory of a context, and the records and indexes of snapshots that this
 * process knows. An index and the home of a context never change; a record is the one that this
 * process wrote last.
 *
 * @module
 */
import { z } from "zod";
import type { ContextAddress, StoreWrites } from "../../shared/run_in_context.ts";
import {
  type BlobKey,
  type EnginePart,
  interpreterBlobKey,
  interpreterContextKey,
  interpreterSnapshotKey,
  partUseKey,
} from "../../store/keys.ts";
import { BoundedCache } from "../../store/bounded_cache.ts";
import type { CommitListener } from "../../store/transaction.ts";
import type { SnapshotIndex } from "./snapshot_index.ts";

/** The stored record of the memory of a context, besides its snapshots. */
export interface MemoryRecord {
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
  /** Under which its snapshots are stored, if another context began them. */
  readonly home?: ContextAddress | undefined;
}

/** The record of a context in which nothing ran yet. */
export function newMemory(createdAt: string, cwd: string): MemoryRecord {
  return { createdAt, cwd, fence: 0, snapshots: [], baseline: null };
}

/** A record as read. Later writes commit only if it is unchanged. */
export interface ReadMemory {
  readonly record: MemoryRecord;
  /** Null: the context is created with the next write. */
  readonly versionstamp: string | null;
  /** Under which its snapshots are stored. */
  readonly home: ContextAddress;
  /** Whether other contexts may need its snapshots, so that only a sweep removes them. */
  readonly isShared: boolean;
  /**
   * It is as this process wrote it, and was not read since: others may share its snapshots
   * meanwhile.
   */
  readonly isRemembered?: boolean;
}

/** The stored snapshot is damaged. */
export class SnapshotUnreadable extends Error {
  override readonly name = "SnapshotUnreadable";
}

const recordSchema: z.ZodType<MemoryRecord> = z.object({
  createdAt: z.string(),
  cwd: z.string(),
  fence: z.number().int().nonnegative(),
  snapshots: z.array(z.string()),
  baseline: z.string().nullable(),
  engine: z.string().optional(),
  home: z.object({ sandboxKey: z.string(), contextId: z.string() }).optional(),
});

/** A record in the store, or undefined when it is damaged. */
export function readRecord(value: unknown): MemoryRecord | undefined {
  const parsed = recordSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/**
 * The record in the entry of a context and its mark as a home. Undefined when there is no such
 * context. Throws SnapshotUnreadable.
 */
export function readMemory(
  address: ContextAddress,
  { value, versionstamp }: Deno.KvEntryMaybe<unknown>,
  mark: Deno.KvEntryMaybe<unknown>,
): ReadMemory | undefined {
  if (versionstamp === null) return undefined;
  const record = readRecord(value);
  if (record === undefined) {
    throw new SnapshotUnreadable("a context's record has another shape");
  }
  const isShared = record.home !== undefined || mark.versionstamp !== null;
  return { record, versionstamp, home: record.home ?? address, isShared };
}

/** A snapshot to be stored. */
export interface NewSnapshot {
  /** The snapshot from which the run started; undefined: the baseline. */
  readonly before: SnapshotIndex | undefined;
  /** The new index without the new segment, which follows `segments`. */
  readonly index: SnapshotIndex;
  readonly segment: Uint8Array<ArrayBuffer>;
  readonly fence: number;
}

/** A snapshot that is stored with its writes. */
export interface SavedSnapshot {
  readonly index: SnapshotIndex;
  readonly reference: string;
  readonly writes: StoreWrites;
}

/** The keys of the contexts of one language. */
export class ContextKeys {
  readonly #language: string;

  constructor(language: string) {
    this.#language = language;
  }

  /** The record. */
  context({ sandboxKey, contextId }: ContextAddress): Deno.KvKey {
    return interpreterContextKey(this.#language, sandboxKey, contextId);
  }

  /** The keys that keep the parts of an engine in the store. */
  uses(
    address: ContextAddress,
    { baseline, engine }: Pick<MemoryRecord, "baseline" | "engine">,
  ): readonly Deno.KvKey[] {
    const use = (part: EnginePart, name: string | null | undefined) =>
      name === null || name === undefined ? [] : [partUseKey(part, this.#language, name, address)];
    return [...use("baseline", baseline), ...use("module", engine)];
  }

  /** The index of a snapshot. */
  snapshot({ sandboxKey, contextId }: ContextAddress, snapshotId: string): Deno.KvKey {
    return interpreterSnapshotKey(this.#language, sandboxKey, contextId, snapshotId);
  }

  /**
   * The chunks of a segment. The write id of a blob is the id of the snapshot that it was written
   * for.
   */
  blob({ sandboxKey, contextId }: ContextAddress, writeId: string): BlobKey {
    return interpreterBlobKey(this.#language, sandboxKey, contextId, writeId);
  }
}

/** Memory for recently read or written indexes, in bytes. */
const INDEX_CACHE_BYTES = 4 * 1024 * 1024;
/** Bytes of memory for each stored byte of an index. */
const BYTES_PER_INDEX_BYTE = 4;
/** Memory for the homes of contexts, in bytes. */
const HOME_CACHE_BYTES = 1024 * 1024;
/** About the memory of an address and its name, in bytes. */
const BYTES_PER_HOME = 512;
/** Memory for records, in bytes. */
const RECORD_CACHE_BYTES = 2 * 1024 * 1024;
/** About the memory of a record, in bytes. */
const BYTES_PER_RECORD = 1024;

/** An index as it was read or written. */
export interface CachedIndex {
  readonly index: SnapshotIndex;
  readonly reference: string;
  readonly home: ContextAddress;
  /** Its size in the store. */
  readonly bytes: number;
}

/** The caches of the contexts of one language. */
export class ContextCache {
  readonly #indexes = new BoundedCache<SnapshotIndex>(INDEX_CACHE_BYTES);
  readonly #homes = new BoundedCache<ContextAddress>(HOME_CACHE_BYTES);
  readonly #records = new BoundedCache<ReadMemory>(RECORD_CACHE_BYTES);

  /** The index that a reference names. */
  index(address: ContextAddress, reference: string): SnapshotIndex | undefined {
    return this.#indexes.get(indexName(address, reference));
  }

  /** The context under which the snapshots of another one are stored. */
  home(address: ContextAddress): ContextAddress | undefined {
    return this.#homes.get(addressName(address));
  }

  /** The record as this process wrote it last, unless others share the snapshots. */
  record(address: ContextAddress): ReadMemory | undefined {
    return this.#records.get(addressName(address));
  }

  /** Adds an index, with the home of its context. */
  remember(address: ContextAddress, { index, reference, home, bytes }: CachedIndex): void {
    this.#indexes.set(indexName(address, reference), index, BYTES_PER_INDEX_BYTE * bytes);
    this.#homes.set(addressName(address), home, BYTES_PER_HOME);
  }

  /** Removes an index whose snapshot is removed. */
  forget(address: ContextAddress, reference: string): void {
    this.#indexes.delete(indexName(address, reference));
  }

  /** Removes a record, because others share the snapshots from now on. */
  forgetRecord(address: ContextAddress): void {
    this.#records.delete(addressName(address));
  }

  /** Adds a record with the commit that writes it. */
  onWrite(
    address: ContextAddress,
    record: MemoryRecord,
    { home, isShared }: ReadMemory,
  ): CommitListener {
    const name = addressName(address);
    return {
      committing: () => this.#records.delete(name),
      settled: (_outcome, versionstamp) => {
        if (versionstamp === undefined || isShared) return;
        const written = { record, versionstamp, home, isShared, isRemembered: true };
        this.#records.set(name, written, BYTES_PER_RECORD);
      },
    };
  }
}

function addressName({ sandboxKey, contextId }: ContextAddress): string {
  return JSON.stringify([sandboxKey, contextId]);
}

function indexName(address: ContextAddress, reference: string): string {
  return `${addressName(address)}${reference}`;
}
