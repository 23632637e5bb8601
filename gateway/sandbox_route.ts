/**
 * The header by which a proxy can send the requests of one sandbox to one service
 * (docs/contract.md#routing).
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Hono } from "hono";
import { LANGUAGES_PATH, SANDBOX_ROUTE_HEADER } from "../client/protocol/paths.ts";
import { isSandboxName } from "../sandbox/sandbox_name.ts";
import type { GatewayEnv } from "./gateway_env.ts";
import { changeHeaders } from "./response_headers.ts";

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
