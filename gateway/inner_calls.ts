/**
 * Calls of the gateway's own routes from inside the service, for a tenant that is known already.
 *
 * They are requests to an app with the same routes, so that admission, quotas, limits and errors
 * hold as they do for callers from outside.
 *
 * @module
 */
import { Hono } from "hono";
import type { ServiceCall } from "../wire/service_calls.ts";
import { type ErrorMappingOptions, installErrorMapping } from "../wire/error_mapping.ts";
import { routingPath } from "../wire/request_path.ts";
import type { GatewayEnv } from "./gateway_env.ts";
import { withUrl } from "./request_url.ts";

/** Calls a route for a tenant; the signal ends the call. Never rejects. */
export type InnerCalls = (
  tenant: string,
  call: ServiceCall,
  signal: AbortSignal,
) => Promise<Response>;

/** Never resolved: an app gets the request itself. */
const ORIGIN = "http://gateway.internal";

/** Creates the calls of the routes that `install` adds. */
export function innerCalls(
  install: (app: Hono<GatewayEnv>) => void,
  mapping: ErrorMappingOptions,
): InnerCalls {
  const app = new Hono<GatewayEnv>({ getPath: routingPath });
  installErrorMapping(app, mapping);
  app.use(async (context, next) => {
    const { tenant } = context.env;
    if (tenant === undefined) throw new Error("a call from inside names no tenant");
    context.set("tenant", tenant);
    await next();
  });
  install(app);
  return async (tenant, { contextName, existing = false, ...call }, signal) =>
    await app.fetch(requestOf(call, signal), { tenant, contextName, existing });
}

function requestOf(
  { method, path, headers = {}, body, bytes }: Omit<ServiceCall, "contextName" | "existing">,
  signal: AbortSignal,
): Request {
  const json = body === undefined
    ? bytes === undefined ? {} : { body: bytes }
    : { body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
  return withUrl(new Request(ORIGIN, { method, headers, signal, ...json }), `${ORIGIN}${path}`);
}
