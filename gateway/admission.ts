/**
 * Admission: how many runs of a tenant may be in progress and how many may wait. Calls that run no
 * code work in the service's own thread. They have their own places, which are given out in the
 * same way.
 *
 * | event | a place is free | all places taken | the queue is full too |
 * |---|---|---|---|
 * | a run arrives | starts | waits | 429 `RATE_LIMITED` |
 * | a run ends | | the run that has waited longest starts | |
 * | the wait is over | | 503 `OVERLOADED` | |
 * | the caller disconnects | | leaves the queue | |
 *
 * A run arrives once its body is read, so a slow sender delays only itself. If the queue is full
 * already, the body is not read at all.
 *
 * Tenants come from the configured tokens, which bounds the number of queues.
 *
 * The {@link KillMeter} is the first check: a kill costs the service a new process, and before that
 * a core for the duration of the run.
 *
 * @module
 */
import type { Release } from "../sandbox/operation_options.ts";
import { inSpan, noteStep, spanTime } from "../telemetry/spans.ts";
import {
  overload,
  type ServiceError,
  tooManyWaiting,
  waitedTooLong,
  type WaitKind,
} from "../shared/errors.ts";
import { type AdmissionLimits, KILL_WINDOW_MS } from "../shared/limits.ts";
import { systemTimers, type Timers } from "../shared/timers.ts";
import type { Clock } from "../shared/clock.ts";

interface Waiter {
  readonly start: () => void;
}

interface Tenant {
  running: number;
  /** Runs that wait for something other than a place: the turn of a context. */
  elsewhere: number;
  readonly waiting: Waiter[];
}

/** How many places a tenant has, and how many may wait for one. */
export type PlaceLimits = Pick<
  AdmissionLimits,
  "runsPerTenant" | "waitingPerTenant" | "maxWaitMs"
>;

/** The places for calls that run no code. */
export function callPlaces(limits: AdmissionLimits, timers: Timers = systemTimers): Admission {
  const { callsPerTenant: runsPerTenant, waitingCallsPerTenant: waitingPerTenant } = limits;
  const { maxWaitMs } = limits;
  return new Admission({ runsPerTenant, waitingPerTenant, maxWaitMs }, timers, "calls");
}

/**
 * The places for messages of `/mcp` and `/e2b`, which make runs and calls. There is one for each run
 * and call that a tenant may have, so no call waits behind the runs that wait.
 */
export function messagePlaces(limits: AdmissionLimits, timers: Timers = systemTimers): Admission {
  const { runsPerTenant, waitingPerTenant, callsPerTenant, waitingCallsPerTenant } = limits;
  return new Admission(
    {
      runsPerTenant: runsPerTenant + waitingPerTenant + callsPerTenant,
      waitingPerTenant: waitingCallsPerTenant,
      maxWaitMs: limits.maxWaitMs,
    },
    timers,
    "calls",
  );
}

/** The places of all tenants. */
export class Admission {
  readonly #limits: PlaceLimits;
  readonly #timers: Timers;
  readonly #what: WaitKind;
  readonly #tenants = new Map<string, Tenant>();

  constructor(limits: PlaceLimits, timers: Timers = systemTimers, what: WaitKind = "runs") {
    this.#limits = limits;
    this.#timers = timers;
    this.#what = what;
  }

  /**
   * Rejects a run that certainly has no room, before its body is read.
   *
   * @throws {ServiceError} `RATE_LIMITED` when too many wait.
   */
  check(tenant: string): void {
    const state = this.#tenants.get(tenant);
    if (state !== undefined && this.#isFull(state)) throw this.#tooMany();
  }

  /**
   * Takes a place and waits for one if necessary, for at most the given milliseconds or for the
   * service's maximum.
   *
   * @throws {ServiceError} `RATE_LIMITED` when too many wait, `OVERLOADED` when the wait takes too
   * long; the signal's reason when it fires first.
   */
  async enter(
    tenant: string,
    signal: AbortSignal,
    maxWaitMs: number = this.maxWaitMs,
  ): Promise<Release> {
    signal.throwIfAborted();
    const state = this.#stateOf(tenant);
    if (this.#isFull(state)) throw this.#tooMany();
    if (state.running >= this.#limits.runsPerTenant) {
      await inSpan("admit", () => this.#turn(state, signal, maxWaitMs));
    } else {
      noteStep("admit", { start: spanTime(), ms: 0 });
      state.running++;
    }
    return () => leave(state);
  }

  /** How long a run that arrives now may wait. */
  get maxWaitMs(): number {
    return this.#limits.maxWaitMs;
  }

  /** Runs of all tenants: in progress, waiting for a place, waiting for something else. */
  counts(): { readonly running: number; readonly waiting: number; readonly elsewhere: number } {
    let [running, waiting, elsewhere] = [0, 0, 0];
    for (const tenant of this.#tenants.values()) {
      running += tenant.running;
      waiting += tenant.waiting.length;
      elsewhere += tenant.elsewhere;
    }
    return { running, waiting, elsewhere };
  }

  #isFull({ running, waiting }: Tenant): boolean {
    const { runsPerTenant, waitingPerTenant } = this.#limits;
    return running >= runsPerTenant && waiting.length >= waitingPerTenant;
  }

  /**
   * Counts a run that waits for something else before it takes a place.
   *
   * @throws {ServiceError} `RATE_LIMITED` when places and queue have no room for all of them.
   */
  wait(tenant: string): Release {
    const state = this.#stateOf(tenant);
    const { runsPerTenant, waitingPerTenant } = this.#limits;
    const arrived = state.running + state.waiting.length + state.elsewhere;
    if (arrived >= runsPerTenant + waitingPerTenant) throw this.#tooMany();
    state.elsewhere++;
    return () => {
      state.elsewhere--;
    };
  }

  #tooMany(): ServiceError {
    return tooManyWaiting("RATE_LIMITED", this.#what);
  }

  #stateOf(tenant: string): Tenant {
    const known = this.#tenants.get(tenant);
    if (known !== undefined) return known;
    const state: Tenant = { running: 0, elsewhere: 0, waiting: [] };
    this.#tenants.set(tenant, state);
    return state;
  }

  /** Resolves when a place is handed over. In every other case the run leaves the queue. */
  #turn(state: Tenant, signal: AbortSignal, maxWaitMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { start: resolve };
    state.waiting.push(waiter);
    const giveUp = (reason: unknown) => {
      const place = state.waiting.indexOf(waiter);
      if (place === -1) return;
      state.waiting.splice(place, 1);
      reject(reason);
    };
    const onAbort = () => giveUp(signal.reason);
    const cancelWait = this.#timers.after(maxWaitMs, () => giveUp(waitedTooLong(this.#what)));
    signal.addEventListener("abort", onAbort, { once: true });
    return promise.finally(() => {
      cancelWait();
      signal.removeEventListener("abort", onAbort);
    });
  }
}

/** A place is handed over without being free in between, so no run overtakes the queue. */
function leave(state: Tenant): void {
  const next = state.waiting.shift();
  if (next === undefined) state.running--;
  else next.start();
}

/** The kill budget of one tenant per minute. */
export type KillLimits = Pick<AdmissionLimits, "killsPerMinute" | "killedSecondsPerMinute">;

interface Kill {
  readonly at: number;
  /** Milliseconds that the run took. */
  readonly runMs: number;
}

const SECOND_MS = 1_000;

/**
 * Kills of the last minute, by tenant, and how long their runs had held the isolates. A tenant that
 * exceeds its kills per minute, or its seconds of killed runs per minute, gets 429 until enough of
 * them are more than a minute old.
 */
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
