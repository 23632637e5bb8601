/**
 * The place of a run among those of its tenant: it has one while its program computes, and none
 * while it waits.
 *
 * @module
 */
import { ServiceError } from "../shared/errors.ts";
import { pause, type Timers } from "../shared/timers.ts";

/** Takes a place for a run and waits for it if necessary. Rejects like the admission of runs. */
export type EnterPlace = (tenant: string, signal: AbortSignal) => Promise<() => void>;

/** Pause before another attempt where the answer names none, in milliseconds. */
export const RETRY_MS = 1_000;

/** The place of one run. */
export class RunPlace {
  readonly #enter: EnterPlace;
  readonly #tenant: string;
  readonly #timers: Timers;
  #leave: (() => void) | undefined;

  /** `leave`: gives back the place that the run has already. */
  constructor(
    tenant: string,
    { enter, timers, leave }: {
      readonly enter: EnterPlace;
      readonly timers: Timers;
      readonly leave?: (() => void) | undefined;
    },
  ) {
    this.#tenant = tenant;
    this.#enter = enter;
    this.#timers = timers;
    this.#leave = leave;
  }

  /**
   * Takes the place unless the run has it. What the run was answered is confirmed, so a refusal for
   * the moment only delays it. Rejects with the signal's reason.
   */
  async enter(signal: AbortSignal): Promise<void> {
    while (this.#leave === undefined) {
      try {
        this.#leave = await this.#enter(this.#tenant, signal);
      } catch (thrown) {
        signal.throwIfAborted();
        if (!(thrown instanceof ServiceError) || !isForNow(thrown)) throw thrown;
        const { retryAfterMs } = thrown.context;
        await pause(
          this.#timers,
          typeof retryAfterMs === "number" ? retryAfterMs : RETRY_MS,
          signal,
        );
      }
    }
  }

  /** Gives the place back. */
  leave(): void {
    this.#leave?.();
    this.#leave = undefined;
  }
}

/** Whether a refusal is over soon. */
export function isForNow({ code }: ServiceError): boolean {
  return code === "RATE_LIMITED" || code === "OVERLOADED";
}
