/**
 * Counts the isolates that were killed because of a tenant, and how long the runs had held them.
 *
 * A kill costs the service a new process, and before that a core for the duration of the run. A
 * tenant that exceeds its kills per minute, or its seconds of killed runs per minute, gets 429
 * until enough of them are more than a minute old.
 *
 * @module
 */
import type { Clock } from "../shared/clock.ts";
import { overload } from "../shared/errors.ts";
import { type AdmissionLimits, KILL_WINDOW_MS } from "../shared/limits.ts";

/** The kill budget of one tenant per minute. */
export type KillLimits = Pick<AdmissionLimits, "killsPerMinute" | "killedSecondsPerMinute">;

interface Kill {
  readonly at: number;
  /** Milliseconds that the run took. */
  readonly runMs: number;
}

const SECOND_MS = 1_000;

/** Kills of the last minute, by tenant. */
export class KillMeter {
  readonly #limits: KillLimits;
  readonly #clock: Clock;
  /** Oldest first. At most one more than the limit, because earlier ones never matter. */
  readonly #kills = new Map<string, Kill[]>();

  constructor(limits: KillLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Records a kill and the wall-clock milliseconds of its run. */
  record(tenant: string, runMs: number): void {
    const kills = this.#recent(tenant);
    kills.push({ at: this.#clock(), runMs });
    if (kills.length > this.#limits.killsPerMinute + 1) kills.shift();
    this.#kills.set(tenant, kills);
  }

  /**
   * Checks the budget of a tenant.
   *
   * @throws {ServiceError} `RATE_LIMITED` when its runs of the last minute exceeded the budget.
   */
  check(tenant: string): void {
    const kills = this.#recent(tenant);
    const most = this.#limits.killedSecondsPerMinute * SECOND_MS;
    const byCount = kills[kills.length - 1 - this.#limits.killsPerMinute];
    const bySeconds = lastTooMany(kills, most);
    if (byCount === undefined && bySeconds === undefined) return;
    const isCount = (byCount?.at ?? -Infinity) >= (bySeconds?.at ?? -Infinity);
    const until = Math.max(byCount?.at ?? 0, bySeconds?.at ?? 0) + KILL_WINDOW_MS;
    throw overload(
      "RATE_LIMITED",
      isCount
        ? "Too many runs of the last minute had to be killed"
        : "Runs of the last minute that had to be killed took too long",
      isCount ? "kills" : "killed seconds",
      Math.min(KILL_WINDOW_MS, until - this.#clock()),
    );
  }

  /** The kills of the last minute; older ones are dropped. */
  #recent(tenant: string): Kill[] {
    const kills = this.#kills.get(tenant) ?? [];
    const from = this.#clock() - KILL_WINDOW_MS;
    const first = kills.findIndex(({ at }) => at > from);
    kills.splice(0, first === -1 ? kills.length : first);
    if (kills.length === 0) this.#kills.delete(tenant);
    return kills;
  }
}

/** The last kill that must expire before the tenant may run again; undefined: none. */
function lastTooMany(kills: readonly Kill[], mostMs: number): Kill | undefined {
  let sum = 0;
  return kills.findLast(({ runMs }) => {
    sum += runMs;
    return sum > mostMs;
  });
}
