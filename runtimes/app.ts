/**
 * The routes of one runtime (docs/contract.md#runtime-routes): stateless runs and the probe.
 *
 * `runtimes/` owns the runtimes: routes, the pool of isolates, the build of engines. It must not
 * know sandboxes, tenants' tokens or the environment.
 *
 * @module
 */
import { Hono } from "hono";
import { EXECUTE_PATH, INTERPRETER_PATH, INTERPRETERS_PATH } from "../client/protocol/paths.ts";
import type { InterpreterProbe, Language } from "../client/protocol/types.ts";
import { DEFAULT_TENANT, TENANT_HEADER } from "../shared/binding.ts";
import type { Clock } from "../shared/clock.ts";
import { installErrorMapping } from "../shared/error_mapping.ts";
import { type ServiceError, validationFailed } from "../shared/errors.ts";
import { executeReader } from "../shared/execute_request.ts";
import type { LanguageLimits } from "../shared/limits.ts";
import { jsonResponse } from "../shared/responses.ts";
import { answerRun } from "../shared/run_form.ts";
import type { ContextHost } from "./contexts/context_host.ts";
import { installInterpreterRoutes } from "./contexts/routes.ts";
import type { StatelessRuns } from "./stateless_runs.ts";

/** What the routes need. */
export interface RuntimeAppOptions {
  readonly language: Language;
  /** Engine name and version, as results show it. */
  readonly engine: string;
  readonly limits: LanguageLimits;
  readonly clock: Clock;
  /** Whether the language has contexts in this service, where there is a store for them. */
  readonly hasContexts: boolean;
  /** Absent where the runtime has no contexts. */
  readonly contextHost?: ContextHost | undefined;
  readonly execute: StatelessRuns;
  readonly onUnexpected: (thrown: unknown) => void;
}

/** The app of one runtime. */
export function createRuntimeApp(options: RuntimeAppOptions): Hono {
  const { language, engine, limits } = options;
  const reader = executeReader({ language, limits });
  const probe: InterpreterProbe = {
    language,
    engine,
    contexts: options.contextHost !== undefined,
    protocol: 1,
  };
  const app = new Hono();
  installErrorMapping(app, { clock: options.clock, onUnexpected: options.onUnexpected });

  app.post(EXECUTE_PATH, async (context) => {
    const tenant = context.req.header(TENANT_HEADER) ?? DEFAULT_TENANT;
    return await answerRun(
      context,
      options,
      async (audience) =>
        await options.execute(await reader.read(context.req.raw), { ...audience, tenant }),
    );
  });

  app.get(INTERPRETER_PATH, () => jsonResponse(probe));

  if (options.contextHost !== undefined) installInterpreterRoutes(app, options.contextHost);
  else {
    app.on(["GET", "POST", "DELETE"], `${INTERPRETERS_PATH}/*`, () => {
      throw contextsNotSupported(options.hasContexts ? undefined : language);
    });
  }
  return app;
}

/**
 * The error of a runtime without contexts (docs/contract.md#runtime-routes). `language`: one that has
 * none in this service, if that is the reason.
 */
export function contextsNotSupported(language?: Language): ServiceError<"VALIDATION_FAILED"> {
  const reason = language === undefined
    ? ": this Worker has no interpreter object binding"
    : ` for ${language}`;
  return validationFailed(`Code contexts are not supported${reason}`);
}
