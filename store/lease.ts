/**
 * Leases: one writer at a time, across processes.
 *
 * A lease is two keys. The *fence* is a number that grows by one with each acquisition and that
 * nothing else writes. A commit that checks its version is refused once anybody else has acquired
 * the lease. Safety rests on that alone. The *deadline* is the time until which the holder is left
 * alone; heartbeats move it, a release deletes it. Heartbeats do not touch the fence, so they never
 * conflict with a commit.
 *
 * Clocks decide only when a holder counts as dead. The assumption: clocks of processes differ by
 * less than the margin (a fifth of the lease time). The holder writes a deadline that is a margin
 * early, and a waiter adds a margin. So a lease is free again at most the lease time after the last
 * heartbeat. If clocks differ by more, a live holder may lose its run, or a waiter waits too long:
 * at most the lease time after it first saw an unmoved deadline. No data is lost either way. All
 * processes must use the same lease time.
 *
 * @module
 */
import type { Clock } from "../shared/clock.ts";
import { pause, systemTimers, type Timers } from "../shared/timers.ts";
import { BoundedCache } from "./bounded_cache.ts";
import { boundedWait } from "./patience.ts";
import { ActiveLease, OptimisticLease } from "./active_lease.ts";
import type { LeaseKeys } from "./keys.ts";
import type { KvStore } from "./kv.ts";
import type { Transaction } from "./transaction.ts";
import { type GiveBack, TurnQueue } from "./turn_queue.ts";

/** The right to write, until released or lost. */
export interface Lease {
  /** Grows by one with each acquisition and never repeats. */
  readonly fence: number;
  /** Aborts with a `LeaseLost` (`active_lease.ts`) when the lease is lost. */
  readonly lost: AbortSignal;
  /**
   * The further entries as they were when the lease was found free. Since then nobody else has
   * committed under the lease; data that is written without the lease may have changed.
   */
  readonly also: readonly Deno.KvEntryMaybe<unknown>[];
  /** Adds to a commit the check that this lease is still held. It goes on. */
  checkWith(transaction: Transaction): void;
  /** Adds to a commit the check that this lease is still held, and its release. */
  commitWith(transaction: Transaction): void;
  /**
   * Ends the lease without a commit. May be called at any time, even after a commit has ended it.
   */
  release(): Promise<void>;
}

/** The lease was not acquired in time. */
export class LeaseTimeout extends Error {
  override readonly name = "LeaseTimeout";
}

/** The resource of the lease no longer exists. */
export class LeaseGone extends Error {
  override readonly name = "LeaseGone";
}

/** A lease that began with the commit that created its resource. */
export interface BegunLease {
  readonly lease: Lease;
  /** Version of everything that this commit wrote. */
  readonly versionstamp: string;
}

/** Dependencies of {@link LeaseTable}. */
export interface LeaseTableOptions {
  readonly kv: KvStore;
  /** Random id of this process, stored with the fence for people who inspect the store. */
  readonly owner: string;
  /** How long a lease outlives its holder, ms. */
  readonly ttlMs: number;
  readonly clock: Clock;
  readonly timers?: Timers;
  /** A random number from 0 up to 1, for the jitter of polling. */
  readonly random?: () => number;
}

/** How to wait for a lease. */
export interface AcquireOptions {
  readonly signal?: AbortSignal;
  /** 0: a single attempt. */
  readonly maxWaitMs: number;
  /** Further keys to read together with those of the lease, at most 8. */
  readonly also?: readonly Deno.KvKey[];
  /**
   * Decides from the further entries whether the resource exists; when it does not, nothing is
   * written. The commit that deletes the resource also changes the first of these keys and deletes
   * those of the lease, so no lease of a deleted resource remains.
   */
  readonly exists?: (also: readonly Deno.KvEntryMaybe<unknown>[]) => boolean;
}

const FIRST_FENCE = 1;
const NEVER: AbortSignal = new AbortController().signal;
const FIRST_POLL_MS = 4;
const LONGEST_POLL_MS = 64;
const MARGIN_PER_TTL = 1 / 5;
/** Memory for the known state of leases that this process released, in bytes. */
const FREED_CACHE_BYTES = 1024 * 1024;
const BYTES_PER_FREED = 256;

