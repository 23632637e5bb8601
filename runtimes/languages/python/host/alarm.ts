/**
 * The alarm of a program that computes. While it is set, the interpreter asks the host between
 * instructions whether a signal has arrived. The alarm is due by the run's clock or, at the latest, when
 * the program has used the fuel for its time: so it comes at a set clock, and always at the same place.
 * The clock is then advanced to its time.
 *
 * @module
 */
import type { RunClock } from "../../../engine/clock.ts";

/** Number of the signal in the C library. */
const SIGALRM = 14;
/** A little less than an empty loop uses in a millisecond. */
const FUEL_PER_MS = 15_000_000;
/** Fuel for a question. */
const QUESTION_FUEL = 2_000;

/** The parts of the process that the alarm needs. */
export interface AlarmClock {
  readonly clock: RunClock;
  charge(units: number): void;
  /** Advances the clock. */
  sleep(ms: number): void;
  /** Fuel that is left. */
  readonly fuel: bigint;
  /** Makes the interpreter ask, or not. */
  askForSignals(isWanted: boolean): void;
}

/** The alarm of a process. */
export class Alarm {
  readonly #process: AlarmClock;
  /** When it is due, by the monotonic clock in milliseconds. */
  #due: number | undefined;
  #dueFuel = 0n;
  #intervalMs = 0;

  constructor(process: AlarmClock) {
    this.#process = process;
  }

  /** Sets the alarm; a delay of 0 cancels it. */
  set(delayMs: number, intervalMs: number): void {
    const isSet = delayMs > 0;
    this.#due = isSet ? this.#process.clock.monotonic() + delayMs : undefined;
    this.#intervalMs = intervalMs;
    if (isSet) this.#dueFuel = this.#process.fuel - fuelOf(delayMs);
    this.#process.askForSignals(isSet);
  }

  /** Forgets the alarm of an earlier run, whose memory is gone. */
  forget(): void {
    this.#due = undefined;
  }

  /** The signal that has arrived; 0 for none. */
  arrived(): number {
    this.#process.charge(QUESTION_FUEL);
    if (this.#due === undefined) return 0;
    const left = this.#due - this.#process.clock.monotonic();
    if (left > 0 && this.#process.fuel > this.#dueFuel) return 0;
    if (left > 0) this.#process.sleep(left);
    this.set(this.#intervalMs, this.#intervalMs);
    return SIGALRM;
  }
}

function fuelOf(ms: number): bigint {
  return BigInt(Math.ceil(Math.min(ms, Number.MAX_SAFE_INTEGER / FUEL_PER_MS) * FUEL_PER_MS));
}
