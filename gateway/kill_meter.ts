/**
 * Counts the isolates that had to be killed on account of a tenant, and the time that those runs
 * had held them.
 *
 * A kill costs the service a new process, and before it a core for as long as the run went on. So
 * a tenant that causes more kills than it may in a minute, or whose killed runs went on for more
 * seconds than they may, is answered 429 until enough of them lie more than a minute back.
 *
 * @module
 */
import type { Clock } from "../wire/clock.ts";
import { overload } from "../wire/errors.ts";
import { type AdmissionLimits, KILL_WINDOW_MS } from "../wire/limits.ts";

/** What killed runs of one tenant may come to in a minute. */
export type KillLimits = Pick<AdmissionLimits, "killsPerMinute" | "killedSecondsPerMinute">;

interface Kill {
  readonly at: number;
  /** Milliseconds for which the run went on. */
  readonly runMs: number;
}

const SECOND_MS = 1_000;

/** Kills of the last minute, by tenant. */
export class KillMeter {
  readonly #limits: KillLimits;
  readonly #clock: Clock;
  /** Oldest first; at most one more than a tenant may cause: those before it never decide. */
  readonly #kills = new Map<string, Kill[]>();

  constructor(limits: KillLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Notes a kill, and for how many milliseconds of wall clock the run had gone on. */
  record(tenant: string, runMs: number): void {
    const kills = this.#recent(tenant);
    kills.push({ at: this.#clock(), runMs });
    if (kills.length > this.#limits.killsPerMinute + 1) kills.shift();
    this.#kills.set(tenant, kills);
  }

  /**
   * Lets a tenant pass.
   *
   * @throws {ServiceError} `RATE_LIMITED` when its runs of the last minute cost more than they may.
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

  /** Those of the last minute; what is older is forgotten. */
  #recent(tenant: string): Kill[] {
    const kills = this.#kills.get(tenant) ?? [];
    const from = this.#clock() - KILL_WINDOW_MS;
    const first = kills.findIndex(({ at }) => at > from);
    kills.splice(0, first === -1 ? kills.length : first);
    if (kills.length === 0) this.#kills.delete(tenant);
    return kills;
  }
}

/** The last kill that has to be forgotten for the rest to be allowed; undefined: none. */
function lastTooMany(kills: readonly Kill[], mostMs: number): Kill | undefined {
  let sum = 0;
  return kills.findLast(({ runMs }) => {
    sum += runMs;
    return sum > mostMs;
  });
}
