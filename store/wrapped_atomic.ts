/**
 * An atomic operation whose commit is done in another way than the store's own: again, counted,
 * or not at all.
 *
 * @module
 */
import type { KvAtomic } from "./kv.ts";

/** What a commit ends with. */
export type CommitOutcome = Deno.KvCommitResult | Deno.KvCommitError;

/** Hands everything on, and its commit to what it was made with. */
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
