/**
 * Headers that are added to answers: those of browsers, CORS for the origins that the configuration
 * names, and the one by which a proxy can send the requests of one sandbox to one service
 * (docs/contract.md#routing).
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Hono, MiddlewareHandler } from "hono";
import { LANGUAGES_PATH, SANDBOX_ROUTE_HEADER } from "../client/protocol/paths.ts";
import { isSandboxName } from "../sandbox/sandbox_name.ts";
import { isWhole, SECURITY_HEADERS } from "../shared/responses.ts";
import type { GatewayEnv } from "./gateway_env.ts";

/** The answer with the security headers added. One that it already has keeps its own value. */
export function withSecurityHeaders(response: Response): Response {
  if (isWhole(response)) return response;
  return changeHeaders(response, (headers) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      if (!headers.has(name)) headers.set(name, value);
    }
  });
}

/**
 * Changes the headers of an answer in place, so that its body stays text of a known length. An
 * answer with immutable headers is rebuilt.
 */
function changeHeaders(response: Response, change: (headers: Headers) => void): Response {
  try {
    change(response.headers);
    return response;
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    const copy = new Response(response.body, response);
    change(copy.headers);
    return copy;
  }
}

const DIGITS = 16;

/**
 * Adds the header to every answer below the path of a sandbox, refusals included, if a sandbox can
 * have the name. Must be installed before what refuses.
 */
export function installSandboxRoute(app: Hono<GatewayEnv>): void {
  app.use(`${LANGUAGES_PATH}/:language/sandboxes/:id/*`, async (context, next) => {
    const name = context.req.param("id") ?? "";
    await next();
    if (!isSandboxName(name)) return;
    const answer = context.res;
    const changed = changeHeaders(
      answer,
      (headers) => headers.set(SANDBOX_ROUTE_HEADER, routeOf(name)),
    );
    if (changed !== answer) context.res = changed;
  });
}

/**
 * A stable hash of a sandbox's name. It depends on nothing else, so that a proxy can compute it
 * from the path, and so that it reveals no tenant.
 */
function routeOf(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, DIGITS);
}

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
