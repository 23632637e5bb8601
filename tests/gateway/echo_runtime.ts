/**
 * A runtime without an engine: it answers stateless runs with its input, so that everything around
 * an engine can be tested.
 *
 * @module
 */
import type { ExecuteRequest, ExecutionResult, Language } from "../../client/protocol/types.ts";
import type { LanguageHealth, LanguageRuntime, RunCaller } from "../../shared/binding.ts";
import { validationFailed } from "../../shared/errors.ts";
import { languageListing } from "../../shared/language_listing.ts";
import { LANGUAGE_INFO } from "../../shared/languages.ts";
import { type LanguageLimits, limitsByLanguage } from "../../shared/limits.ts";
import { jsonResponse } from "../../shared/responses.ts";

/** An echo runtime's report about a request, as the value of the run. */
export interface Echo {
  readonly tenant: string;
  readonly envVars: readonly (readonly [string, string])[];
  readonly typescript: boolean;
}

/** Options that differ from the defaults. */
export interface EchoOptions {
  readonly limits?: Partial<LanguageLimits>;
  readonly health?: LanguageHealth;
  /** Called before an answer is sent; may wait, and may throw. */
  readonly before?: (caller: RunCaller, request: ExecuteRequest) => Promise<void>;
}

/** Makes an echo runtime of a language. */
export function echoRuntime(language: Language, options: EchoOptions = {}): LanguageRuntime {
  const limits = { ...limitsByLanguage()[language], ...options.limits };
  return {
    binding: {
      language,
      engine: LANGUAGE_INFO[language].engine,
      fetch: () => Promise.reject(new Error("callers of this process make no requests")),
      execute: async (request, caller) => {
        await options.before?.(caller, request);
        const { code, envVars, typescript } = request;
        const echo: Echo = { tenant: caller.tenant, envVars: [...envVars], typescript };
        const result: ExecutionResult = {
          code,
          language,
          engine: LANGUAGE_INFO[language].engine,
          durationMs: 0,
          logs: { stdout: [], stderr: [] },
          results: [{ text: JSON.stringify(echo) }],
        };
        return jsonResponse(result, { headers: { "server-timing": "run;dur=0.000" } });
      },
      executeInContext: () => {
        const body = validationFailed("Code contexts are not supported").toBody(Date.now);
        return Promise.resolve({ ok: false, status: body.httpStatus, body });
      },
    },
    listing: languageListing(language, { enabled: true, contexts: false, limits }),
    health: () => options.health ?? { state: "ready", isolates: 1, build: "echo" },
    close: () => Promise.resolve(),
  };
}

/** The report of an echo runtime's answer about its request. */
export async function echoOf(response: Response): Promise<Echo> {
  const result: ExecutionResult = await response.json();
  return JSON.parse(result.results[0]?.text ?? "null");
}
