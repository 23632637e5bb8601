/**
 * The door of a runtime that is served alone: whoever knows a token of it is a gateway, and says
 * on whose behalf it calls.
 *
 * @module
 */
import { Hono } from "hono";
import { EXECUTE_PATH, HEALTH_PATH } from "../client/protocol/paths.ts";
import { installRemoteRuns } from "../runtimes/remote/server.ts";
import { DEFAULT_TENANT, type LanguageRuntime, TENANT_HEADER } from "../wire/binding.ts";
import type { Clock } from "../wire/clock.ts";
import { installErrorMapping } from "../wire/error_mapping.ts";
import { describeCause, type Log } from "../wire/log.ts";
import { jsonResponse } from "../wire/responses.ts";
import { joined } from "./admitted_call.ts";
import { answering, type Handler } from "./app.ts";
import type { Authenticate } from "./authentication.ts";
import { forwardedMethod } from "./forwarded_method.ts";
import { healthOf, type StoreHealth } from "./health.ts";
import type { HostCheck } from "./host_check.ts";
import type { KillMeter } from "./kill_meter.ts";
import { requestLike } from "./node_request.ts";

/** What the door is made of. */
export interface RuntimeGatewayOptions {
  readonly runtime: LanguageRuntime;
  readonly authenticate: Authenticate;
  /** Gateways count places; kills are seen here only. */
  readonly kills: KillMeter;
  /** Absent where the service is meant to be reached under any name. */
  readonly hostCheck?: HostCheck;
  /** Fires when the requests in flight are to be given up. */
  readonly stopping: AbortSignal;
  /** How long a run waits for files; the service's own when absent. */
  readonly ticketMs?: number;
  /** Of whose health is told. */
  readonly store?: StoreHealth;
  readonly clock: Clock;
  readonly log: Log;
}

/** Makes the handler: the runtime's own routes, runs in contexts, and health. */
export function createRuntimeGateway(options: RuntimeGatewayOptions): Handler {
  const { runtime, stopping, kills, log } = options;
  const app = new Hono();
  installErrorMapping(app, {
    clock: options.clock,
    onUnexpected: (thrown) => log("error", "request failed", describeCause(thrown)),
  });
  app.use(async (context, next) => {
    options.hostCheck?.(context.req.raw);
    if (context.req.path !== HEALTH_PATH) options.authenticate(context.req.raw.headers);
    await next();
  });
  app.get(
    HEALTH_PATH,
    () => jsonResponse(healthOf([[runtime.listing.id, runtime]], options.store)),
  );
  if (runtime.listing.contexts) {
    installRemoteRuns(app, {
      binding: runtime.binding,
      admit: (tenant) => kills.check(tenant),
      stopping,
      clock: options.clock,
      newTicket: () => crypto.randomUUID(),
      ...(options.ticketMs === undefined ? {} : { ticketMs: options.ticketMs }),
    });
  }
  app.post(EXECUTE_PATH, async (context, next) => {
    kills.check(context.req.header(TENANT_HEADER) ?? DEFAULT_TENANT);
    await next();
  });
  app.all("*", async (context) => {
    const request = context.req.raw;
    using call = joined(request.signal, stopping);
    const method = forwardedMethod(request.method);
    // made of the request, whose path stays as it was sent: from its URL, `..` would be resolved
    return await runtime.binding.fetch(requestLike(request, { method, signal: call.signal }));
  });
  return answering((request) => app.fetch(request), options);
}
