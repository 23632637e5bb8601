/**
 * Leases: one writer at a time, across processes.
 *
 * A lease is two keys. The *fence* is a number that grows by one with each acquisition and is
 * written by nothing else; a commit that checks its version is refused as soon as anybody else
 * has acquired the lease. Safety rests on that alone. The *deadline* says until when the holder
 * is not disturbed; heartbeats move it, a release deletes it. Since heartbeats leave the fence
 * alone, they never disturb a commit.
 *
 * Clocks decide only when a holder is taken for dead. Assumed: clocks of processes differ by less
 * than the margin (a fifth of the lease time). The holder writes a deadline that is a margin
 * early, whoever waits adds a margin; so a lease is free again at most the lease time after the
 * last heartbeat. If clocks differ by more, a living holder may lose its run, or a waiter, who
 * trusts an unmoved deadline for no longer than the lease time after he first saw it, waits so
 * long; no data is lost either way. All processes must use the same lease time.
 *
 * @module
 */
import type { Clock } from "../wire/clock.ts";
import { pause, systemTimers, type Timers } from "../wire/timers.ts";
import { BoundedCache } from "./bounded_cache.ts";
import { HeldLease } from "./held_lease.ts";
import type { LeaseKeys } from "./keys.ts";
import type { KvStore } from "./kv.ts";
import type { Transaction } from "./transaction.ts";
import { type GiveBack, TurnQueue } from "./turn_queue.ts";

/** The right to write, until released or lost. */
export interface Lease {
  /** Grows by one with each acquisition, never repeats. */
  readonly fence: number;
  /** Aborted, with a {@link LeaseLost}, when the lease could not be kept. */
  readonly lost: AbortSignal;
  /**
   * The further keys as they were when the lease was seen to be free. Since then nobody else has
   * committed under the lease; what is written without it may have changed.
   */
  readonly also: readonly Deno.KvEntryMaybe<unknown>[];
  /** Adds to a commit the check that this lease is still ours, and its release. */
  commitWith(transaction: Transaction): void;
  /** Ends it without a commit. May be called always, also after a commit has ended it. */
  release(): Promise<void>;
}

/** The lease was not to be had in time. */
export class LeaseTimeout extends Error {
  override readonly name = "LeaseTimeout";
}

/** What the lease is for exists no more. */
export class LeaseGone extends Error {
  override readonly name = "LeaseGone";
}

/** What {@link LeaseTable} needs. */
export interface LeaseTableOptions {
  readonly kv: KvStore;
  /** Random id of this process, kept beside the fence for whoever looks into the store. */
  readonly owner: string;
  /** For how long a lease outlives its holder, ms. */
  readonly ttlMs: number;
  readonly clock: Clock;
  readonly timers?: Timers;
  /** From 0 up to 1, for the jitter of polling. */
  readonly random?: () => number;
}

/** How to wait for a lease. */
export interface AcquireOptions {
  readonly signal?: AbortSignal;
  /** 0: one try. */
  readonly maxWaitMs: number;
  /** Further keys to be read with those of the lease, at most 8. */
  readonly also?: readonly Deno.KvKey[];
  /**
   * Whether what the lease is for exists, by the further keys; when it does not, nothing is
   * written. Whoever ends its existence changes the first of these keys and deletes those of the
   * lease in one commit: so no lease is left of what is gone.
   */
  readonly exists?: (also: readonly Deno.KvEntryMaybe<unknown>[]) => boolean;
}

const FIRST_POLL_MS = 4;
const LONGEST_POLL_MS = 64;
const MARGIN_PER_TTL = 1 / 5;
/** Memory for what is known of leases that this process gave back, in bytes. */
const FREED_CACHE_BYTES = 1024 * 1024;
const BYTES_PER_FREED = 256;

interface FenceRecord {
  readonly fence: number;
  readonly owner: string;
}

/** A fence that this process wrote, and the version it has as long as nobody else wrote it. */
interface HeldFence {
  readonly fence: number;
  readonly versionstamp: string;
}

interface DeadlineRecord {
  /** Epoch ms. */
  readonly until: number;
}

