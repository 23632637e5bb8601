/**
 * The entrance of a runtime that is served alone. A token identifies a tenant, as it does at a
 * whole service.
 *
 * @module
 */
import { Hono } from "hono";
import { EXECUTE_PATH, HEALTH_PATH, READY_PATH } from "../client/protocol/paths.ts";
import { type LanguageRuntime, TENANT_HEADER } from "../shared/binding.ts";
import type { Clock } from "../shared/clock.ts";
import { installErrorMapping } from "../shared/error_mapping.ts";
import { describeCause, type Log } from "../shared/log.ts";
import { jsonResponse } from "../shared/responses.ts";
import { runEnd } from "../shared/streamed_run.ts";
import { anySignal } from "./admitted_call.ts";
import { asHandler, type Handler } from "./app.ts";
import type { Authenticate } from "./authentication.ts";
import { forwardedMethod, requestLike } from "./forwarded_request.ts";
import { OPEN_PATHS, readiness } from "./ready_route.ts";
import { healthOf, type StoreHealth } from "./health.ts";
import type { HostCheck } from "./host_check.ts";
import type { KillMeter } from "./admission.ts";

/** The parts of the entrance. */
export interface RuntimeGatewayOptions {
  readonly runtime: LanguageRuntime;
  readonly authenticate: Authenticate;
  /** Counts the kills of each tenant. */
  readonly kills: KillMeter;
  /** Absent where clients may reach the service under any name. */
  readonly hostCheck?: HostCheck;
  /** Fires when the requests in flight must be aborted. */
  readonly stopping: AbortSignal;
  /** The store whose health is reported. */
  readonly store?: StoreHealth;
  /** The commit of the sources; absent when unknown. */
  readonly commit?: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Creates the handler for the runtime's own routes and its health. */
export function createRuntimeGateway(options: RuntimeGatewayOptions): Handler {
  const { runtime, stopping, kills, log } = options;
  const app = new Hono<{ Variables: { tenant: string } }>();
  const onUnexpected = (thrown: unknown) => log("error", "request failed", describeCause(thrown));
  installErrorMapping(app, { clock: options.clock, onUnexpected });
  app.use(async (context, next) => {
    options.hostCheck?.(context.req.raw);
    const { raw, path } = context.req;
    if (!OPEN_PATHS.has(path)) context.set("tenant", options.authenticate(raw.headers));
    await next();
  });
  app.get(
    HEALTH_PATH,
    () => jsonResponse(healthOf([[runtime.listing.id, runtime]], options.store, options.commit)),
  );
  app.get(READY_PATH, readiness(options.store, options.clock));
  app.post(EXECUTE_PATH, async (context, next) => {
    kills.check(context.get("tenant"));
    await next();
  });
  app.all("*", async (context) => {
    const request = context.req.raw;
    using resources = new DisposableStack();
    const { signal } = resources.use(anySignal(request.signal, stopping));
    const method = forwardedMethod(request.method);
    const headers = new Headers(request.headers);
    headers.set(TENANT_HEADER, context.get("tenant")); // never a caller's own
    // built from the request to keep its path as sent: its URL would resolve `..`
    const answer = await runtime.binding.fetch(requestLike(request, { method, signal, headers }));
    const end = runEnd(answer);
    if (end !== undefined) {
      const untilEnd = resources.move();
      end.then(() => untilEnd.dispose());
    }
    return answer;
  });
  return asHandler((request) => app.fetch(request), options);
}
