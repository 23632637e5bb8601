/**
 * A lease while it is held: its heartbeats, and the ways it ends. {@link OptimisticLease} is a turn without
 * the lease.
 *
 * @module
 */
import type { Clock } from "../shared/clock.ts";
import { StoreUnavailable } from "../shared/store_errors.ts";
import type { Timers } from "../shared/timers.ts";
import type { LeaseKeys } from "./keys.ts";
import type { KvStore } from "./kv.ts";
import { withOwnPatience } from "./patience.ts";
import type { CommitListener, Outcome, Transaction } from "./transaction.ts";

/** A lease was lost: another holder has it, or KV could not be reached before its deadline. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
  /** Whether KV could not be reached, so that possibly nobody else has the lease. */
  readonly unreachable: boolean;

  constructor(message: string, unreachable: boolean) {
    super(message);
    this.unreachable = unreachable;
  }
}

/** The state of a lease when it was acquired. */
export interface LeaseStart {
  readonly kv: KvStore;
  readonly keys: LeaseKeys;
  readonly fence: number;
  /** Further entries, read together with the keys of the lease. */
  readonly also: readonly Deno.KvEntryMaybe<unknown>[];
  /** Version of both keys, which one commit wrote. */
  readonly versionstamp: string;
  /** The deadline that was written, epoch ms. */
  readonly until: number;
  /** How far each heartbeat moves the deadline ahead. */
  readonly lifeMs: number;
  readonly heartbeatMs: number;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Called once when the lease ends. `freed`: it was released, and nobody else had it before. */
  readonly ended: (freed: boolean) => void;
}

/** Implements `Lease` of {@link ./lease.ts}. */
export class ActiveLease implements CommitListener {
  readonly fence: number;
  readonly also: readonly Deno.KvEntryMaybe<unknown>[];
  readonly #acquired: LeaseStart;
  readonly #lost = new AbortController();
  #deadlineVersion: string;
  #until: number;
  #held = true;
  /**
   * A commit that ends the lease is in flight. Meanwhile a missing deadline does not mean a loss.
   */
  #committing = false;
  /** A commit that ends the lease may still be carried out. */
  #isInDoubt = false;
  #cancelHeartbeat: () => void = () => {};
  #beating: Promise<void> = Promise.resolve();

  constructor(acquired: LeaseStart) {
    this.fence = acquired.fence;
    this.also = acquired.also;
    this.#acquired = acquired;
    this.#deadlineVersion = acquired.versionstamp;
    this.#until = acquired.until;
    this.#schedule();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  checkWith(transaction: Transaction): void {
    const { keys, versionstamp } = this.#acquired;
    transaction.check(keys.fence, versionstamp);
  }

  commitWith(transaction: Transaction): void {
    const { keys, versionstamp } = this.#acquired;
    transaction.check(keys.fence, versionstamp).delete(keys.deadline).attach(this);
  }

  committing(): void {
    this.#committing = true;
  }

  settled(outcome: Outcome): void {
    this.#committing = false;
    this.#isInDoubt = outcome === "unknown";
    if (outcome === "committed") this.#end(true);
  }

  /**
   * Others get their turn only when the deadline is deleted, so they need not poll. After a commit
   * with an unknown outcome the deadline stays: the next holder first makes that commit impossible.
   * A store that cannot be reached does no harm either, because deadlines pass.
   */
  async release(): Promise<void> {
    const held = this.#held;
    this.#held = false;
    this.#cancelHeartbeat();
    if (!this.#isInDoubt) await this.#beating;
    if (!held) return;
    const { kv, keys, versionstamp } = this.#acquired;
    let freed = false;
    try {
      if (this.#isInDoubt) return;
      const released = kv.atomic().check({ key: keys.fence, versionstamp }).delete(keys.deadline);
      freed = (await released.commit()).ok;
    } catch (thrown) {
      if (!(thrown instanceof StoreUnavailable)) throw thrown;
    } finally {
      this.#acquired.ended(freed);
    }
  }

  #end(freed: boolean): void {
    if (!this.#held) return;
    this.#held = false;
    this.#cancelHeartbeat();
    this.#acquired.ended(freed);
  }

  #lose(reason: string, unreachable: boolean): void {
    this.#end(false);
    this.#lost.abort(new LeaseLost(reason, unreachable));
  }

  #schedule(): void {
    const { timers, heartbeatMs } = this.#acquired;
    this.#cancelHeartbeat = timers.after(heartbeatMs, () => {
      this.#beating = withOwnPatience(() => this.#beat());
    }, true);
  }

  /**
   * Moves the deadline. Checks both keys, because a heartbeat that arrives after the release must
   * not restore the deadline.
   */
  async #beat(): Promise<void> {
    const until = this.#acquired.clock() + this.#acquired.lifeMs;
    const version = await this.#moveDeadline(until);
    if (!this.#held) return;
    if (version === "unreachable" && this.#acquired.clock() >= this.#until) {
      return this.#lose("the lease could not be renewed", true);
    }
    if (version === "taken" && !this.#committing) {
      return this.#lose("somebody else has the lease", false);
    }
    if (typeof version === "object") {
      this.#deadlineVersion = version.versionstamp;
      this.#until = until;
    }
    this.#schedule();
  }

  async #moveDeadline(
    until: number,
  ): Promise<"taken" | "unreachable" | { readonly versionstamp: string }> {
    const { kv, keys, versionstamp } = this.#acquired;
    try {
      const moved = await kv.atomic()
        .check({ key: keys.fence, versionstamp })
        .check({ key: keys.deadline, versionstamp: this.#deadlineVersion })
        .set(keys.deadline, { until })
        .commit();
      return moved.ok ? moved : await this.#ownDeadline();
    } catch {
      return "unreachable";
    }
  }

  /**
   * The deadline that an earlier heartbeat set whose answer was lost, unless another holder set it.
   */
  async #ownDeadline(): Promise<"taken" | { readonly versionstamp: string }> {
    const { kv, keys, versionstamp } = this.#acquired;
    const [fence, deadline] = await kv.getMany<unknown[]>([keys.fence, keys.deadline]);
    const isOurs = fence?.versionstamp === versionstamp && deadline !== undefined;
    if (!isOurs || deadline.versionstamp === null) return "taken";
    return { versionstamp: deadline.versionstamp };
  }
}

/** Dependencies of an {@link OptimisticLease}. */
interface OptimisticLeaseOptions {
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

/**
 * A turn without the lease, for a run that is likely to end soon: nobody has had the lease since
 * this process gave it back, as far as it knows. The commit checks the fence, so it is refused when
 * that was wrong. A run that takes longer takes the lease on the way. Implements `Lease` of
 * {@link ./lease.ts}.
 */
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

  checkWith(transaction: Transaction): void {
    const { keys, versionstamp } = this.#options;
    if (this.#lease === undefined) transaction.check(keys.fence, versionstamp);
    else this.#lease.checkWith(transaction);
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
