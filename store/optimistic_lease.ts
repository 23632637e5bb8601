/**
 * A turn without the lease, for a run that is likely to end soon: nobody has had the lease since
 * this process gave it back, as far as it knows. The commit checks the fence, so it is refused when
 * that was wrong. A run that takes longer takes the lease on the way.
 *
 * @module
 */
import type { ActiveLease } from "./active_lease.ts";
import type { LeaseKeys } from "./keys.ts";
import type { CommitListener, Outcome, Transaction } from "./transaction.ts";

/** Dependencies of an {@link OptimisticLease}. */
export interface OptimisticLeaseOptions {
  readonly keys: LeaseKeys;
  /** The fence that this process wrote last. */
  readonly fence: number;
  /** Its version. */
  readonly versionstamp: string;
  /**
   * Acquires the lease, and reads further keys at the same time; undefined when somebody else has
   * had it.
   */
  readonly take: (also: readonly Deno.KvKey[]) => Promise<ActiveLease | undefined>;
  /** Called once when the turn ends. `freed`: as far as known, nobody has had the lease since. */
  readonly ended: (freed: boolean) => void;
}

/** Implements `Lease` of {@link ./lease.ts}. */
export class OptimisticLease implements CommitListener {
  readonly fence: number;
  readonly also = [];
  readonly #options: OptimisticLeaseOptions;
  readonly #lost = new AbortController();
  #lease: ActiveLease | undefined;
  #taking: Promise<ActiveLease | undefined> | undefined;
  /** Whether the fence may have changed: somebody else has it, or a commit is in doubt. */
  #isSpent = false;
  #ended = false;

  constructor(options: OptimisticLeaseOptions) {
    this.fence = options.fence;
    this.#options = options;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Acquires the lease, so that the turn is one like any other. Returns the further entries as they
   * are then; undefined when somebody else has had the lease. Must not be called during a commit.
   */
  async hold(
    also: readonly Deno.KvKey[],
  ): Promise<readonly Deno.KvEntryMaybe<unknown>[] | undefined> {
    if (this.#isSpent || this.#ended) return undefined;
    this.#isSpent = true;
    const taking = this.#options.take(also);
    this.#taking = taking.catch(() => undefined); // the caller of this one gets the error
    const lease = await taking;
    if (lease === undefined) return undefined;
    if (this.#ended) {
      await lease.release();
      return undefined;
    }
    this.#lease = lease;
    lease.lost.addEventListener("abort", () => this.#lost.abort(lease.lost.reason), { once: true });
    return lease.also;
  }

  commitWith(transaction: Transaction): void {
    const { keys, versionstamp } = this.#options;
    if (this.#lease === undefined) transaction.check(keys.fence, versionstamp).attach(this);
    else this.#lease.commitWith(transaction);
  }

  committing(): void {
    this.#isSpent = true;
  }

  settled(outcome: Outcome): void {
    this.#isSpent = outcome !== "committed";
  }

  /** Nobody else gets the turn while it is being acquired. */
  async release(): Promise<void> {
    const wasEnded = this.#ended;
    this.#ended = true;
    const lease = this.#lease ?? await this.#taking;
    if (lease !== undefined) await lease.release();
    else if (!wasEnded) this.#options.ended(!this.#isSpent);
  }
}
