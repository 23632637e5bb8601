/**
 * CORS: off, except for the origins that the configuration names.
 *
 * @module
 */
import type { Context, MiddlewareHandler } from "hono";

const REQUEST_HEADERS = "authorization, content-type, x-sandbox-id";
const RESPONSE_HEADERS = "retry-after, server-timing";
const PREFLIGHT_SECONDS = "600";

/** Whether a request is a browser's question before a request across origins. */
export function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" && request.headers.has("origin") &&
    request.headers.has("access-control-request-method");
}

/** Adds the CORS headers to every answer to an allowed origin. Goes outside all other middleware. */
export function cors(allowedOrigins: readonly string[]): MiddlewareHandler {
  const allowed = new Set(allowedOrigins);
  return async (context, next) => {
    await next();
    if (allowed.size === 0) return;
    context.header("vary", "Origin", { append: true });
    const origin = context.req.header("origin");
    if (origin !== undefined && allowed.has(origin)) {
      addHeaders(context, origin);
    }
  };
}

function addHeaders(context: Context, origin: string): void {
  context.header("access-control-allow-origin", origin);
  context.header("access-control-expose-headers", RESPONSE_HEADERS);
  if (!isPreflight(context.req.raw)) return;
  context.header(
    "access-control-allow-methods",
    context.res.headers.get("allow") ?? "",
  );
  context.header("access-control-allow-headers", REQUEST_HEADERS);
  context.header("access-control-max-age", PREFLIGHT_SECONDS);
}
