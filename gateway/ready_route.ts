/**
 * Readiness: whether the service can work. Unlike health it is an error when the store does not
 * answer, so a load balancer sends requests elsewhere until it does. A service listens only once
 * its engines are built.
 *
 * @module
 */
import { HEALTH_PATH, READY_PATH } from "../client/protocol/paths.ts";
import type { Clock } from "../shared/clock.ts";
import { jsonResponse } from "../shared/responses.ts";
import { StoreUnavailable } from "../shared/store_errors.ts";
import type { Readiness, StoreHealth } from "./health.ts";
import type { GatewayRoute } from "./route.ts";

/** The paths that need no token. */
export const OPEN_PATHS: ReadonlySet<string> = new Set([HEALTH_PATH, READY_PATH]);

/** One read of the store serves all callers for that long, in milliseconds. */
const VALID_MS = 1_000;

/** Creates the route. */
export function readyRoute(
  { store, clock }: { readonly store?: StoreHealth; readonly clock: Clock },
): GatewayRoute {
  return {
    method: "get",
    path: READY_PATH,
    id: "readiness",
    tag: "Service",
    summary: "Show whether the service can work",
    description: "For load balancers: 503 while the store does not answer. Needs no token.",
    success: { description: "The store answers.", schema: "Readiness" },
    errors: ["common", "store"],
    open: true,
    answer: readiness(store, clock),
  };
}

/** The work of the route: reads from the store. */
export function readiness(store: StoreHealth | undefined, clock: Clock): () => Promise<Response> {
  let last: { readonly at: number; readonly answer: Promise<void> } | undefined;
  return async () => {
    if (last === undefined || clock() - last.at >= VALID_MS) {
      const answer = store?.probe?.() ?? Promise.resolve();
      last = { at: clock(), answer };
      answer.catch(() => undefined);
    }
    await last.answer;
    if (store?.state === "failing") throw new StoreUnavailable(false);
    const body: Readiness = { status: "ready" };
    return jsonResponse(body);
  };
}
