/**
 * How long a run may wait before it begins: one span for all the queues on its way
 * (docs/contract.md#limits). Nobody waits longer than the longest wait.
 *
 * Between processes the rest of it goes on as a number of milliseconds, since clocks differ.
 *
 * @module
 */
import type { Clock } from "./clock.ts";

/** The wait of one run, which passes whether it waits or not. */
export class WaitBudget {
  readonly #longest: number;
  readonly #until: number;
  readonly #clock: Clock;

  /** Begins now, with at most `ms` milliseconds. */
  constructor(ms: number, clock: Clock) {
    this.#longest = ms;
    this.#until = clock() + ms;
    this.#clock = clock;
  }

  /** Milliseconds left: never negative, and never more than at first, should the clock go back. */
  left(): number {
    return Math.min(this.#longest, Math.max(0, this.#until - this.#clock()));
  }
}
