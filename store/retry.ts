/**
 * Retries while a database is locked: SQLite while another process writes, PostgreSQL after a
 * deadlock. Nothing was done then, so the same operation is retried, each time after a longer and
 * partly random pause. All other failures pass unchanged.
 *
 * @module
 */
import { pause, systemTimers, type Timers } from "../shared/timers.ts";
import type { KvListOptions, KvStore } from "./kv.ts";
import { storeFailureOf } from "./store_failures.ts";
import { type StoreOperation, WrappedStore } from "./wrapped_store.ts";

/** Bounds of the retries. */
export interface RetryOptions {
  /** Total number of attempts. Default 14: about 2 s of pauses. */
  readonly attempts?: number;
  /** A random number from 0 up to 1, for the jitter. */
  readonly random?: () => number;
  readonly timers?: Timers;
  /** Whether the store is a KV server. @default {false} */
  readonly repeatsCommits?: boolean;
}

const DEFAULT_ATTEMPTS = 14;
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 250;

/** Runs `operation` until it no longer meets a lock, within the bounds. */
export async function retryLocked<T>(
  operation: () => Promise<T>,
  options: RetryOptions = {},
): Promise<T> {
  const { attempts = DEFAULT_ATTEMPTS, random = Math.random, timers = systemTimers } = options;
  for (let attempt = 1;; attempt++) {
    try {
      return await operation();
    } catch (thrown) {
      const isLocked = storeFailureOf(thrown)?.fate === "locked";
      if (attempt >= attempts || !isLocked) throw thrown;
    }
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
    await pause(timers, longest * (0.5 + random() / 2));
  }
}

/** The same store, which retries every operation while the database is locked. */
export function withRetry(kv: KvStore, options: RetryOptions = {}): KvStore {
  return new RetryingStore(kv, options);
}

class RetryingStore extends WrappedStore {
  readonly #options: RetryOptions;

  constructor(kv: KvStore, options: RetryOptions) {
    super(kv);
    this.#options = options;
  }

  override get repeatsCommits(): boolean {
    return this.#options.repeatsCommits ?? super.repeatsCommits;
  }

  /** A commit that met a lock had no effect, so the retry is its first commit. */
  protected override around<T>(_: StoreOperation, work: () => Promise<T>): Promise<T> {
    return retryLocked(work, this.#options);
  }

  /** Reads in batches. After a lock it continues after the last entry that it yielded. */
  override async *list<T = unknown>(
    selector: Deno.KvListSelector,
    options: KvListOptions = {},
  ): AsyncIterable<Deno.KvEntry<T>> {
    let last: Deno.KvKey | undefined;
    let count = 0;
    let entries = iterate(this.kv.list<T>(selector, options));
    for (;;) {
      let tries = 0;
      const step = await retryLocked(async () => {
        if (tries++ > 0) entries = iterate(this.#listFrom<T>(last, count, selector, options));
        const next = await entries.next();
        const repeated = !next.done && last !== undefined && sameKey(next.value.key, last);
        return repeated ? await entries.next() : next;
      }, this.#options);
      if (step.done) return;
      last = step.value.key;
      count++;
      yield step.value;
    }
  }

  /** The listing from `last` on. KV yields `last` again as the first entry. */
  #listFrom<T>(
    last: Deno.KvKey | undefined,
    count: number,
    selector: Deno.KvListSelector,
    options: KvListOptions,
  ): AsyncIterable<Deno.KvEntry<T>> {
    if (last === undefined) return this.kv.list<T>(selector, options);
    const rest = "end" in selector
      ? { start: last, end: selector.end }
      : { prefix: selector.prefix, start: last };
    const limit = options.limit === undefined ? {} : { limit: options.limit - count + 1 };
    return this.kv.list<T>(rest, { ...options, ...limit });
  }
}

function iterate<T>(entries: AsyncIterable<T>): AsyncIterator<T> {
  return entries[Symbol.asyncIterator]();
}

function sameKey(a: Deno.KvKey, b: Deno.KvKey): boolean {
  if (a.length !== b.length) return false;
  return a.every((part, index) => {
    const other = b[index];
    if (!(part instanceof Uint8Array) || !(other instanceof Uint8Array)) return part === other;
    return part.length === other.length && part.every((byte, at) => byte === other[at]);
  });
}
