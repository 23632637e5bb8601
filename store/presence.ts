/**
 * Processes that use a store: each renews a record until it stops. A command that needs the store
 * for itself reads the records. Nothing else depends on them, so a failure to renew is no failure.
 *
 * @module
 */
import type { Clock } from "../shared/clock.ts";
import { systemTimers, type Timers } from "../shared/timers.ts";
import { presenceKey, presencesPrefix } from "./store_keys.ts";
import type { KvStore } from "./kv.ts";

const RENEWAL_MS = 15_000;
/** A process that ends without a word counts as present for that long. */
const VALID_MS = 45_000;
/** The store may remove the record of a process that ended without a word. */
const EXPIRY_MS = 10 * 60_000;

/** The record of one process, between {@link Presence.begin} and {@link Presence.end}. */
export class Presence {
  readonly #kv: KvStore;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #key: Deno.KvKey = presenceKey(crypto.randomUUID());
  #cancel: () => void = () => {};
  #renewal: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(kv: KvStore, clock: Clock, timers: Timers = systemTimers) {
    this.#kv = kv;
    this.#clock = clock;
    this.#timers = timers;
  }

  /** Writes the record, and renews it from now on. */
  begin(): void {
    const until = this.#clock() + VALID_MS;
    this.#renewal = this.#kv.set(this.#key, until, { expireIn: EXPIRY_MS }).catch(() => undefined);
    this.#cancel = this.#timers.after(RENEWAL_MS, async () => {
      await this.#renewal; // one at a time, while the store is silent
      if (!this.#ended) this.begin();
    }, true);
  }

  /** Resolves when the last renewal has ended. */
  async renewed(): Promise<void> {
    await this.#renewal;
  }

  /** Removes the record. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#cancel();
    await this.#renewal;
    await this.#kv.delete(this.#key).catch(() => undefined);
  }
}

/** The number of processes that use a store. */
export async function countPresent(kv: KvStore, clock: Clock): Promise<number> {
  let count = 0;
  for await (const { value } of kv.list({ prefix: presencesPrefix() })) {
    if (typeof value === "number" && value > clock()) count++;
  }
  return count;
}
