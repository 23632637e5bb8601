/**
 * Patience with a locked database. SQLite answers "database is locked" when another process
 * writes; nothing was done then, so the same operation is tried again, each time after a longer
 * and partly random pause. All other failures pass unchanged: whether they wrote is not known.
 *
 * @module
 */
import type { KvAtomic, KvListOptions, KvStore } from "./kv.ts";
import { pause, systemTimers, type Timers } from "./timers.ts";
import { WrappedAtomic } from "./wrapped_atomic.ts";

/** How long a locked database is borne with. */
export interface RetryOptions {
  /** Tries in all. Default 14: some 2 s of pauses. */
  readonly attempts?: number;
  /** From 0 up to 1, for the jitter. */
  readonly random?: () => number;
  readonly timers?: Timers;
}

const DEFAULT_ATTEMPTS = 14;
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 250;
const LOCKED = /\b(?:database|table)(?: \S+)? is (?:locked|busy)\b|\bSQLITE_(?:BUSY|LOCKED)\b/i;

/** True for a failure that means "nothing was done, come again". */
export function isLocked(thrown: unknown): boolean {
  return thrown instanceof Error && LOCKED.test(thrown.message);
}

/** Runs `operation` until it does anything else than meet a lock, within bounds. */
export async function retryLocked<T>(
  operation: () => Promise<T>,
  options: RetryOptions = {},
): Promise<T> {
  const { attempts = DEFAULT_ATTEMPTS, random = Math.random, timers = systemTimers } = options;
  for (let attempt = 1;; attempt++) {
    try {
      return await operation();
    } catch (thrown) {
      if (attempt >= attempts || !isLocked(thrown)) throw thrown;
    }
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
    await pause(timers, longest * (0.5 + random() / 2));
  }
}

/** The same store, with every operation repeated while the database is locked. */
export function withRetry(kv: KvStore, options: RetryOptions = {}): KvStore {
  return new RetryingStore(kv, options);
}

class RetryingStore implements KvStore {
  readonly #kv: KvStore;
  readonly #options: RetryOptions;

  constructor(kv: KvStore, options: RetryOptions) {
    this.#kv = kv;
    this.#options = options;
  }

  get<T = unknown>(
    key: Deno.KvKey,
    options?: { consistency?: Deno.KvConsistencyLevel },
  ): Promise<Deno.KvEntryMaybe<T>> {
    return retryLocked(() => this.#kv.get<T>(key, options), this.#options);
  }

  getMany<T extends readonly unknown[]>(
    keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
    options?: { consistency?: Deno.KvConsistencyLevel },
  ): Promise<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }> {
    return retryLocked(() => this.#kv.getMany<T>(keys, options), this.#options);
  }

  set(
    key: Deno.KvKey,
    value: unknown,
    options?: { expireIn?: number },
  ): Promise<Deno.KvCommitResult> {
    return retryLocked(() => this.#kv.set(key, value, options), this.#options);
  }

  delete(key: Deno.KvKey): Promise<void> {
    return retryLocked(() => this.#kv.delete(key), this.#options);
  }

  /** Read in batches; after a lock it goes on behind the last entry that was given out. */
  async *list<T = unknown>(
    selector: Deno.KvListSelector,
    options: KvListOptions = {},
  ): AsyncIterable<Deno.KvEntry<T>> {
    let last: Deno.KvKey | undefined;
    let given = 0;
    let entries = iterate(this.#kv.list<T>(selector, options));
    for (;;) {
      let tries = 0;
      const step = await retryLocked(async () => {
        if (tries++ > 0) entries = iterate(this.#listFrom<T>(last, given, selector, options));
        const next = await entries.next();
        const repeated = !next.done && last !== undefined && sameKey(next.value.key, last);
        return repeated ? await entries.next() : next;
      }, this.#options);
      if (step.done) return;
      last = step.value.key;
      given++;
      yield step.value;
    }
  }

  /** The listing from `last` on, which is given again as its first entry. */
  #listFrom<T>(
    last: Deno.KvKey | undefined,
    given: number,
    selector: Deno.KvListSelector,
    options: KvListOptions,
  ): AsyncIterable<Deno.KvEntry<T>> {
    if (last === undefined) return this.#kv.list<T>(selector, options);
    const rest = "end" in selector
      ? { start: last, end: selector.end }
      : { prefix: selector.prefix, start: last };
    const limit = options.limit === undefined ? {} : { limit: options.limit - given + 1 };
    return this.#kv.list<T>(rest, { ...options, ...limit });
  }

  atomic(): KvAtomic {
    // committing again what met a lock is committing it for the first time
    return new WrappedAtomic(this.#kv.atomic(), (commit) => retryLocked(commit, this.#options));
  }

  close(): void {
    this.#kv.close();
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
