/**
 * The cache of contexts in this process: indexes of snapshots, which never change,
 * the homes of contexts, which never change either, and records as it wrote them last.
 *
 * @module
 */
import { BoundedCache } from "../../store/bounded_cache.ts";
import type { CommitListener } from "../../store/transaction.ts";
import type { ContextAddress } from "../../shared/run_in_context.ts";
import type { ContextRecord, ReadContext } from "./context_record.ts";
import type { SnapshotIndex } from "./snapshot_index.ts";

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
  readonly #records = new BoundedCache<ReadContext>(RECORD_CACHE_BYTES);

  /** The index that a reference names. */
  index(address: ContextAddress, reference: string): SnapshotIndex | undefined {
    return this.#indexes.get(indexName(address, reference));
  }

  /** The context under which the snapshots of another one are stored. */
  home(address: ContextAddress): ContextAddress | undefined {
    return this.#homes.get(addressName(address));
  }

  /** The record as this process wrote it last, unless others share the snapshots. */
  record(address: ContextAddress): ReadContext | undefined {
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
    record: ContextRecord,
    { home, isShared }: ReadContext,
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
