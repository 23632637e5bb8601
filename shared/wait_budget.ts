/**
 * How long a run may wait before it starts: one budget for all its queues
 * (docs/contract.md#limits). No run waits longer than the maximum wait.
 *
 * Processes pass on the remaining milliseconds, because clocks differ.
 *
 * @module
 */
import type { Clock } from "./clock.ts";

/** The wait budget of one run. It runs down whether the run waits or not. */
export class WaitBudget {
  readonly #longest: number;
  readonly #until: number;
  readonly #clock: Clock;

  /** Starts now, with at most `ms` milliseconds. */
  constructor(ms: number, clock: Clock) {
    this.#longest = ms;
    this.#until = clock() + ms;
    this.#clock = clock;
  }

  /** When it began, in epoch milliseconds. */
  get since(): number {
    return this.#until - this.#longest;
  }

  /**
   * Remaining milliseconds: never negative, and never more than initially if the clock goes back.
   */
  left(): number {
    return Math.min(this.#longest, Math.max(0, this.#until - this.#clock()));
  }
}
