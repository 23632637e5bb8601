/**
 * The clocks of a run: real time plus what the guest slept. Sleeping takes no real time, it
 * moves every clock of the run (docs/contract.md#time). A run whose caller sets the clock has only
 * the sleeps (docs/contract.md#replay).
 *
 * @module
 */
import { MAX_TIME_MS } from "./time_value.ts";

/** The clocks of the process. */
export interface TimeSource {
  /** Epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds with a fraction, from any origin. */
  monotonic(): number;
}

/** Time that stands still. Boots run on it, and so do runs whose caller sets the clock. */
export const STOPPED_TIME: TimeSource = { now: () => 0, monotonic: () => 0 };

/** Epoch milliseconds that every boot sees, so that baselines are the same in every process. */
const BOOT_EPOCH_MS = Date.UTC(2025, 0, 1);
/** Monotonic milliseconds at which every boot stands, and every first run begins. */
const BOOT_MONOTONIC_MS = 1_000;

/** The times of both clocks, in milliseconds. */
export interface ClockReading {
  readonly epochMs: number;
  readonly monotonicMs: number;
}

/** A clock that stands still during a boot. During a run it flows, and sleeps are added. */
export class RunClock {
  readonly #processTime: TimeSource;
  #source: TimeSource;
  #running = false;
  #runs = 0;
  #epochAtStart = 0;
  /** The guest's monotonic time at the start. */
  #monotonicBase = BOOT_MONOTONIC_MS;
  #monotonicAtStart = 0;
  #slept = 0;
  #before: ClockReading | undefined;

  constructor(source: TimeSource) {
    this.#processTime = source;
    this.#source = source;
  }

  /** Makes the next run begin no earlier than the previous run of its context ended. */
  continueFrom(before: ClockReading | undefined): void {
    this.#before = before;
  }

  /**
   * Begins a run: sleeps count from zero, time flows. With `setMs`, epoch milliseconds, it begins
   * there, regardless of the clock of the context, and stands still.
   */
  start(setMs?: number): void {
    this.#source = setMs === undefined ? this.#processTime : STOPPED_TIME;
    const now = setMs ?? this.#source.now();
    const before = setMs === undefined ? this.#before : undefined;
    this.#before = undefined;
    this.#running = true;
    this.#runs++;
    this.#slept = 0;
    this.#epochAtStart = Math.max(now, before?.epochMs ?? now);
    this.#monotonicBase = before === undefined
      ? BOOT_MONOTONIC_MS
      : before.monotonicMs + this.#epochAtStart - before.epochMs;
    this.#monotonicAtStart = this.#source.monotonic();
  }

  /** The current times of the guest's clocks. */
  reading(): ClockReading {
    return { epochMs: this.epoch(), monotonicMs: this.monotonic() };
  }

  /** Whether only sleeps move it on, because the run's caller set it. */
  get stands(): boolean {
    return this.#running && this.#source === STOPPED_TIME;
  }

  /** Number of runs so far. */
  get runs(): number {
    return this.#runs;
  }

  /** Milliseconds slept in this run. */
  get slept(): number {
    return this.#slept;
  }

  /** Adds a sleep. Negative and non-finite durations count as zero. */
  sleep(ms: number): void {
    if (ms > 0) this.#slept += ms;
  }

  /** Epoch milliseconds as the guest sees them, with a fraction; never goes back in a context. */
  epoch(): number {
    if (!this.#running) return BOOT_EPOCH_MS;
    return Math.min(this.#epochAtStart + this.#elapsed(), MAX_TIME_MS);
  }

  /** Monotonic milliseconds as the guest sees them. */
  monotonic(): number {
    if (!this.#running) return BOOT_MONOTONIC_MS;
    return this.#monotonicBase + this.#elapsed();
  }

  #elapsed(): number {
    return this.#source.monotonic() - this.#monotonicAtStart + this.#slept;
  }
}
