/**
 * What keeps the service's state: mechanisms over Deno KV that every part shares.
 *
 * This folder owns how things are kept: the keys ({@link ./keys.ts}), values larger than KV takes
 * ({@link ./blobs.ts}), commits larger than KV takes ({@link ./transaction.ts}), who may write
 * ({@link ./lease.ts}), what is due ({@link ./expiry.ts}), and the removal of what nobody names
 * any more ({@link ./janitor.ts}, {@link ./intents.ts}, {@link ./dead.ts}).
 *
 * What is kept, only the keys say. No mechanism knows a language, a snapshot, a file of a workspace
 * or the answer of a route. Besides its own files this folder imports `wire/` only, for what goes
 * through it from one user to another: the clock, telemetry, the log, what a janitor has to do, the
 * writes that a runtime leaves to a sandbox's commit, and what callers are told when it is gone.
 *
 * Limits of Deno KV on which the code rests are constants in {@link ./atomic_size.ts}.
 *
 * @module
 */

/** One atomic operation being put together. Deno's own satisfies it. */
export interface KvAtomic {
  /** Asks that each key is still at that version when the operation is committed. */
  check(...checks: Deno.AtomicCheck[]): KvAtomic;
  set(key: Deno.KvKey, value: unknown): KvAtomic;
  delete(key: Deno.KvKey): KvAtomic;
  /** Adds to a 64-bit counter, without reading it. */
  sum(key: Deno.KvKey, n: bigint): KvAtomic;
  /** `ok: false` when a check failed; then nothing was written. */
  commit(): Promise<Deno.KvCommitResult | Deno.KvCommitError>;
}

/** How a listing is cut: forwards only, which is all that is needed. */
export interface KvListOptions {
  readonly limit?: number;
  /** Entries read at once: 1 to 1,000. */
  readonly batchSize?: number;
}

/**
 * The part of `Deno.Kv` that is used, so that tests can put faults between. `Deno.Kv` itself
 * satisfies it.
 */
export interface KvStore extends Pick<Deno.Kv, "get" | "getMany" | "set" | "delete" | "close"> {
  /** Entries in the order of their keys. */
  list<T = unknown>(
    selector: Deno.KvListSelector,
    options?: KvListOptions,
  ): AsyncIterable<Deno.KvEntry<T>>;
  atomic(): KvAtomic;
}
