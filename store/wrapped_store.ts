/**
 * A store that wraps another one: each operation goes through one method, which may retry, measure
 * or fail it.
 *
 * @module
 */
import type { KvAtomic, KvListOptions, KvStore } from "./kv.ts";

/** The kinds of operations. A listing is one operation for each entry, and one more for its end. */
export type StoreOperation = "get" | "getMany" | "set" | "delete" | "list" | "commit";

/** Forwards everything through {@link around}. */
export abstract class WrappedStore implements KvStore {
  /** The wrapped store. */
  protected readonly kv: KvStore;

  constructor(kv: KvStore) {
    this.kv = kv;
  }

  get repeatsCommits(): boolean {
    return this.kv.repeatsCommits ?? false;
  }

  /** Performs an operation; `work` calls the wrapped store. */
  protected abstract around<T>(operation: StoreOperation, work: () => Promise<T>): Promise<T>;

  get<T = unknown>(
    key: Deno.KvKey,
    options?: { consistency?: Deno.KvConsistencyLevel },
  ): Promise<Deno.KvEntryMaybe<T>> {
    return this.around("get", () => this.kv.get<T>(key, options));
  }

  getMany<T extends readonly unknown[]>(
    keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
    options?: { consistency?: Deno.KvConsistencyLevel },
  ): Promise<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }> {
    return this.around("getMany", () => this.kv.getMany<T>(keys, options));
  }

  set(
    key: Deno.KvKey,
    value: unknown,
    options?: { expireIn?: number },
  ): Promise<Deno.KvCommitResult> {
    return this.around("set", () => this.kv.set(key, value, options));
  }

  delete(key: Deno.KvKey): Promise<void> {
    return this.around("delete", () => this.kv.delete(key));
  }

  async *list<T = unknown>(
    selector: Deno.KvListSelector,
    options?: KvListOptions,
  ): AsyncIterable<Deno.KvEntry<T>> {
    const entries = this.kv.list<T>(selector, options)[Symbol.asyncIterator]();
    for (;;) {
      const step = await this.around("list", () => entries.next());
      if (step.done) return;
      yield step.value;
    }
  }

  atomic(): KvAtomic {
    return new WrappedAtomic(this.kv.atomic(), (commit) => this.around("commit", commit));
  }

  close(): void | Promise<void> {
    return this.kv.close();
  }
}

/** The result of a commit. */
export type CommitOutcome = Deno.KvCommitResult | Deno.KvCommitError;

/** Forwards everything, except the commit, which the constructor's function does. */
export class WrappedAtomic implements KvAtomic {
  readonly #atomic: KvAtomic;
  readonly #around: (commit: () => Promise<CommitOutcome>) => Promise<CommitOutcome>;

  constructor(
    atomic: KvAtomic,
    around: (commit: () => Promise<CommitOutcome>) => Promise<CommitOutcome>,
  ) {
    this.#atomic = atomic;
    this.#around = around;
  }

  check(...checks: Deno.AtomicCheck[]): this {
    this.#atomic.check(...checks);
    return this;
  }

  set(key: Deno.KvKey, value: unknown): this {
    this.#atomic.set(key, value);
    return this;
  }

  delete(key: Deno.KvKey): this {
    this.#atomic.delete(key);
    return this;
  }

  sum(key: Deno.KvKey, n: bigint): this {
    this.#atomic.sum(key, n);
    return this;
  }

  commit(): Promise<CommitOutcome> {
    return this.#around(() => this.#atomic.commit());
  }
}
