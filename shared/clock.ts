/**
 * Time is passed in: code that needs the time takes a {@link Clock}, so that tests can set it. No
 * run waits longer for its start than its {@link WaitBudget}.
 *
 * @module
 */

/** Returns the current time in milliseconds since the epoch. */
export type Clock = () => number;

/** The current time in the contract's format: ISO-8601 in UTC, with milliseconds. */
export function isoTimestamp(clock: Clock): string {
  return new Date(clock()).toISOString();
}

/**
 * How long a run may wait before it starts: one budget for all its queues
 * (docs/contract.md#limits). It runs down whether the run waits or not. Processes pass on the
 * remaining milliseconds, because clocks differ.
 */
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

  /**
   * Remaining milliseconds: never negative, and never more than initially if the clock goes back.
   */
  left(): number {
    return Math.min(this.#longest, Math.max(0, this.#until - this.#clock()));
  }
}
