/**
 * Counts the isolates that had to be killed on account of a tenant.
 *
 * A kill costs the service a new process, so a tenant that causes more of them than it may in
 * a minute is answered 429 until the minute has gone by.
 *
 * @module
 */
import type { Clock } from "../wire/clock.ts";
import { overload } from "../wire/errors.ts";
import { KILL_WINDOW_MS } from "../wire/limits.ts";

/** Kills of the last minute, by tenant. */
export class KillMeter {
  readonly #killsPerMinute: number;
  readonly #clock: Clock;
  /** Times of kills, oldest first; at most one more than a tenant may cause. */
  readonly #kills = new Map<string, number[]>();

  constructor(killsPerMinute: number, clock: Clock) {
    this.#killsPerMinute = killsPerMinute;
    this.#clock = clock;
  }

  /** Notes a kill. */
  record(tenant: string): void {
    const times = this.#kills.get(tenant) ?? [];
    times.push(this.#clock());
    if (times.length > this.#killsPerMinute + 1) times.shift();
    this.#kills.set(tenant, times);
  }

  /**
   * Lets a tenant pass.
   *
   * @throws {ServiceError} `RATE_LIMITED` when it caused more kills in the last minute than it may.
   */
  check(tenant: string): void {
    const times = this.#kills.get(tenant);
    const oldest = times?.[0];
    if (times === undefined || oldest === undefined) return;
    const retryAfterMs = oldest + KILL_WINDOW_MS - this.#clock();
    if (times.length <= this.#killsPerMinute || retryAfterMs <= 0) return;
    throw overload(
      "RATE_LIMITED",
      "Too many runs of the last minute had to be killed",
      "kills",
      retryAfterMs,
    );
  }
}
