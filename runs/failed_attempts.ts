/**
 * The attempts of a run that failed. The answers to a run that has waited are confirmed, so it outlives
 * its isolate, and a service that is busy only delays it.
 *
 * @module
 */
import { ServiceError } from "../shared/errors.ts";
import { RunReleased } from "../shared/run_calls.ts";
import { pause, type Timers } from "../shared/timers.ts";
import { isForNow, RETRY_MS } from "./run_place.ts";
import type { RunStorage } from "./run_terms.ts";

/** So many attempts in a row may die without reaching another wait. */
const MOST_FAULTS = 3;

/** The failed attempts of one run. */
export class FailedAttempts {
  #faults = 0;

  /** An attempt has reached another wait. */
  reset(): void {
    this.#faults = 0;
  }

  /**
   * Resolves when another attempt may begin after this error, or after the isolate was taken back. Rejects
   * with an error that ends the run.
   */
  async retry(
    thrown: unknown,
    { hasWaited, storage, signal }: {
      readonly hasWaited: boolean;
      readonly storage: Pick<RunStorage, "isLeft"> | undefined;
      readonly signal: AbortSignal;
    },
    timers: Timers,
  ): Promise<void> {
    if (thrown instanceof RunReleased) return;
    const isFault = thrown instanceof ServiceError && thrown.code === "INTERNAL_ERROR" &&
      ++this.#faults <= MOST_FAULTS;
    const isBusy = thrown instanceof ServiceError && isForNow(thrown);
    const isLeft = storage?.isLeft(thrown) === true;
    if (!hasWaited || isLeft || !(isFault || isBusy)) throw thrown;
    if (isBusy) await pause(timers, RETRY_MS, signal);
  }
}
