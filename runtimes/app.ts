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
import {
  DEFAULT_TENANT,
  PROTOCOL,
  PROTOCOL_HEADER,
  TENANT_HEADER,
  WAIT_HEADER,
} from "../wire/binding.ts";
import type { Clock } from "../wire/clock.ts";
import { installErrorMapping } from "../wire/error_mapping.ts";
import { type ServiceError, validationFailed } from "../wire/errors.ts";
import { executeReader } from "../wire/execute_request.ts";
import { layeredRequestBytes } from "../wire/layered_request.ts";
import type { LanguageLimits } from "../wire/limits.ts";
import { jsonResponse } from "../wire/responses.ts";
import { answerRun } from "../wire/run_form.ts";
import type { RunAudience } from "../wire/run_listener.ts";
import { streamRun } from "../wire/streamed_run.ts";
import type { ContextHost } from "./contexts/context_host.ts";
import { installInterpreterRoutes } from "./contexts/routes.ts";
import { asksForFrames, framesFor, knowsDisplays } from "./remote/run_frames.ts";
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

/** The milliseconds in {@link WAIT_HEADER}; undefined when there are none. */
function waitOf(text: string | undefined): number | undefined {
  const ms = Number(text ?? NaN);
  return ms >= 0 ? ms : undefined;
}

/** The app of one runtime. */
export function createRuntimeApp(options: RuntimeAppOptions): Hono {
  const { language, engine, limits } = options;
  const own = executeReader({ language, limits });
  /** The request of a gateway on another machine, which has checked its caller's input. */
  const layered = executeReader({
    language,
    limits: { ...limits, requestBytes: layeredRequestBytes(limits.requestBytes) },
  });
  const probe: InterpreterProbe = {
    language,
    engine,
    contexts: options.contextHost !== undefined,
    protocol: 1,
  };
  const app = new Hono();
  installErrorMapping(app, { clock: options.clock, onUnexpected: options.onUnexpected });

  app.post(EXECUTE_PATH, async (context) => {
    const { raw: request } = context.req;
    const onBehalf = context.req.header(TENANT_HEADER);
    const maxWaitMs = waitOf(context.req.header(WAIT_HEADER));
    const run = async (audience: RunAudience) =>
      onBehalf === undefined
        ? await options.execute(await own.read(request), { ...audience, tenant: DEFAULT_TENANT })
        : await options.execute(await layered.read(request), {
          ...audience,
          tenant: onBehalf,
          maxWaitMs,
          withoutDisplays: !knowsDisplays(request),
        });
    return onBehalf !== undefined && asksForFrames(request)
      ? await streamRun(framesFor(request), request.signal, options, run)
      : await answerRun(context, options, run);
  });

  const probeHeaders = { [PROTOCOL_HEADER]: String(PROTOCOL) };
  app.get(INTERPRETER_PATH, () => jsonResponse(probe, { headers: probeHeaders }));

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
