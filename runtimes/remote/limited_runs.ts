/**
 * Runs with limits of their own, on their way to a runtime on another machine. The limits of
 * both ends hold, the lower of each; and a runtime of an earlier version, which would take no
 * notice of them, is not given such a run.
 *
 * @module
 */
import { z } from "zod";
import { PROTOCOL } from "../../wire/binding.ts";
import type { Clock } from "../../wire/clock.ts";
import { runtimeUnavailable, validationFailed } from "../../wire/errors.ts";
import { type ExecuteReader, executeReader } from "../../wire/execute_request.ts";
import { layeredRequestBytes } from "../../wire/layered_request.ts";
import type { LanguageLimits } from "../../wire/limits.ts";
import { EXECUTE_PATH, RUNTIME_ORIGIN } from "../../wire/paths.ts";
import type { Language, RunLimits } from "../../wire/types.ts";

/** What is needed. */
export interface LimitedRunsOptions {
  readonly language: Language;
  /** Those of this end. */
  readonly limits: LanguageLimits;
  readonly clock: Clock;
  /** Asks the runtime what it is. Rejects with a ServiceError when it cannot be called. */
  readonly probe: () => Promise<Response>;
}

/** For how long it is believed which version a runtime is of, in milliseconds. */
const KNOWN_MS = 60_000;

const probeSchema = z.object({ protocol: z.number().default(1) });

/** Whether a runtime can be given runs with limits. */
export class LimitedRuns {
  readonly #options: LimitedRunsOptions;
  readonly #read: ExecuteReader;
  #knownUntil = -Infinity;

  constructor(options: LimitedRunsOptions) {
    this.#options = options;
    const { language, limits } = options;
    const requestBytes = layeredRequestBytes(limits.requestBytes);
    this.#read = executeReader({ language, limits: { ...limits, requestBytes } });
  }

  /**
   * What the body of a stateless run asks for; undefined when it asks for nothing.
   *
   * @throws {ServiceError} `VALIDATION_FAILED` for what this end refuses; as {@link ensureKnown}.
   */
  async inBody(body: Uint8Array<ArrayBuffer>): Promise<RunLimits | undefined> {
    if (!asksForLimits(body)) return undefined;
    const request = new Request(`${RUNTIME_ORIGIN}${EXECUTE_PATH}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const { limits } = await this.#read(request);
    await this.ensureKnown();
    return limits;
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
    const parsed = probeSchema.safeParse(await answer.json());
    if (!answer.ok || !parsed.success) {
      throw runtimeUnavailable();
    }
    if (parsed.data.protocol < PROTOCOL) {
      throw validationFailed(
        `limits are not supported by binding '${language.toUpperCase()}': its runtime is of an ` +
          "earlier version",
      );
    }
    this.#knownUntil = now + KNOWN_MS;
  }
}

/** What is no JSON object asks for nothing: the runtime says what is wrong with it. */
function asksForLimits(body: Uint8Array<ArrayBuffer>): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === "object" && value !== null && Object.hasOwn(value, "limits");
  } catch {
    return false;
  }
}
