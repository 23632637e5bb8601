/**
 * The gateway's own routes: description and answer as one value.
 *
 * @module
 */
import type { Context, Hono } from "hono";
import type { Release } from "../sandbox/operation_options.ts";
import { clientGone } from "../shared/responses.ts";
import { honoPath, type RouteDescription } from "../shared/route.ts";
import type { Admission } from "./admission.ts";
import type { GatewayEnv } from "./gateway_env.ts";
import { languagePath } from "./language_path.ts";

/** Answers a request. Rejects with a `ServiceError`. */
export type Answer = (context: Context<GatewayEnv>) => Response | Promise<Response>;

/** A route of the gateway. */
export interface GatewayRoute extends RouteDescription {
  readonly answer: Answer;
}

/** Adds routes to an app. */
export function installRoutes(app: Hono<GatewayEnv>, routes: readonly GatewayRoute[]): void {
  for (const route of routes) {
    const [method, path] = [route.method.toUpperCase(), honoPath(route)];
    if (route.path.includes("{language}")) app.on(method, path, languagePath);
    app.on(method, path, route.answer);
  }
}

/** An answer that takes one of its tenant's places, for work in the service's own thread. */
export function inCallPlace(calls: Admission, answer: Answer): Answer {
  return async (context) => {
    const { signal } = context.req.raw;
    let leave: Release;
    try {
      leave = await calls.enter(context.get("tenant"), signal);
    } catch (thrown) {
      if (signal.aborted && thrown === signal.reason) return clientGone();
      throw thrown;
    }
    try {
      return await answer(context);
    } finally {
      leave();
    }
  };
}
