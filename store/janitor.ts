/**
 * The janitor: periodically removes what nothing refers to. A lease ensures that one process at a
 * time does it. The store's own leftovers are built in; other parts register tasks.
 *
 * @module
 */
import type { Maintenance } from "../shared/binding.ts";
import type { Clock } from "../shared/clock.ts";
import { systemTimers, type Timers } from "../shared/timers.ts";
import { wipeAllDead } from "./dead.ts";
import { sweepIntents } from "./intents.ts";
import { serviceLeaseKeys } from "./keys.ts";
import type { KvStore } from "./kv.ts";
import { type LeaseTable, LeaseTimeout } from "./lease.ts";

/** Dependencies of {@link Janitor}. */
export interface JanitorOptions {
  readonly kv: KvStore;
  readonly clock: Clock;
  readonly leases: LeaseTable;
  /** Called when a task fails; the next round retries it. */
  readonly onError: (task: string, thrown: unknown) => void;
  readonly timers?: Timers;
  /** A random number from 0 up to 1, which spreads processes that started together. */
  readonly random?: () => number;
  /** Pause between rounds, ms, varied by half of it either way. */
  readonly periodMs?: number;
  /** Age from which an uncommitted transaction counts as dead, ms. */
  readonly intentAgeMs?: number;
}

const PERIOD_MS = 60_000;
/** Transactions begin after a run has ended, and take seconds. */
const INTENT_AGE_MS = 10 * 60_000;
const MAX_WAIT_MS = 60_000;

/** Runs tasks in rounds, between {@link start} and {@link close}. */
export class Janitor {
  readonly #options: JanitorOptions;
  readonly #tasks: Maintenance[] = [];
  readonly #closed = new AbortController();
  #cancelTimer: () => void = () => {};
  #round: Promise<void> = Promise.resolve();

  constructor(options: JanitorOptions) {
    this.#options = options;
    const { kv, clock, intentAgeMs: olderThanMs = INTENT_AGE_MS } = options;
    this.register({
      name: "intents",
      run: (signal) => sweepIntents(kv, { clock, olderThanMs, signal }),
    });
    this.register({ name: "dead lifetimes", run: (signal) => wipeAllDead(kv, signal) });
  }

  /** Adds a task to all future rounds. */
  register(task: Maintenance): void {
    this.#tasks.push(task);
  }

  /** Starts the rounds. */
  start(): void {
    const { timers = systemTimers, random = Math.random, periodMs = PERIOD_MS } = this.#options;
    this.#cancelTimer = timers.after(periodMs * (0.5 + random()), () => {
      this.#round = this.#periodicRound();
    }, true);
  }

  /**
   * Runs one round now, after a round in progress; returns how many things each task removed.
   *
   * @throws {AggregateError} with what tasks threw, after all of them have run
   */
  async runNow(): Promise<ReadonlyMap<string, number>> {
    const failures: unknown[] = [];
    const counts = await this.#runTasks(MAX_WAIT_MS, (_, thrown) => failures.push(thrown));
    if (failures.length > 0) throw new AggregateError(failures, "tasks of the janitor failed");
    return counts;
  }

  /** Ends the round in progress and starts no more. */
  async close(): Promise<void> {
    this.#cancelTimer();
    this.#closed.abort(new Error("the janitor is closed"));
    await this.#round;
  }

  async #periodicRound(): Promise<void> {
    try {
      await this.#runTasks(0, this.#options.onError);
    } catch (thrown) {
      const elsewhere = thrown instanceof LeaseTimeout || this.#closed.signal.aborted;
      if (!elsewhere) this.#options.onError("lease", thrown);
    }
    if (!this.#closed.signal.aborted) this.start();
  }

  async #runTasks(
    maxWaitMs: number,
    failed: (task: string, thrown: unknown) => void,
  ): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    const { leases } = this.#options;
    const { signal: closed } = this.#closed;
    const lease = await leases.acquire(serviceLeaseKeys("janitor"), { maxWaitMs, signal: closed });
    const signal = AbortSignal.any([closed, lease.lost]);
    try {
      for (const task of this.#tasks) {
        if (signal.aborted) break;
        try {
          counts.set(task.name, await task.run(signal));
        } catch (thrown) {
          if (!signal.aborted) failed(task.name, thrown);
        }
      }
    } finally {
      await lease.release();
    }
    return counts;
  }
}
