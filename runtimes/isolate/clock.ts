/**
 * The clocks of a run: real time plus what the guest slept. Sleeping takes no real time, it
 * moves every clock of the run (decisions, Time).
 *
 * @module
 */

/** Real time, as the process gives it. */
export interface TimeSource {
  /** Epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds with a fraction, from any origin. */
  monotonic(): number;
}

/** Epoch milliseconds that every boot sees, so that images are the same in every process. */
const BOOT_EPOCH_MS = Date.UTC(2025, 0, 1);
/** Monotonic milliseconds at which every boot stands, and every run begins. */
const BOOT_MONOTONIC_MS = 1_000;

/** A clock that stands still while an image is made, and runs, with sleeps added, in a run. */
export class RunClock {
  readonly #source: TimeSource;
  #running = false;
  #epochAtStart = 0;
  #monotonicAtStart = 0;
  #slept = 0;

  constructor(source: TimeSource) {
    this.#source = source;
  }

  /** Begins a run: sleeps count from zero, time flows. */
  start(): void {
    this.#running = true;
    this.#slept = 0;
    this.#epochAtStart = this.#source.now();
    this.#monotonicAtStart = this.#source.monotonic();
  }

  /** Milliseconds slept in this run. */
  get slept(): number {
    return this.#slept;
  }

  /** Adds a sleep. Negative and non-finite durations count as zero. */
  sleep(ms: number): void {
    if (ms > 0) this.#slept += ms;
  }

  /** Epoch milliseconds as the guest sees them, with a fraction; never goes back in a run. */
  epoch(): number {
    if (!this.#running) return BOOT_EPOCH_MS;
    return this.#epochAtStart + this.#elapsed();
  }

  /** Monotonic milliseconds as the guest sees them. */
  monotonic(): number {
    if (!this.#running) return BOOT_MONOTONIC_MS;
    return BOOT_MONOTONIC_MS + this.#elapsed();
  }

  #elapsed(): number {
    return this.#source.monotonic() - this.#monotonicAtStart + this.#slept;
  }
}
