/**
 * The entrance of a runtime that is served alone. A caller with a valid token is a gateway and
 * names the tenant for which it calls.
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
import { runEnd } from "../wire/streamed_run.ts";
import { joined } from "./admitted_call.ts";
import { answering, type Handler } from "./app.ts";
import type { Authenticate } from "./authentication.ts";
import { forwardedMethod } from "./forwarded_method.ts";
import { healthOf, type StoreHealth } from "./health.ts";
import type { HostCheck } from "./host_check.ts";
import type { KillMeter } from "./kill_meter.ts";
import { requestLike } from "./request_url.ts";

/** What the entrance consists of. */
export interface RuntimeGatewayOptions {
  readonly runtime: LanguageRuntime;
  readonly authenticate: Authenticate;
  /** Gateways count places; only this process sees kills. */
  readonly kills: KillMeter;
  /** Absent where clients may reach the service under any name. */
  readonly hostCheck?: HostCheck;
  /** Fires when the requests in flight must be aborted. */
  readonly stopping: AbortSignal;
  /** How long a run waits for files. The service's default when absent. */
  readonly ticketMs?: number;
  /** The store whose health is reported. */
  readonly store?: StoreHealth;
  readonly clock: Clock;
  readonly log: Log;
}

/** Creates the handler for the runtime's own routes, runs in contexts, and health. */
export function createRuntimeGateway(options: RuntimeGatewayOptions): Handler {
  const { runtime, stopping, kills, log } = options;
  const app = new Hono();
  const onUnexpected = (thrown: unknown) => log("error", "request failed", describeCause(thrown));
  installErrorMapping(app, { clock: options.clock, onUnexpected });
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
      onUnexpected,
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
    using resources = new DisposableStack();
    const { signal } = resources.use(joined(request.signal, stopping));
    const method = forwardedMethod(request.method);
    // built from the request to keep its path as sent: its URL would resolve `..`
    const answer = await runtime.binding.fetch(requestLike(request, { method, signal }));
    const end = runEnd(answer);
    if (end !== undefined) {
      const untilEnd = resources.move();
      end.then(() => untilEnd.dispose());
    }
    return answer;
  });
  return answering((request) => app.fetch(request), options);
}
