/**
 * A runtime binding to one language of a gateway (docs/contract.md#service-bindings).
 *
 * @module
 */
import type { ServiceBinding } from "./bindings.ts";
import { bodyOf, type GatewayRoutes } from "./gateway_routes.ts";
import { EXECUTE_PATH, INTERPRETER_PATH, RUNS_PATH } from "./protocol/paths.ts";
import type { ErrorResponse, InterpreterProbe, Language } from "./protocol/types.ts";

/**
 * The runtime of a language. A gateway has no route for the probe of a runtime, so the probe is
 * answered from the gateway's list of languages. Unknown paths get a 404.
 */
export function remoteRuntime(routes: GatewayRoutes, language: Language): ServiceBinding {
  return {
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      if (pathname === EXECUTE_PATH) {
        return await routes.forward(`${EXECUTE_PATH}/${language}`, request, await bodyOf(request));
      }
      if (pathname.startsWith(`${RUNS_PATH}/`)) {
        return await routes.forward(pathname + search, request, await bodyOf(request));
      }
      const probe = pathname === INTERPRETER_PATH && request.method === "GET";
      return probe ? await probeOf(routes, language) : noSuchRoute();
    },
  };
}

async function probeOf(routes: GatewayRoutes, language: Language): Promise<Response> {
  const entry = (await routes.languages()).find(({ id, enabled }) => id === language && enabled);
  if (entry === undefined) return noSuchRoute();
  const { engine, contexts } = entry;
  const probe: InterpreterProbe = { language, engine, contexts, protocol: 1 };
  return Response.json(probe);
}

function noSuchRoute(): Response {
  const error: ErrorResponse = {
    code: "VALIDATION_FAILED",
    message: "No such route",
    context: {},
    httpStatus: 404,
    timestamp: new Date().toISOString(),
  };
  return Response.json(error, { status: 404 });
}
