/**
 * The paths of sandboxes, `/languages/:language/sandboxes/:id` and all below it
 * (docs/contract.md#gateway-routes): handed to the gateway's own sandboxes. The language of the
 * path is the binding of every run and every new context, whatever the body says; a sandbox reached
 * through two languages is one sandbox.
 *
 * @module
 */
import type { Context, Hono } from "hono";
import type { RunAdmission } from "../sandbox/sandbox_parts.ts";
import type { Sandboxes } from "../sandbox/sandboxes.ts";
import type { LanguageRuntime } from "../wire/binding.ts";
import { ERROR_STATUSES } from "../wire/error_codes.ts";
import { serviceStopping } from "../wire/errors.ts";
import { EXECUTE_PATH, LANGUAGES_PATH, SANDBOX_ID_HEADER, SANDBOX_ORIGIN } from "../wire/paths.ts";
import { bindingName, type Language } from "../wire/types.ts";
import { type CallOptions, joined, takePlace } from "./admitted_call.ts";
import { forwardedMethod } from "./forwarded_method.ts";
import { languagePath, ofEnabled } from "./language_path.ts";

/** What the paths need. */
export interface SandboxPathOptions
  extends Pick<CallOptions, "bodies" | "calls" | "kills" | "stopping"> {
  readonly sandboxes: Sandboxes;
  /** The enabled languages. */
  readonly runtimes: ReadonlyMap<Language, LanguageRuntime>;
}

/** What the gateway found out before. */
interface TenantEnv {
  readonly Variables: { tenant: string; isRun: boolean };
}

/** What a sandbox may see of the caller's headers. */
const FORWARDED_HEADERS = [
  "content-type",
  "content-length",
  "content-encoding",
  SANDBOX_ID_HEADER,
];

/** Segments of a path before those of the sandbox itself, the empty first one included. */
const OUTER_SEGMENTS = 5;

/** Adds the paths to the gateway. The sandbox answers for itself what routes and methods it has. */
export function installSandboxPath(app: Hono<TenantEnv>, options: SandboxPathOptions): void {
  app.all(`${LANGUAGES_PATH}/:language/sandboxes/:id/*`, languagePath, async (context) => {
    const { language } = context.req.valid("param");
    ofEnabled(language, options.runtimes);
    return await forward(context, language, options);
  });
}

/** How runs of sandboxes are let in: by the tenant's kill budget and places. */
export function sandboxAdmission(
  deps: Pick<CallOptions, "admission" | "bodies" | "kills">,
): RunAdmission {
  return {
    wait: (tenant) => {
      deps.kills.check(tenant);
      return deps.admission.wait(tenant);
    },
    enter: (tenant, signal, maxWaitMs) => takePlace({ tenant, signal, maxWaitMs }, deps),
  };
}

async function forward(
  context: Context<TenantEnv>,
  language: Language,
  { sandboxes, bodies, calls, kills, stopping }: SandboxPathOptions,
): Promise<Response> {
  const request = context.req.raw;
  const tenant = context.get("tenant");
  const path = innerPath(context.req.path);
  if (path === EXECUTE_PATH && request.method === "POST") {
    context.set("isRun", true);
    kills.check(tenant);
  }
  using meter = bodies.open(tenant);
  using given = joined(request.signal, stopping);
  const sandbox = sandboxes.forTenant(tenant).named(context.req.param("id") ?? "", {
    forcedBinding: bindingName(language),
    meter,
    takePlace: (signal) => calls.enter(tenant, signal),
  });
  const answer = await sandbox.fetch(innerRequest(request, path, given.signal));
  if (stopping.aborted && !answer.ok && !mayBeDone(answer)) throw serviceStopping();
  return answer;
}

/** Whether an answer leaves open that the call was done: it must not be made again. */
function mayBeDone({ status }: Response): boolean {
  return status === ERROR_STATUSES.INTERNAL_ERROR[0];
}

/**
 * The path below the sandbox, with the segments by which the request was routed here. Each of them
 * stays one: a URL would take `..` for the way out of the sandbox, however it is written.
 */
function innerPath(path: string): string {
  return `/${path.split("/").slice(OUTER_SEGMENTS).map(innerSegment).join("/")}`;
}

/** A segment of dots is sent as its own escaped form, which is the id of nothing. */
function innerSegment(segment: string): string {
  const text = decoded(segment);
  return encodeURIComponent(text === "." || text === ".." ? text.replaceAll(".", "%2E") : text);
}

/** What is escaped in another way than a URL's stands for itself. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (thrown) {
    if (thrown instanceof URIError) return segment;
    throw thrown;
  }
}

function innerRequest(request: Request, path: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const name of FORWARDED_HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Request(`${SANDBOX_ORIGIN}${path}`, {
    method: forwardedMethod(request.method),
    headers,
    body: request.body,
    signal,
  });
}
