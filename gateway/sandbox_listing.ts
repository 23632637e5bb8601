/**
 * `GET /sandboxes`: the sandboxes of the caller's tenant (docs/contract.md#listing-of-sandboxes).
 *
 * @module
 */
import type { Hono, MiddlewareHandler } from "hono";
import { SANDBOXES_PATH } from "../client/protocol/paths.ts";
import type { Sandboxes } from "../sandbox/sandboxes.ts";
import { jsonResponse } from "../shared/responses.ts";
import type { GatewayEnv } from "./gateway_env.ts";

/** What the route needs. */
export interface SandboxListingOptions {
  readonly sandboxes: Sandboxes;
  /** Admission of calls. */
  readonly place: MiddlewareHandler<GatewayEnv>;
}

/** Adds the route. */
export function installSandboxListing(
  app: Hono<GatewayEnv>,
  { sandboxes, place }: SandboxListingOptions,
): void {
  app.get(SANDBOXES_PATH, place, async (context) => {
    const values = (name: string) => context.req.queries(name) ?? [];
    const query = { limit: values("limit"), cursor: values("cursor") };
    return jsonResponse(await sandboxes.forTenant(context.get("tenant")).list(query));
  });
}
