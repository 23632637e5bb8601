/**
 * Runs with their own limits on another machine. The limits of both sides apply, the lower of each.
 * A runtime of an earlier version would ignore them, so it gets no such run.
 *
 * @module
 */
import { bindingName, type Language } from "../../client/protocol/types.ts";
import { PROTOCOL, PROTOCOL_HEADER } from "../../wire/binding.ts";
import type { Clock } from "../../wire/clock.ts";
import { runtimeUnavailable, validationFailed } from "../../wire/errors.ts";

/** What {@link LimitedRuns} needs. */
export interface LimitedRunsOptions {
  readonly language: Language;
  readonly clock: Clock;
  /** Requests the runtime's probe. Rejects with a ServiceError when it cannot be called. */
  readonly probe: () => Promise<Response>;
}

/** How long the known version of a runtime is trusted, in milliseconds. */
const KNOWN_MS = 60_000;

/** Decides whether a runtime can get runs with limits. */
export class LimitedRuns {
  readonly #options: LimitedRunsOptions;
  #knownUntil = -Infinity;

  constructor(options: LimitedRunsOptions) {
    this.#options = options;
  }

  /**
   * Makes sure that the runtime supports limits.
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
