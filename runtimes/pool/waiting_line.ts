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
  readonly #waiters = new Set<Waiter<T>>();

  constructor(limits: WaitingLimits) {
    this.#limits = limits;
  }

  /** Callers in the line. */
  get length(): number {
    return this.#waiters.size;
  }

  /**
   * Waits for an item. Rejects with 503 when the line is full or the wait too long, and with
   * the signal's reason when the caller goes away.
   */
  join(signal: AbortSignal | undefined): Promise<T> {
    if (this.#waiters.size >= this.#limits.maxWaiting) return Promise.reject(tooMany());
    const waiting = Promise.withResolvers<T>();
    const waiter: Waiter<T> = { serve: waiting.resolve, refuse: waiting.reject };
    const leave = () => waiting.reject(signal?.reason);
    const timer = setTimeout(() => waiting.reject(tooLong()), this.#limits.maxWaitMs);
    this.#waiters.add(waiter);
    signal?.addEventListener("abort", leave, { once: true });
    return waiting.promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
      this.#waiters.delete(waiter);
    });
  }

  /** Gives an item to who has waited longest; false when nobody waits. */
  serve(item: T): boolean {
    const [first] = this.#waiters;
    if (first === undefined) return false;
    this.#waiters.delete(first);
    first.serve(item);
    return true;
  }

  /** Sends everybody away with an error. */
  refuseAll(error: unknown): void {
    for (const waiter of this.#waiters) waiter.refuse(error);
    this.#waiters.clear();
  }
}
