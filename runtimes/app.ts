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
import { BODY_DEADLINE_MS, type LanguageLimits } from "../shared/limits.ts";
import { jsonResponse } from "../shared/responses.ts";
import { answerRun } from "../shared/run_form.ts";
import type { ContextHost, ForkOrder } from "./contexts/context_host.ts";
import type { StatelessRuns } from "./stateless_runs.ts";
import { z } from "zod";
import { readJsonObject } from "../shared/read_body.ts";
import { parseBody } from "../shared/schemas.ts";

/** Dependencies of the routes. */
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
 * The error of a runtime without contexts (docs/contract.md#runtime-routes). `language`: one that
 * has none in this service, if that is the reason.
 */
export function contextsNotSupported(language?: Language): ServiceError<"VALIDATION_FAILED"> {
  const reason = language === undefined
    ? ": this Worker has no interpreter object binding"
    : ` for ${language}`;
  return validationFailed(`Code contexts are not supported${reason}`);
}

/** Maximum length of a body, which holds an id and a path. */
const BODY = { maxBytes: 16 * 1024, deadlineMs: BODY_DEADLINE_MS };

interface NewContext {
  readonly id: string;
  readonly cwd: string;
}

const newContextSchema: z.ZodType<NewContext, unknown> = z.object({
  id: z.string("id must be a string"),
  cwd: z.string("cwd must be a string"),
});

const forkSchema: z.ZodType<ForkOrder, unknown> = z.object({
  key: z.string("key must be a string"),
  id: z.string("id must be a string"),
  snapshot: z.string("snapshot must be a string"),
  behind: z.boolean("behind must be a boolean"),
});

/** Adds the routes to a runtime's app. */
function installInterpreterRoutes(app: Hono, interpreter: ContextHost): void {
  const contexts = `${INTERPRETERS_PATH}/:key/contexts`;
  app.post(contexts, async (context) => {
    const body = parseBody(newContextSchema, await readJsonObject(context.req.raw, BODY));
    const created = await interpreter.create(context.req.param("key"), body);
    return jsonResponse(created, { status: 201 });
  });
  app.post(`${contexts}/:id/fork`, async (context) => {
    const order = parseBody(forkSchema, await readJsonObject(context.req.raw, BODY));
    await interpreter.fork(context.req.param("key"), context.req.param("id"), order);
    return jsonResponse({ success: true }, { status: 201 });
  });
  app.delete(`${contexts}/:id`, async (context) => {
    await interpreter.delete(context.req.param("key"), context.req.param("id"));
    return jsonResponse({ success: true });
  });
  app.delete(`${INTERPRETERS_PATH}/:key`, async (context) => {
    await interpreter.wipe(context.req.param("key"));
    return jsonResponse({ success: true });
  });
}
