/**
 * The app of all sandboxes: serves their routes (docs/contract.md#sandbox-routes).
 *
 * `sandbox/` owns what users work with: contexts, files, variables and the commits that keep them
 * consistent. It may import `store/`, `telemetry/` and `shared/`; it must not know how code runs: a
 * runtime is a `RuntimeBinding`.
 *
 * @module
 */
import { Hono } from "hono";
import { SANDBOX_ID_HEADER } from "../client/protocol/paths.ts";
import { answerWith, installErrorMapping } from "../shared/error_mapping.ts";
import { validationFailed } from "../shared/errors.ts";
import { describeCause } from "../shared/log.ts";
import { routingPath } from "../shared/request_path.ts";
import { honoPath } from "../shared/route.ts";
import { answerInSandbox } from "./context_routes.ts";
import type { OperationOptions } from "./operation_options.ts";
import { sandboxReaders } from "./requests.ts";
import type { RequestTarget, RouteOptions, SandboxEnv } from "./route.ts";
import { SANDBOX_ROUTES } from "./routes.ts";
import { asRequest } from "./store_waits.ts";

/** Answers requests to sandboxes. Its methods never reject. */
export interface SandboxApp {
  /** Answers a request of any route. */
  fetch(request: Request, addressed: RequestTarget): Promise<Response>;
  /** Answers a request for a run as one JSON object. Its path, method and signal are ignored. */
  run(request: Request, addressed: RequestTarget, signal: AbortSignal): Promise<Response>;
}

/** Creates the routes of all sandboxes. */
export function createSandboxApp(options: OperationOptions): SandboxApp {
  const app = new Hono<SandboxEnv>({ getPath: routingPath });
  const mapping = {
    clock: options.clock,
    onUnexpected: (thrown: unknown) =>
      options.log("error", "request failed", describeCause(thrown)),
  };
  installErrorMapping(app, mapping);
  const shared: RouteOptions = { options, read: sandboxReaders(options.limits), mapping };
  for (const route of SANDBOX_ROUTES) {
    app.on(route.method.toUpperCase(), honoPath(route), (context) => {
      // after unknown paths and methods, and before the work
      checkNamed(context.req.raw, context.env);
      return route.answer(context, shared);
    });
  }
  return {
    fetch: (request, addressed) =>
      asRequest(options, async () => await app.fetch(request, addressed)),
    run: (request, addressed, signal) =>
      answerWith(mapping, () =>
        asRequest(options, async () => {
          checkNamed(request, addressed);
          const body = { ...addressed.body, signal };
          return await answerInSandbox(request, { ...addressed, body }, shared, { signal });
        })),
  };
}

/** The header catches a request that reached the wrong sandbox. */
function checkNamed({ headers }: Request, { address }: RequestTarget): void {
  const named = headers.get(SANDBOX_ID_HEADER);
  if (named !== null && named !== address.id) {
    throw validationFailed(`${SANDBOX_ID_HEADER} names another sandbox than the one addressed`);
  }
}
