/**
 * Sandboxes of a gateway: a sandbox is reached through a language's path, so the binding in each
 * request selects the path (docs/contract.md#gateway-routes).
 *
 * @module
 */
import type { ServiceBinding } from "./bindings.ts";
import {
  BINDINGS,
  bodyOf,
  firstEnabledLanguage,
  type GatewayRoutes,
  languageOfBinding,
  type RequestBody,
} from "./gateway_routes.ts";
import { isJsonObject } from "./json_shape.ts";
import { CONTEXTS_PATH, EXECUTE_PATH } from "./protocol/paths.ts";
import type { JsonValue } from "./protocol/types.ts";
import { listSandboxes, readUsage, type SandboxDirectory } from "./sandbox_list.ts";
import { checkSandboxId } from "./validation.ts";

/** The namespace of a gateway's sandboxes. Its ids are the names themselves. */
export function remoteNamespace(routes: GatewayRoutes): SandboxDirectory {
  return {
    bindings: BINDINGS,
    list: (options) => listSandboxes(routes.endpoint, options),
    usage: (options) => readUsage(routes.endpoint, options),
    idFromName: (name) => {
      checkSandboxId(name);
      return name;
    },
    get: (id) => remoteSandbox(routes, String(id)),
  };
}

function remoteSandbox(routes: GatewayRoutes, id: string): ServiceBinding {
  return {
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const body = await bodyOf(request);
      const named = namesBinding(request.method, pathname) ? bindingIn(body) : undefined;
      const language = named === undefined
        ? await firstEnabledLanguage(routes)
        : languageOfBinding(named);
      const rest = pathname === "/" ? "" : pathname;
      const path = `/languages/${language}/sandboxes/${encodeURIComponent(id)}${rest}${search}`;
      return await routes.forward(path, request, body);
    },
  };
}

/** Whether it is a route whose body may name a binding. */
function namesBinding(method: string, path: string): boolean {
  return method === "POST" && (path === EXECUTE_PATH || path === CONTEXTS_PATH);
}

/** The binding that a body names. The service refuses an unreadable body. */
function bindingIn(body: RequestBody | undefined): string | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
  const binding = isJsonObject(value) && Object.hasOwn(value, "binding") ? value["binding"] : null;
  return typeof binding === "string" ? binding : undefined;
}
