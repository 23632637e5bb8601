/**
 * Calls of the gateway's own routes from inside the service, for a tenant that is known already.
 * Admission, quotas, limits and errors hold as they do for callers from outside.
 *
 * @module
 */
import type { Hono } from "hono";
import { EXECUTE_PATH, RUNS_PATH } from "../client/protocol/paths.ts";
import type { Clock } from "../shared/clock.ts";
import { errorResponse, toServiceError } from "../shared/errors.ts";
import { memoryOf } from "../shared/responses.ts";
import type { CallService, ServiceCall } from "../shared/service_calls.ts";
import type { BodyBudget } from "./body_budget.ts";
import type { GatewayEnv } from "./gateway_env.ts";
import { withUrl } from "./forwarded_request.ts";

/** Calls a route for a tenant; the signal ends the call. Never rejects. */
export type InnerCalls = (
  tenant: string,
  call: ServiceCall,
  signal: AbortSignal,
) => Promise<Response>;

/** The calls of one piece of work. Their large answers count until it is over. */
export interface WorkCalls extends Disposable {
  readonly call: CallService;
}

/** Dependencies of {@link workCalls}. */
export interface WorkCallsOptions {
  readonly inner: InnerCalls;
  readonly bodies: BodyBudget;
  readonly clock: Clock;
}

/** Never resolved: an app gets the request itself. */
const ORIGIN = "http://gateway.internal";

/** Creates the calls of an app, whose access rules pass a request that names its tenant. */
export function innerCalls(app: Hono<GatewayEnv>): InnerCalls {
  return async (tenant, { contextName, existing = false, listener, ...call }, signal) =>
    await app.fetch(requestOf(call, signal), { tenant, contextName, existing, listener });
}

function requestOf(
  { method, path, headers = {}, body, bytes }: Omit<
    ServiceCall,
    "contextName" | "existing" | "listener"
  >,
  signal: AbortSignal,
): Request {
  const json = body === undefined
    ? bytes === undefined ? {} : { body: bytes }
    : { body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
  return withUrl(new Request(ORIGIN, { method, headers, signal, ...json }), `${ORIGIN}${path}`);
}

/**
 * Opens the calls of one piece of work for a tenant. An answer for which the tenant has no room
 * becomes a refusal, except for that of a run, which has happened.
 */
export function workCalls(
  tenant: string,
  { inner, bodies, clock }: WorkCallsOptions,
): WorkCalls {
  const account = bodies.open(tenant);
  return {
    call: async (call, signal) => {
      const answer = await inner(tenant, call, signal);
      const memory = memoryOf(answer);
      if (memory === undefined) return answer;
      try {
        if (isRun(call)) account.owe(memory);
        else account.hold(memory);
        return answer;
      } catch (thrown) {
        await answer.body?.cancel();
        return errorResponse(toServiceError(thrown), clock);
      }
    },
    [Symbol.dispose]: () => account[Symbol.dispose](),
  };
}

function isRun({ method, path }: ServiceCall): boolean {
  return method === "POST" &&
    (path.startsWith(EXECUTE_PATH) || path.endsWith(EXECUTE_PATH) || path.startsWith(RUNS_PATH));
}
