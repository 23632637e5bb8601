/**
 * The paths of sandboxes, `/languages/:language/sandboxes/:id` and all below it
 * (docs/contract.md#gateway-routes): forwarded to the gateway's own sandboxes. The language of the
 * path is the binding of every run and every new context, regardless of the body. A sandbox that is
 * reached through two languages is one sandbox.
 *
 * @module
 */
import type { Context, Hono } from "hono";
import type { Decider } from "../client/protocol/journal.ts";
import { ERROR_STATUSES } from "../client/protocol/error_codes.ts";
import {
  CONTEXTS_PATH,
  EXECUTE_PATH,
  FILES_PATH,
  IDEMPOTENCY_KEY_HEADER,
  INSPECT_PATH,
  LANGUAGES_PATH,
  RUNS_PATH,
  SANDBOX_ID_HEADER,
  SANDBOX_ORIGIN,
  SANDBOX_ROUTE_HEADER,
  TOOLS_PATH,
  VARIABLES_PATH,
} from "../client/protocol/paths.ts";
import { bindingName, type Language } from "../client/protocol/types.ts";
import type { RunAdmission } from "../sandbox/operation_options.ts";
import type { Sandboxes } from "../sandbox/sandboxes.ts";
import type { LanguageRuntime } from "../shared/binding.ts";
import { serviceStopping } from "../shared/errors.ts";
import { honoPath, type RouteDescription, type Success } from "../shared/route.ts";
import { decodedSegment, sentPath } from "../shared/request_path.ts";
import type { RunAudience } from "../shared/run_listener.ts";
import { anySignal, type CallOptions, type RunPlaces, takePlace } from "./admitted_call.ts";
import { forwardedMethod, withUrl } from "./forwarded_request.ts";
import type { GatewayEnv } from "./gateway_env.ts";
import { entryOf, languagePath } from "./language_path.ts";
import { answerAsRun } from "./stream_options.ts";
import { z } from "zod";
import { SANDBOX_ROUTES } from "../sandbox/routes.ts";
import { SANDBOX_NAME } from "../sandbox/sandbox_name.ts";

/** Dependencies of the paths. */
export interface SandboxPathOptions extends CallOptions {
  readonly sandboxes: Sandboxes;
  /** The enabled languages. */
  readonly runtimes: ReadonlyMap<Language, LanguageRuntime>;
}

/** The path of a sandbox. */
const SANDBOX_PATH = `${LANGUAGES_PATH}/{language}/sandboxes/{id}`;

/** The caller's headers that a sandbox may see. */
const FORWARDED_HEADERS = [
  "content-type",
  "content-length",
  "content-encoding",
  "content-range",
  "if-match",
  "if-none-match",
  "if-range",
  "last-event-id",
  "prefer",
  "range",
  IDEMPOTENCY_KEY_HEADER,
  SANDBOX_ID_HEADER,
];

/** The paths below a sandbox whose answers are those of runs, by method. */
function ofRun(method: string): RegExp {
  return method === "POST" ? /^\/runs\/[^/]+\/answers$/ : /^\/runs\/[^/]+$/;
}

/** The paths below a sandbox that look into a context. */
const LOOKS = new RegExp(`^${CONTEXTS_PATH}/[^/]+(?:${VARIABLES_PATH}|${INSPECT_PATH})$`);

/** Number of path segments before those of the sandbox itself, including the empty first one. */
const OUTER_SEGMENTS = 5;

/** Adds the paths to the gateway. The sandbox itself answers unknown routes and methods. */
export function installSandboxPath(app: Hono<GatewayEnv>, options: SandboxPathOptions): void {
  app.all(`${honoPath({ path: SANDBOX_PATH })}/*`, languagePath, async (context) => {
    const language = context.get("language");
    entryOf(language, options.runtimes);
    return await forward(context, language, options);
  });
}

/** Admission of runs in sandboxes: by the tenant's kill budget and places. */
export function sandboxAdmission(deps: RunPlaces): RunAdmission {
  return {
    wait: (tenant) => {
      deps.kills.check(tenant);
      return deps.admission.wait(tenant);
    },
    enter: (tenant, signal, maxWaitMs) => takePlace({ tenant, signal, maxWaitMs }, deps),
  };
}