interface FenceRecord {
  readonly fence: number;
  readonly owner: string;
}

/** A fence that this process wrote, and its version unless somebody else has written it. */
interface OwnFence {
  readonly fence: number;
  readonly versionstamp: string;
}

interface DeadlineRecord {
  /** Epoch ms. */
  readonly until: number;
}

/** The result of one read. */
interface ReadLease {
  readonly fence: Deno.KvEntryMaybe<FenceRecord>;
  readonly deadline: Deno.KvEntryMaybe<DeadlineRecord>;
  readonly also: readonly Deno.KvEntryMaybe<unknown>[];
  /** Whether this process left it behind, perhaps with a commit of unknown outcome. */
  readonly isLeft: boolean;
}

/** A lease that was just acquired. */
interface NewFence extends OwnFence {
  readonly until: number;
}

/** The deadline of another holder, as a waiter first saw it. */
interface Sighting {
  readonly versionstamp: string;
  readonly at: number;
}

/** All leases of one process. */
export class LeaseTable {
  readonly #kv: KvStore;
  readonly #owner: string;
  readonly #ttlMs: number;
  readonly #marginMs: number;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #random: () => number;
  readonly #turns = new TurnQueue();
  /** Leases that this process released. Others may have held them since. */
  readonly #freed = new BoundedCache<OwnFence>(FREED_CACHE_BYTES);

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
   * Waits for the lease: in order of arrival within the process, by polling between processes.
   * Rejects with the signal's reason.
   *
   * @throws {LeaseTimeout} after `maxWaitMs`
   * @throws {LeaseGone}
   */
  async acquire(keys: LeaseKeys, options: AcquireOptions): Promise<Lease> {
    options.signal?.throwIfAborted();
    const wait = boundedWait(this.#timers, options, () => {
      return new LeaseTimeout("the lease was not acquired in time");
    });
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

  /**
   * The turn in a lease that is free as far as this process knows, without acquiring it. Undefined
   * when others wait for it here, or when it is not known to be free.
   */
  assume(keys: LeaseKeys): OptimisticLease | undefined {
    const name = JSON.stringify(keys.fence);
    const freed = this.#turns.isTaken(name) ? undefined : this.#freed.get(name);
    if (freed === undefined) return undefined;
    this.#freed.delete(name);
    const giveBack = this.#turns.begin(name);
    return new OptimisticLease({
      keys,
      ...freed,
      take: (also) => this.#takeFreed(keys, freed, { also, maxWaitMs: 0 }, giveBack),
      ended: (isFree) => {
        if (isFree) this.#freed.set(name, freed, BYTES_PER_FREED);
        giveBack();
      },
    });
  }

