/**
 * An atomic operation with a commit of its own: retried, measured, or failing.
 *
 * @module
 */
import type { KvAtomic } from "./kv.ts";

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