/** Everything of one read. */
interface ReadLease {
  readonly fence: Deno.KvEntryMaybe<FenceRecord>;
  readonly deadline: Deno.KvEntryMaybe<DeadlineRecord>;
  readonly also: readonly Deno.KvEntryMaybe<unknown>[];
  /** This process left it behind, perhaps with a commit whose fate is not known. */
  readonly isLeft: boolean;
}

/** A lease that has just been taken. */
interface Taken extends HeldFence {
  readonly until: number;
}

/** The deadline of another holder, as first seen by somebody waiting. */
interface Sighting {
  readonly versionstamp: string;
  readonly at: number;
}

/** All leases that one process takes. */
export class LeaseTable {
  readonly #kv: KvStore;
  readonly #owner: string;
  readonly #ttlMs: number;
  readonly #marginMs: number;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #random: () => number;
  readonly #turns = new TurnQueue();
  /** Leases as this process gave them back. Somebody else may have had them since. */
  readonly #freed = new BoundedCache<HeldFence>(FREED_CACHE_BYTES);

  constructor(options: LeaseTableOptions) {
    this.#kv = options.kv;
    this.#owner = options.owner;
    this.#ttlMs = options.ttlMs;
    this.#marginMs = options.ttlMs * MARGIN_PER_TTL;
    this.#clock = options.clock;
    this.#timers = options.timers ?? systemTimers;
    this.#random = options.random ?? Math.random;
  }

