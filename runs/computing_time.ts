/**
 * How long the program of a run has computed, in all its attempts.
 *
 * @module
 */

/** A clock that stops while the program waits. */
export class ComputingTime {
  #ms = 0;
  #since: number | undefined;

  /** Milliseconds so far. */
  get ms(): number {
    return this.#ms + (this.#since === undefined ? 0 : performance.now() - this.#since);
  }

  /** The program computes. */
  start(): void {
    this.#since ??= performance.now();
  }

  /** The program waits. */
  stop(): void {
    this.#ms = this.ms;
    this.#since = undefined;
  }
}
