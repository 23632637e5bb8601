/**
 * Admission: how many runs a tenant may have going, and how many waiting for their turn.
 *
 * | event | a place is free | all places taken | the queue is full too |
 * |---|---|---|---|
 * | a run arrives | goes | waits | 429 `RATE_LIMITED` |
 * | a run ends | | the longest waiting one goes | |
 * | the wait is over | | 503 `OVERLOADED` | |
 * | the caller goes away | | leaves the queue | |
 *
 * Tenants come from the configured tokens, so the number of queues is bounded by them.
 *
 * @module
 */
import { overload } from "../wire/errors.ts";
import type { AdmissionLimits } from "../wire/limits.ts";

/** Gives the place back. To be called once. */
export type Release = () => void;

const RETRY_AFTER_MS = 1_000;

interface Waiter {
  readonly start: () => void;
}

interface Tenant {
  running: number;
  readonly waiting: Waiter[];
}

/** The places of all tenants. */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #tenants = new Map<string, Tenant>();

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a place, waiting for one if need be.
   *
   * @throws {ServiceError} `RATE_LIMITED` when too many wait, `OVERLOADED` when the wait took
   * too long; the signal's reason when it fires first.
   */
  async enter(tenant: string, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted();
    const state = this.#stateOf(tenant);
    if (state.running >= this.#limits.runsPerTenant) {
      if (state.waiting.length >= this.#limits.waitingPerTenant) {
        throw tooManyWaiting();
      }
      await this.#turn(state, signal);
    } else {
      state.running++;
    }
    return () => leave(state);
  }

  #stateOf(tenant: string): Tenant {
    const known = this.#tenants.get(tenant);
    if (known !== undefined) return known;
    const state: Tenant = { running: 0, waiting: [] };
    this.#tenants.set(tenant, state);
    return state;
  }

  /** Resolves when a place was handed over; in any other case the queue is left. */
  #turn(state: Tenant, signal: AbortSignal): Promise<void> {
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
    const timer = setTimeout(
      () => giveUp(waitedTooLong()),
      this.#limits.maxWaitMs,
    );
    signal.addEventListener("abort", onAbort, { once: true });
    return promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    });
  }
}

/** A place that is handed over is never free in between, so nobody overtakes the queue. */
function leave(state: Tenant): void {
  const next = state.waiting.shift();
  if (next === undefined) state.running--;
  else next.start();
}

function tooManyWaiting(): Error {
  return overload(
    "RATE_LIMITED",
    "Too many runs are waiting",
    "waiting runs",
    RETRY_AFTER_MS,
  );
}

function waitedTooLong(): Error {
  return overload(
    "OVERLOADED",
    "The run waited too long for its turn",
    "wait",
    RETRY_AFTER_MS,
  );
}
