/**
 * The clocks of a run: real time plus what the guest slept. Sleeping takes no real time, it
 * moves every clock of the run (docs/contract.md#time). A run whose caller sets the clock has only
 * the sleeps (docs/contract.md#replay). In a run with calls the clock stands too; its sleeps are real
 * and move it, as the answers to its calls do (docs/calls.md).
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

/** A run whose sleeps take real time. */
export interface SleepingRun {
  /** Epoch milliseconds at which it began first. */
  readonly startMs: number;
  /** Waits for so many milliseconds, and moves the clock. */
  sleep(ms: number): void;
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
  #skipped = 0;
  #isSet = false;
  #sleeping: SleepingRun | undefined;
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
   * there, regardless of the clock of the context, and stands still. In a run that sleeps for real it
   * stands still, too.
   */
  start(setMs?: number, sleeping?: SleepingRun): void {
    this.#isSet = setMs !== undefined;
    this.#sleeping = sleeping;
    this.#source = this.#isSet || sleeping !== undefined ? STOPPED_TIME : this.#processTime;
    const now = setMs ?? sleeping?.startMs ?? this.#source.now();
    const before = setMs === undefined ? this.#before : undefined;
    this.#before = undefined;
    this.#running = true;
    this.#runs++;
    this.#slept = 0;
    this.#skipped = 0;
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

  /** Whether only sleeps and answers move it on. */
  get stands(): boolean {
    return this.#running && this.#source === STOPPED_TIME;
  }

  /** Number of runs so far. */
  get runs(): number {
    return this.#runs;
  }

  /** Milliseconds in which this run did not compute: its sleeps, and its waits for answers. */
  get slept(): number {
    return this.#slept;
  }

  /** Milliseconds of sleeps that took no real time. */
  get skipped(): number {
    return this.#skipped;
  }

  /** Sleeps. Negative durations and NaN count as zero. */
  sleep(ms: number): void {
    if (this.#sleeping === undefined) this.skip(ms);
    else this.#sleeping.sleep(ms);
  }

  /** Adds a sleep that takes no real time. */
  skip(ms: number): void {
    if (!(ms > 0)) return;
    const finite = Math.min(ms, Number.MAX_SAFE_INTEGER);
    this.#slept += finite;
    this.#skipped += finite;
  }

  /**
   * Moves to a moment of real time at which a wait ended, but at least by so many milliseconds. A clock
   * that the caller set moves only by these. Returns by how many.
   */
  arrive(atMs: number, leastMs: number): number {
    const ahead = this.#isSet ? 0 : atMs - (this.#sleeping?.startMs ?? atMs) - this.#slept;
    const moved = Math.max(0, leastMs, ahead);
    this.#slept += moved;
    return moved;
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
