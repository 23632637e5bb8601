/**
 * A runtime without an engine: it reads requests as every runtime does and answers with what
 * it was given, so that everything around an engine can be tested.
 *
 * @module
 */
import { Hono } from "hono";
import { type LanguageHealth, type LanguageRuntime, TENANT_HEADER } from "../../wire/binding.ts";
import { installErrorMapping } from "../../wire/error_mapping.ts";
import { validationFailed } from "../../wire/errors.ts";
import { executeReader } from "../../wire/execute_request.ts";
import { LANGUAGE_INFO, languageListing } from "../../wire/languages.ts";
import { type LanguageLimits, limitsByLanguage } from "../../wire/limits.ts";
import { EXECUTE_PATH } from "../../wire/paths.ts";
import { jsonResponse } from "../../wire/responses.ts";
import type { ExecutionResult, Language } from "../../wire/types.ts";

/** What an echo runtime says of a request, as the value of the run. */
export interface Echo {
  readonly tenant: string | null;
  readonly envVars: readonly (readonly [string, string])[];
  readonly typescript: boolean;
  readonly headers: readonly string[];
}

/** What may be set differently from the defaults. */
export interface EchoOptions {
  readonly limits?: Partial<LanguageLimits>;
  readonly health?: LanguageHealth;
  /** Is called before an answer is given; may wait, and may throw. */
  readonly before?: (request: Request) => Promise<void>;
}

/** Makes an echo runtime of a language. */
export function echoRuntime(language: Language, options: EchoOptions = {}): LanguageRuntime {
  const limits = { ...limitsByLanguage()[language], ...options.limits };
  const read = executeReader({ language, limits });
  const app = new Hono();
  installErrorMapping(app, { clock: Date.now, onUnexpected: () => undefined });
  app.post(EXECUTE_PATH, async (context) => {
    const request = context.req.raw;
    const { code, envVars, typescript } = await read(request);
    const echo: Echo = {
      tenant: request.headers.get(TENANT_HEADER),
      envVars: [...envVars],
      typescript,
      headers: [...request.headers.keys()],
    };
    const result: ExecutionResult = {
      code,
      language,
      engine: LANGUAGE_INFO[language].engine,
      durationMs: 0,
      logs: { stdout: [], stderr: [] },
      results: [{ text: JSON.stringify(echo) }],
    };
    return jsonResponse(result, { headers: { "server-timing": "run;dur=0.000" } });
  });
  return {
    binding: {
      fetch: async (request) => {
        await options.before?.(request);
        return await app.fetch(request);
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

/** What an answer of an echo runtime says of its request. */
export async function echoOf(response: Response): Promise<Echo> {
  const result: ExecutionResult = await response.json();
  return JSON.parse(result.results[0]?.text ?? "null");
}
