/**
 * A lease while it is held: its heartbeats, and the ways it ends.
 *
 * @module
 */
import type { Clock } from "../wire/clock.ts";
import { StoreUnavailable } from "../wire/store_errors.ts";
import type { Timers } from "../wire/timers.ts";
import type { LeaseKeys } from "./keys.ts";
import type { KvStore } from "./kv.ts";
import { withOwnPatience } from "./patience.ts";
import type { CommitListener, Outcome, Transaction } from "./transaction.ts";

/** Why a lease was lost: somebody else has it, or KV could not be reached until its deadline. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
  /** Whether KV could not be reached, so that nobody need have it. */
  readonly unreachable: boolean;

  constructor(message: string, unreachable: boolean) {
    super(message);
    this.unreachable = unreachable;
  }
}

/** A lease as it was acquired. */
export interface Acquired {
  readonly kv: KvStore;
  readonly keys: LeaseKeys;
  readonly fence: number;
  /** Read with the keys of the lease. */
  readonly also: readonly Deno.KvEntryMaybe<unknown>[];
  /** Of both keys, as they were acquired in one commit. */
  readonly versionstamp: string;
  /** The deadline that was written, epoch ms. */
  readonly until: number;
  /** How far each heartbeat sets the deadline ahead. */
  readonly lifeMs: number;
  readonly heartbeatMs: number;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Called once when it is over. `freed`: it was given back, nobody else had it before. */
  readonly ended: (freed: boolean) => void;
}

/** See `Lease`, which this implements, in {@link ./lease.ts}. */
export class HeldLease implements CommitListener {
  readonly fence: number;
  readonly also: readonly Deno.KvEntryMaybe<unknown>[];
  readonly #acquired: Acquired;
  readonly #lost = new AbortController();
  #deadlineVersion: string;
  #until: number;
  #held = true;
  /** A commit that ends the lease is on its way: a missing deadline is no loss meanwhile. */
  #committing = false;
  /** A commit that ends the lease may be done still. */
  #isInDoubt = false;
  #cancelHeartbeat: () => void = () => {};
  #beating: Promise<void> = Promise.resolve();

  constructor(acquired: Acquired) {
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
   * Others get their turn only when the deadline is gone, so that they need not poll. A commit
   * whose fate is not known keeps the deadline: whoever comes next makes it impossible first. Nor
   * does it matter that the store cannot be reached: deadlines pass.
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
   * Moves the deadline. Checks both keys: a heartbeat that arrives after the release must not
   * bring the deadline back.
   */
  async #beat(): Promise<void> {
    const until = this.#acquired.clock() + this.#acquired.lifeMs;
    const version = await this.#moveDeadline(until);
    if (!this.#held) return;
    if (version === "unreachable" && this.#acquired.clock() >= this.#until) {
      return this.#lose("the lease could not be kept alive", true);
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

  /** The deadline as an earlier heartbeat set it whose answer was lost, unless it is another's. */
  async #ownDeadline(): Promise<"taken" | { readonly versionstamp: string }> {
    const { kv, keys, versionstamp } = this.#acquired;
    const [fence, deadline] = await kv.getMany<unknown[]>([keys.fence, keys.deadline]);
    const isOurs = fence?.versionstamp === versionstamp && deadline !== undefined;
    if (!isOurs || deadline.versionstamp === null) return "taken";
    return { versionstamp: deadline.versionstamp };
  }
}
