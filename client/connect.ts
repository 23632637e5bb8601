/**
 * An environment whose bindings call a service at a URL. The same code runs against it, against
 * bindings in the same process, and against a fake.
 *
 * @module
 */
import { bindingName, type Language, LANGUAGES } from "./protocol/types.ts";
import type { ServiceBinding } from "./bindings.ts";
import { withAddress } from "./connection_failure.ts";
import { validationFailed } from "./errors.ts";
import { listTools } from "./operator_tools.ts";
import type { AvailableTool } from "./protocol/calls.ts";
import type { RequestOptions } from "./request_options.ts";
import { createGatewayRoutes, type GatewayRoutes } from "./gateway_routes.ts";
import { remoteRuntime } from "./remote_runtime.ts";
import { remoteNamespace } from "./remote_sandbox.ts";
import type { SandboxDirectory } from "./sandbox_list.ts";

/** Options of {@link connect}. */
export interface ConnectOptions {
  /** Sent as `Authorization: Bearer` with each request. */
  readonly token?: string | undefined;
  /** Sends a request. By default the global `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/**
 * The runtimes of a service at a URL, by the languages' ids in capitals: `JAVASCRIPT` (TypeScript
 * too), `PYTHON`, `PERL`, `RUBY`, `SHELL`.
 */
export type RuntimeBindings = { readonly [L in Language as Uppercase<L>]: ServiceBinding };

/**
 * The bindings of a service at a URL.
 *
 * @example
 * ```ts ignore
 * import { connect } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000", { token: "secret" });
 * const names = (await env.tools()).map(({ name }) => name);
 * console.assert(names.length === 0); // a service without tools of its operator
 * ```
 */
export interface Connection extends RuntimeBindings {
  /** Its sandboxes, and the listing of those of the token's tenant. */
  readonly Sandbox: SandboxDirectory;
  /**
   * The tools that the service's operator gives the token's tenant. A run names them in
   * `operatorTools`.
   */
  tools(options?: RequestOptions): Promise<AvailableTool[]>;
}

/**
 * Creates bindings to a service at a URL. Sends nothing yet.
 *
 * @example
 * ```ts ignore
 * import { connect, runCode } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000", { token: "secret" });
 * const { results } = await runCode(env.PYTHON, "6 * 7");
 * console.assert(results[0]?.text === "42");
 * ```
 *
 * @throws {ValidationFailedError} when the URL or the token is not valid.
 */
export function connect(url: string | URL, options: ConnectOptions = {}): Connection {
  const { token } = options;
  const base = baseUrl(url);
  const routes = createGatewayRoutes({
    base,
    headers: token === undefined ? {} : { authorization: `Bearer ${checkedToken(token)}` },
    fetch: withAddress(base, options.fetch ?? ((request) => fetch(request))),
  });
  return {
    Sandbox: remoteNamespace(routes),
    tools: (options) => listTools(routes.endpoint, options),
    ...runtimes(routes),
  };
}

function runtimes(routes: GatewayRoutes): RuntimeBindings {
  const entries = LANGUAGES.map((id) => [bindingName(id), remoteRuntime(routes, id)]);
  return Object.fromEntries(entries);
}

/** The URL without query, fragment and trailing slash. */
function baseUrl(url: string | URL): string {
  const base = URL.canParse(url) ? new URL(url) : undefined;
  if (base?.protocol !== "http:" && base?.protocol !== "https:") {
    throw validationFailed("The URL of the service must begin with http:// or https://");
  }
  if (base.username !== "" || base.password !== "") {
    throw validationFailed("Pass the token as an option, not in the URL");
  }
  return base.origin + base.pathname.replace(/\/+$/, "");
}

/** Checked here, because the error for an invalid header would show the token. */
function checkedToken(token: string): string {
  if (typeof token === "string" && /^[\x21-\x7e]+$/.test(token)) return token;
  throw validationFailed("The token must be visible ASCII characters without spaces");
}
