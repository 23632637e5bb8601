/**
 * The line of runs that wait for an isolate: first come, first served, with an end to the
 * length of the line and to the time in it (decisions, Limits).
 *
 * @module
 */
import { overload, type ServiceError } from "../../wire/errors.ts";

/** Bounds of the line. */
export interface WaitingLimits {
  /** Runs that may wait. */
  readonly maxWaiting: number;
  /** Longest wait in milliseconds. */
  readonly maxWaitMs: number;
}

interface Waiter<T> {
  readonly serve: (item: T) => void;
  readonly refuse: (error: unknown) => void;
}

/** Where to join: who was served something of no use to them goes ahead of all others. */
export type Place = "last" | "first";

/** When a refused caller may come again. */
const RETRY_AFTER_MS = 1_000;

function tooMany(): ServiceError {
  return overload("OVERLOADED", "Too many runs are waiting", "waiting", RETRY_AFTER_MS);
}

function tooLong(): ServiceError {
  return overload("OVERLOADED", "No isolate became free in time", "waiting", RETRY_AFTER_MS);
}

/** A queue of callers who wait for items. */
export class WaitingLine<T> {
  readonly #limits: WaitingLimits;
  readonly #waiters: Waiter<T>[] = [];

  constructor(limits: WaitingLimits) {
    this.#limits = limits;
  }

  /** Callers in the line. */
  get length(): number {
    return this.#waiters.length;
  }

  /**
   * Waits for an item. Rejects with 503 when the line is full or the wait too long, and with
   * the signal's reason when the caller goes away. Who goes ahead meets no full line.
   */
  join(signal: AbortSignal | undefined, place: Place = "last"): Promise<T> {
    const isFull = this.#waiters.length >= this.#limits.maxWaiting;
    if (place === "last" && isFull) return Promise.reject(tooMany());
    const waiting = Promise.withResolvers<T>();
    const waiter: Waiter<T> = { serve: waiting.resolve, refuse: waiting.reject };
    const onAbort = () => this.#leave(waiter, signal?.reason);
    const timer = setTimeout(() => this.#leave(waiter, tooLong()), this.#limits.maxWaitMs);
    if (place === "last") this.#waiters.push(waiter);
    else this.#waiters.unshift(waiter);
    signal?.addEventListener("abort", onAbort, { once: true });
    return waiting.promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    });
  }

  /** Gives an item to who has waited longest; false when nobody waits. */
  serve(item: T): boolean {
    const first = this.#waiters.shift();
    first?.serve(item);
    return first !== undefined;
  }

  /** Sends everybody away with an error. */
  refuseAll(error: unknown): void {
    for (const waiter of this.#waiters.splice(0)) waiter.refuse(error);
  }

  /** At once: an item served to someone who has left would be lost. */
  #leave(waiter: Waiter<T>, reason: unknown): void {
    const place = this.#waiters.indexOf(waiter);
    if (place < 0) return;
    this.#waiters.splice(place, 1);
    waiter.refuse(reason);
  }
}