  /**
   * Waits for the lease: in order of arrival within the process, polling between processes.
   * Rejects with the signal's reason.
   *
   * @throws {LeaseTimeout} after `maxWaitMs`
   * @throws {LeaseGone}
   */
  async acquire(keys: LeaseKeys, options: AcquireOptions): Promise<Lease> {
    options.signal?.throwIfAborted();
    const wait = boundedWait(this.#timers, options);
    try {
      const giveBack = await this.#turn(JSON.stringify(keys.fence), options, wait.signal);
      try {
        return await this.#acquireInTurn(keys, options, wait.signal, giveBack);
      } catch (thrown) {
        giveBack();
        throw thrown;
      }
    } finally {
      wait.end();
    }
  }

  /** Who has to wait looks at once, so as to know that it was there when the waiting began. */
  async #turn(name: string, options: AcquireOptions, wait: AbortSignal): Promise<GiveBack> {
    const { also, exists } = options;
    const looksNow = also !== undefined && exists !== undefined && this.#turns.isTaken(name);
    const turn = this.#turns.take(name, wait);
    const look = async () => exists?.(await this.#kv.getMany<unknown[]>([...also ?? []]));
    const [giveBack] = await Promise.all([
      turn,
      looksNow ? look().catch(() => undefined) : undefined, // it looks again in its turn
    ]);
    return giveBack;
  }

  async #acquireInTurn(
    keys: LeaseKeys,
    options: AcquireOptions,
    wait: AbortSignal,
    giveBack: GiveBack,
  ): Promise<Lease> {
    const again = await this.#takeAgain(keys, options, giveBack);
    if (again !== undefined) return again;
    let seen: Sighting | undefined;
    for (let poll = FIRST_POLL_MS;; poll = Math.min(LONGEST_POLL_MS, poll * 2)) {
      const [fence, deadline, ...also] = await this.#kv.getMany<
        [FenceRecord, DeadlineRecord, ...unknown[]]
      >([keys.fence, keys.deadline, ...options.also ?? []]);
      if (options.exists?.(also) === false) {
        throw new LeaseGone("what the lease is for exists no more");
      }
      if (deadline.versionstamp !== null && deadline.versionstamp !== seen?.versionstamp) {
        seen = { versionstamp: deadline.versionstamp, at: this.#clock() };
      }
      // in our turn nobody else of this process has it: an answer was lost, or the store was gone
      const isLeft = deadline.value !== null && fence.value?.owner === this.#owner;
      if (isLeft || deadline.value === null || this.#hasPassed(deadline.value, seen)) {
        const lease = await this.#take(keys, { fence, deadline, also, isLeft }, giveBack);
        if (lease !== undefined && !options.signal?.aborted) return lease;
        await lease?.release();
      }
      await pause(this.#timers, poll * (0.5 + this.#random() / 2), wait);
    }
  }

  /**
   * The lease, if nobody else had it since this process gave it back: then it is free, and the
   * further keys can be read while it is taken. Undefined when somebody else had it, or what it
   * is for is gone, with which its fence would have been deleted; nothing is written then.
   */
  async #takeAgain(
    keys: LeaseKeys,
    { also = [], exists, signal }: AcquireOptions,
    giveBack: GiveBack,
  ): Promise<HeldLease | undefined> {
    const name = JSON.stringify(keys.fence);
    const freed = this.#freed.get(name);
    if (freed === undefined) return undefined;
    this.#freed.delete(name);
    const reading = also.length === 0 ? [] : this.#kv.getMany<unknown[]>([...also]);
    const [read, taken] = await Promise.allSettled([
      reading,
      this.#commit(keys, freed.fence + 1, [
        { key: keys.fence, versionstamp: freed.versionstamp },
        { key: keys.deadline, versionstamp: null },
      ]),
    ]);
    if (taken.status === "rejected") throw taken.reason;
    if (taken.value === undefined) return undefined;
    const entries = read.status === "fulfilled" ? read.value : [];
    const lease = this.#held(keys, { ...taken.value, also: entries }, giveBack);
    const gone = read.status === "fulfilled" && exists?.(entries) === false;
    if (read.status === "fulfilled" && !gone && !signal?.aborted) return lease;
    await lease.release();
    signal?.throwIfAborted();
    if (read.status === "rejected") throw read.reason;
    throw new LeaseGone("what the lease is for exists no more");
  }

  #hasPassed({ until }: DeadlineRecord, seen: Sighting | undefined): boolean {
    const latest = (seen?.at ?? this.#clock()) + this.#ttlMs - this.#marginMs;
    return this.#clock() >= Math.min(until, latest) + this.#marginMs;
  }

  async #take(
    keys: LeaseKeys,
    { fence, deadline, also, isLeft }: ReadLease,
    giveBack: GiveBack,
  ): Promise<HeldLease | undefined> {
    // without a fence only the first of the other keys tells that all still exists
    const first = fence.versionstamp === null ? also.slice(0, 1) : [];
    const number = (fence.value?.fence ?? 0) + 1;
    const taken = await this.#commit(keys, number, [fence, deadline, ...first]);
    if (taken === undefined) return undefined;
    // what was left behind could be committed until now, but not any more
    const now = isLeft && also.length > 0
      ? await this.#kv.getMany<unknown[]>(also.map(({ key }) => key))
      : also;
    return this.#held(keys, { ...taken, also: now }, giveBack);
  }

  /** Undefined when a check failed. */
  async #commit(
    keys: LeaseKeys,
    fence: number,
    checks: readonly Deno.AtomicCheck[],
  ): Promise<Taken | undefined> {
    const next: FenceRecord = { fence, owner: this.#owner };
    const until = this.#clock() + this.#ttlMs - this.#marginMs;
    const taken = await this.#kv.atomic()
      .check(...checks)
      .set(keys.fence, next)
      .set(keys.deadline, { until })
      .commit();
    return taken.ok ? { fence, versionstamp: taken.versionstamp, until } : undefined;
  }

  #held(
    keys: LeaseKeys,
    taken: Taken & Pick<Lease, "also">,
    giveBack: GiveBack,
  ): HeldLease {
    const { fence, versionstamp } = taken;
    return new HeldLease({
      ...taken,
      kv: this.#kv,
      keys,
      lifeMs: this.#ttlMs - this.#marginMs,
      heartbeatMs: this.#ttlMs / 3,
      clock: this.#clock,
      timers: this.#timers,
      ended: (freed) => {
        const name = JSON.stringify(keys.fence);
        if (freed) this.#freed.set(name, { fence, versionstamp }, BYTES_PER_FREED);
        giveBack();
      },
    });
  }
}

interface BoundedWait {
  /** Aborted by the caller's signal or when the time is over. */
  readonly signal: AbortSignal;
  end(): void;
}

function boundedWait(timers: Timers, { signal, maxWaitMs }: AcquireOptions): BoundedWait {
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  const cancel = timers.after(maxWaitMs, () => {
    controller.abort(new LeaseTimeout("the lease was not to be had in time"));
  });
  return {
    signal: controller.signal,
    end() {
      cancel();
      signal?.removeEventListener("abort", onAbort);
    },
  };
}
