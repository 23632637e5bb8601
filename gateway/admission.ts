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
 * @module
 */
import type { Release } from "../sandbox/operation_options.ts";
import { inSpan, noteStep, spanTime } from "../telemetry/spans.ts";
import {
  type ServiceError,
  tooManyWaiting,
  waitedTooLong,
  type WaitKind,
} from "../shared/errors.ts";
import type { AdmissionLimits } from "../shared/limits.ts";
import { systemTimers, type Timers } from "../shared/timers.ts";

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