async function forward(
  context: Context<GatewayEnv>,
  language: Language,
  options: SandboxPathOptions,
): Promise<Response> {
  const request = context.req.raw;
  const tenant = context.get("tenant");
  const path = innerPath(context.req.path, request);
  const { contextName, existing } = context.env;
  const id = context.req.param("id") ?? "";
  const isRun = path === EXECUTE_PATH && request.method === "POST";
  const decider = context.get("decider");
  const call = { tenant, language, id, request, path, isRun, contextName, existing, decider };
  if (LOOKS.test(path)) options.kills.check(tenant); // a program looks
  if (!isRun && !ofRun(request.method).test(path)) {
    return await answerOf(call, { signal: request.signal }, options);
  }
  // a repeat may need no isolate; a run's budget is checked again when it has its turn
  if (!request.headers.has(IDEMPOTENCY_KEY_HEADER)) options.kills.check(tenant);
  return await answerAsRun(
    context,
    options,
    (audience) => answerOf(call, audience, options),
  );
}

/** A call to a sandbox. */
interface SandboxCall {
  readonly tenant: string;
  readonly language: Language;
  /** Name of the sandbox. */
  readonly id: string;
  readonly request: Request;
  /** The path below the sandbox. */
  readonly path: string;
  readonly isRun: boolean;
  /** The context of a run that names none by its id. */
  readonly contextName: string | undefined;
  readonly existing: boolean | undefined;
  readonly decider: Decider;
}

async function answerOf(
  { tenant, language, id, request, path, isRun, contextName, existing, decider }: SandboxCall,
  { signal, listener }: RunAudience,
  { sandboxes, bodies, calls, stopping }: SandboxPathOptions,
): Promise<Response> {
  using meter = bodies.open(tenant);
  using either = anySignal(signal, stopping);
  const sandbox = sandboxes.forTenant(tenant).named(id, {
    forcedBinding: bindingName(language),
    contextName,
    existing,
    meter,
    takePlace: (signal) => calls.enter(tenant, signal),
    listener,
    decider,
  });
  const answer = isRun
    ? await sandbox.run(request, either.signal)
    : await sandbox.fetch(innerRequest(request, path, either.signal));
  if (stopping.aborted && !answer.ok && !mayBeDone(answer)) throw serviceStopping();
  return answer;
}

/** Whether the call may have been done in spite of this answer. Then it must not be repeated. */
function mayBeDone({ status }: Response): boolean {
  return status === ERROR_STATUSES.INTERNAL_ERROR[0];
}

/**
 * The path below the sandbox, with the segments by which the request was routed here. Each segment
 * stays one: a URL would resolve `..`, in any spelling, and leave the sandbox. The path of a file
 * is passed on as it was sent, because the sandbox decodes and resolves it.
 */
function innerPath(path: string, request: Request): string {
  const [first = "", ...others] = path.split("/").slice(OUTER_SEGMENTS).map(innerSegment);
  if (`/${first}` !== FILES_PATH || others.length === 0) return `/${[first, ...others].join("/")}`;
  const sent = sentPath(request).split("/").slice(OUTER_SEGMENTS + 1);
  return `${FILES_PATH}/${sent.join("/")}`;
}

/** A segment of dots is sent in its escaped form, which is not the id of anything. */
function innerSegment(segment: string): string {
  const text = decodedSegment(segment);
  return encodeURIComponent(text === "." || text === ".." ? text.replaceAll(".", "%2E") : text);
}

function innerRequest(request: Request, path: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const name of FORWARDED_HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const init = { method: forwardedMethod(request.method), headers, body: request.body, signal };
  const { search } = path.startsWith(RUNS_PATH) || path.startsWith(TOOLS_PATH)
    ? new URL(request.url)
    : { search: "" };
  return withUrl(new Request(SANDBOX_ORIGIN, init), `${SANDBOX_ORIGIN}${path}${search}`);
}

/** The descriptions of the routes, with the gateway's part of the path and its errors. */
export function sandboxDescriptions(languages: readonly Language[]): readonly RouteDescription[] {
  const language = z.enum(languages)
    .describe("The language. All of them lead to the same sandbox.");
  const id = z.string().max(SANDBOX_NAME.maxLength).regex(SANDBOX_NAME.pattern)
    .describe("Name of the sandbox. The first use creates it.");
  const named = z.string().optional()
    .describe("Must equal the id if present: a request that reaches another sandbox is refused.");
  return SANDBOX_ROUTES.map((route) => ({
    ...route,
    path: `${SANDBOX_PATH}${route.path === "/" ? "" : route.path}`,
    pathParameters: { language, id, ...route.pathParameters },
    headerParameters: { [SANDBOX_ID_HEADER]: named, ...route.headerParameters },
    success: withRouteHeader(route.success),
    others: route.others?.map(withRouteHeader) ?? [],
    errors: ["common", "token", "language", "parameter", "sandbox", ...route.errors],
  }));
}

function withRouteHeader(answer: Success): Success {
  return { ...answer, headers: { ...answer.headers, [SANDBOX_ROUTE_HEADER]: "SandboxRoute" } };
}
