/**
 * Runs with limits of their own, on their way to a runtime on another machine. The limits of
 * both ends hold, the lower of each; and a runtime of an earlier version, which would take no
 * notice of them, is not given such a run.
 *
 * @module
 */
import { PROTOCOL, PROTOCOL_HEADER } from "../../wire/binding.ts";
import type { Clock } from "../../wire/clock.ts";
import { runtimeUnavailable, validationFailed } from "../../wire/errors.ts";
import { bindingName, type Language } from "../../wire/types.ts";

/** What is needed. */
export interface LimitedRunsOptions {
  readonly language: Language;
  readonly clock: Clock;
  /** Asks the runtime what it is. Rejects with a ServiceError when it cannot be called. */
  readonly probe: () => Promise<Response>;
}

/** For how long it is believed which version a runtime is of, in milliseconds. */
const KNOWN_MS = 60_000;

/** Whether a runtime can be given runs with limits. */
export class LimitedRuns {
  readonly #options: LimitedRunsOptions;
  #knownUntil = -Infinity;

  constructor(options: LimitedRunsOptions) {
    this.#options = options;
  }

  /**
   * Makes sure that the runtime knows of limits.
   *
   * @throws {ServiceError} `VALIDATION_FAILED` when it does not, 502 when it cannot be called.
   */
  async ensureKnown(): Promise<void> {
    const { clock, probe, language } = this.#options;
    const now = clock();
    if (now < this.#knownUntil) return;
    const answer = await probe();
    await answer.body?.cancel();
    if (!answer.ok) throw runtimeUnavailable();
    if (Number(answer.headers.get(PROTOCOL_HEADER) ?? 1) < PROTOCOL) {
      throw validationFailed(
        `limits are not supported by binding '${bindingName(language)}': its runtime is of an ` +
          "earlier version",
      );
    }
    this.#knownUntil = now + KNOWN_MS;
  }
}
