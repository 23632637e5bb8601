/**
 * CORS: off, except for the origins that the configuration names.
 *
 * @module
 */
import type { MiddlewareHandler } from "hono";
import { changeHeaders } from "./response_headers.ts";

const REQUEST_HEADERS =
  "authorization, content-range, content-type, idempotency-key, if-match, if-none-match, if-range, last-event-id, " +
  "mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, range, x-sandbox-id";
const RESPONSE_HEADERS =
  "accept-ranges, content-disposition, content-range, etag, idempotency-replayed, mcp-session-id, " +
  "range, retry-after, sandbox-route, server-timing";
const PREFLIGHT_SECONDS = "600";

/** Whether a request is a CORS preflight. */
export function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" && request.headers.has("origin") &&
    request.headers.has("access-control-request-method");
}

/** Adds the CORS headers to every answer to an allowed origin. Must be the outermost middleware. */
export function cors(allowedOrigins: readonly string[]): MiddlewareHandler {
  const allowed = new Set(allowedOrigins);
  return async (context, next) => {
    await next();
    const answer = context.res;
    const changed = changeHeaders(
      answer,
      (headers) => addHeaders(headers, context.req.raw, allowed),
    );
    if (changed !== answer) context.res = changed;
  };
}

function addHeaders(headers: Headers, request: Request, allowed: ReadonlySet<string>): void {
  headers.append("vary", "Origin");
  const origin = request.headers.get("origin");
  if (origin === null || !allowed.has(origin)) return;
  headers.set("access-control-allow-origin", origin);
  headers.set("access-control-expose-headers", RESPONSE_HEADERS);
  if (!isPreflight(request)) return;
  headers.set("access-control-allow-methods", headers.get("allow") ?? "");
  headers.set("access-control-allow-headers", REQUEST_HEADERS);
  headers.set("access-control-max-age", PREFLIGHT_SECONDS);
}
