/**
 * The routes of one language (contract, section B): stateless runs and the probe.
 *
 * `runtimes/` owns languages at work: routes, the pool of isolates, the build of engines. It
 * must not know of sandboxes, tenants' tokens or the environment.
 *
 * @module
 */
import { Hono } from "hono";
import { DEFAULT_TENANT, TENANT_HEADER, WAIT_HEADER } from "../wire/binding.ts";
import type { Clock } from "../wire/clock.ts";
import { installErrorMapping } from "../wire/error_mapping.ts";
import { runtimeUnavailable, type ServiceError, validationFailed } from "../wire/errors.ts";
import { executeReader } from "../wire/execute_request.ts";
import { LANGUAGES_WITH_CONTEXTS } from "../wire/languages.ts";
import { layeredRequestBytes } from "../wire/layered_request.ts";
import type { LanguageLimits } from "../wire/limits.ts";
import { EXECUTE_PATH, INTERPRETER_PATH, INTERPRETERS_PATH } from "../wire/paths.ts";
import { clientGone, jsonResponse } from "../wire/responses.ts";
import { serverTiming } from "../wire/run_timing.ts";
import type { ExecuteRequest, ExecutionResult, InterpreterProbe, Language } from "../wire/types.ts";
import { type ExecutionFrame, executionResult, killedResult } from "./execution.ts";
import type { InterpreterObject } from "./interpreter/interpreter_object.ts";
import { installInterpreterRoutes } from "./interpreter/routes.ts";
import type { RunRequest } from "./isolate/engine.ts";
import type { PoolRun, RunCaller } from "./pool/pool.ts";
import { timingOf } from "./run_timing.ts";

/** What the routes need. */
export interface RuntimeAppOptions {
  readonly language: Language;
  /** Engine name and version, as results show it. */
  readonly engine: string;
  readonly limits: LanguageLimits;
  readonly clock: Clock;
  /** Absent where there are no contexts. */
  readonly interpreter?: InterpreterObject | undefined;
  run(request: RunRequest, caller: RunCaller): Promise<PoolRun>;
  /** Told when a tenant's run cost a process. */
  readonly onKill: (tenant: string) => void;
  readonly onUnexpected: (thrown: unknown) => void;
}

/** A caller who can go away. */
type StatelessCaller = RunCaller & { readonly signal: AbortSignal };

const PROTOCOL = 1;

function runRequest(request: ExecuteRequest, limits: LanguageLimits): RunRequest {
  const { fuel, outputBytes, outputLines, resultBytes, tracebackBytes, wallMs } = limits;
  return {
    code: request.code,
    env: request.envVars,
    typescript: request.typescript,
    limits: { fuel, outputBytes, outputLines, resultBytes, tracebackBytes, wallMs },
  };
}

function resultOf(
  frame: ExecutionFrame,
  ran: PoolRun,
  limits: LanguageLimits,
): ExecutionResult | undefined {
  if (ran.end === "answered" && ran.run.answer !== undefined) {
    return executionResult(frame, ran.run.answer, ran.run.output, limits);
  }
  if (ran.end === "wall clock") return killedResult(frame, ran.run.output, ran.runMs, limits);
  if (ran.end === "cancelled") return undefined;
  throw runtimeUnavailable();
}

/** The milliseconds of {@link WAIT_HEADER}; undefined when it says none. */
function waitOf(text: string | undefined): number | undefined {
  const ms = Number(text ?? NaN);
  return ms >= 0 ? ms : undefined;
}

/** The app of one runtime. */
export function createRuntimeApp(options: RuntimeAppOptions): Hono {
  const { language, engine, limits } = options;
  const read = executeReader({ language, limits });
  /** Of whoever calls on behalf of a tenant: what the caller sent was checked there. */
  const readLayered = executeReader({
    language,
    limits: { ...limits, requestBytes: layeredRequestBytes(limits.requestBytes) },
  });
  const probe: InterpreterProbe = {
    language,
    engine,
    contexts: options.interpreter !== undefined,
    protocol: PROTOCOL,
  };
  /** Undefined when the caller went away before the run began. */
  const runFor = async (caller: StatelessCaller, run: RunRequest) => {
    try {
      return await options.run(run, caller);
    } catch (thrown) {
      if (caller.signal.aborted && thrown === caller.signal.reason) return undefined;
      throw thrown;
    }
  };
  const app = new Hono();
  installErrorMapping(app, { clock: options.clock, onUnexpected: options.onUnexpected });

  app.post(EXECUTE_PATH, async (context) => {
    const onBehalf = context.req.header(TENANT_HEADER);
    const request = await (onBehalf === undefined ? read : readLayered)(context.req.raw);
    const { signal } = context.req.raw;
    const tenant = onBehalf ?? DEFAULT_TENANT;
    const maxWaitMs = onBehalf === undefined ? undefined : waitOf(context.req.header(WAIT_HEADER));
    const ran = await runFor({ tenant, maxWaitMs, signal }, runRequest(request, limits));
    if (ran === undefined) return clientGone();
    if (ran.killed) options.onKill(tenant);
    const result = resultOf({ code: request.code, language, engine }, ran, limits);
    if (result === undefined) return clientGone();
    return jsonResponse(result, { headers: { "server-timing": serverTiming(timingOf(ran)) } });
  });

  app.get(INTERPRETER_PATH, () => jsonResponse(probe));

  if (options.interpreter !== undefined) installInterpreterRoutes(app, options.interpreter);
  else {
    app.on(["GET", "POST", "DELETE"], `${INTERPRETERS_PATH}/*`, () => {
      throw contextsNotSupported(language);
    });
  }
  return app;
}

/** Why a runtime has no contexts (contract, section B). */
export function contextsNotSupported(language: Language): ServiceError<"VALIDATION_FAILED"> {
  const reason = LANGUAGES_WITH_CONTEXTS.includes(language)
    ? ": this Worker has no interpreter object binding"
    : ` for ${language}`;
  return validationFailed(`Code contexts are not supported${reason}`);
}