  /**
   * Adds the acquisition of a lease to the commit that creates its resource, so that nobody else
   * can have it before. The keys must be new. Returns the lease once that commit is done, with its
   * version; undefined when it was refused, or its outcome is unknown.
   */
  beginWith(keys: LeaseKeys, transaction: Transaction): () => BegunLease | undefined {
    const until = this.#clock() + this.#ttlMs - this.#marginMs;
    let turn: Promise<GiveBack> | undefined;
    let begun: BegunLease | undefined;
    const giveBack = () => void turn?.then((end) => end());
    transaction.check(keys.fence, null)
      .set(keys.fence, { fence: FIRST_FENCE, owner: this.#owner } satisfies FenceRecord)
      .set(keys.deadline, { until } satisfies DeadlineRecord)
      .attach({
        committing: () => {
          turn = this.#turns.take(JSON.stringify(keys.fence), NEVER);
        },
        settled: (_outcome, versionstamp) => {
          if (versionstamp === undefined) return giveBack();
          const taken = { fence: FIRST_FENCE, versionstamp, until, also: [] };
          begun = { lease: this.#activeLease(keys, taken, giveBack), versionstamp };
        },
      });
    return () => begun;
  }

  /** A waiter reads at once, to learn whether the resource existed when the wait began. */
  async #turn(name: string, options: AcquireOptions, wait: AbortSignal): Promise<GiveBack> {
    const { also, exists } = options;
    const looksNow = also !== undefined && exists !== undefined && this.#turns.isTaken(name);
    const turn = this.#turns.take(name, wait);
    const look = async () => exists?.(await this.#kv.getMany<unknown[]>([...also ?? []]));
    const [giveBack] = await Promise.all([
      turn,
      looksNow ? look().catch(() => undefined) : undefined, // it reads again in its turn
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
        throw new LeaseGone("the resource of the lease no longer exists");
      }
      if (deadline.versionstamp !== null && deadline.versionstamp !== seen?.versionstamp) {
        seen = { versionstamp: deadline.versionstamp, at: this.#clock() };
      }
      // in our turn nobody else in this process has it: an answer was lost, or the store was gone
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
   * Acquires the lease if nobody else has held it since this process released it. Then it is free,
   * and the further keys can be read at the same time. Undefined, without a write, when somebody
   * else has held it or the resource is gone, which deletes the fence.
   */
  async #takeAgain(
    keys: LeaseKeys,
    options: AcquireOptions,
    giveBack: GiveBack,
  ): Promise<ActiveLease | undefined> {
    const name = JSON.stringify(keys.fence);
    const freed = this.#freed.get(name);
    if (freed === undefined) return undefined;
    this.#freed.delete(name);
    return await this.#takeFreed(keys, freed, options, giveBack);
  }

  async #takeFreed(
    keys: LeaseKeys,
    freed: OwnFence,
    { also = [], exists, signal }: AcquireOptions,
    giveBack: GiveBack,
  ): Promise<ActiveLease | undefined> {
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
    const lease = this.#activeLease(keys, { ...taken.value, also: entries }, giveBack);
    const gone = read.status === "fulfilled" && exists?.(entries) === false;
    if (read.status === "fulfilled" && !gone && !signal?.aborted) return lease;
    await lease.release();
    signal?.throwIfAborted();
    if (read.status === "rejected") throw read.reason;
    throw new LeaseGone("the resource of the lease no longer exists");
  }

  #hasPassed({ until }: DeadlineRecord, seen: Sighting | undefined): boolean {
    const latest = (seen?.at ?? this.#clock()) + this.#ttlMs - this.#marginMs;
    return this.#clock() >= Math.min(until, latest) + this.#marginMs;
  }

  async #take(
    keys: LeaseKeys,
    { fence, deadline, also, isLeft }: ReadLease,
    giveBack: GiveBack,
  ): Promise<ActiveLease | undefined> {
    // Without a fence only the first of the further keys shows that the resource still exists. With
    // one it shows that nobody has committed without the lease since it was read.
    const first = also.slice(0, 1);
    const number = (fence.value?.fence ?? 0) + 1;
    const steady = await this.#commit(keys, number, [fence, deadline, ...first]);
    const taken = steady ??
      (fence.versionstamp === null || first.length === 0
        ? undefined
        : await this.#commit(keys, number, [fence, deadline]));
    if (taken === undefined) return undefined;
    // what was left behind, or begun without the lease, could be committed until now, but no longer
    const now = (isLeft || steady === undefined) && also.length > 0
      ? await this.#kv.getMany<unknown[]>(also.map(({ key }) => key))
      : also;
    return this.#activeLease(keys, { ...taken, also: now }, giveBack);
  }

  /** Undefined when a check failed. */
  async #commit(
    keys: LeaseKeys,
    fence: number,
    checks: readonly Deno.AtomicCheck[],
  ): Promise<NewFence | undefined> {
    const next: FenceRecord = { fence, owner: this.#owner };
    const until = this.#clock() + this.#ttlMs - this.#marginMs;
    const taken = await this.#kv.atomic()
      .check(...checks)
      .set(keys.fence, next)
      .set(keys.deadline, { until })
      .commit();
    return taken.ok ? { fence, versionstamp: taken.versionstamp, until } : undefined;
  }

  #activeLease(
    keys: LeaseKeys,
    taken: NewFence & { readonly also: Lease["also"] },
    giveBack: GiveBack,
  ): ActiveLease {
    const { fence, versionstamp } = taken;
    return new ActiveLease({
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
