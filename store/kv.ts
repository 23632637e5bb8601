/**
 * The store of the service's state: mechanisms over Deno KV that every part shares.
 *
 * This folder owns how data is stored: the keys ({@link ./keys.ts}), values larger than KV's limit
 * ({@link ./blobs.ts}), commits larger than KV's limit ({@link ./transaction.ts}), the right to
 * write ({@link ./lease.ts}), expiry ({@link ./expiry.ts}), and the removal of what nothing refers
 * to ({@link ./janitor.ts}, {@link ./intents.ts}, {@link ./dead.ts}).
 *
 * Only the keys say what is stored. No mechanism knows a language, a snapshot, a file of a
 * workspace or the answer of a route. Besides its own files this folder imports only `shared/`: the
 * clock, telemetry, the log, the tasks of a janitor, the writes that a runtime leaves to a
 * sandbox's commit, and the errors that callers get when the store is gone.
 *
 * The limits of Deno KV that the code relies on are constants in {@link ./atomic_size.ts}.
 *
 * @module
 */

/** An atomic operation under construction. Deno's own class satisfies it. */
export interface KvAtomic {
  /** Requires that each key is still at that version when the operation commits. */
  check(...checks: Deno.AtomicCheck[]): KvAtomic;
  set(key: Deno.KvKey, value: unknown): KvAtomic;
  delete(key: Deno.KvKey): KvAtomic;
  /** Adds to a 64-bit counter, without reading it. */
  sum(key: Deno.KvKey, n: bigint): KvAtomic;
  /** `ok: false` when a check failed, and then nothing was written. */
  commit(): Promise<Deno.KvCommitResult | Deno.KvCommitError>;
}

/** Options of a listing: forwards only, because nothing needs more. */
export interface KvListOptions {
  readonly limit?: number;
  /** Entries per read: 1 to 1,000. */
  readonly batchSize?: number;
}

/**
 * The part of `Deno.Kv` that the service uses, so that tests can inject faults. `Deno.Kv` itself
 * satisfies it.
 */
export interface KvStore extends Pick<Deno.Kv, "get" | "getMany" | "set" | "delete"> {
  /** Entries in the order of their keys. */
  list<T = unknown>(
    selector: Deno.KvListSelector,
    options?: KvListOptions,
  ): AsyncIterable<Deno.KvEntry<T>>;
  atomic(): KvAtomic;
  /** Operations in flight fail. A store of connections is closed when the promise resolves. */
  close(): void | Promise<void>;
  /**
   * Whether a commit that is refused may be done: the client of a KV server sends it again when an
   * answer is lost. Absent: no.
   */
  readonly repeatsCommits?: boolean | undefined;
}
