/**
 * `/jupyter`: Jupyter's kernel gateway (docs/jupyter.md). The gateway's own rules come first: host,
 * origin, token, body. Then the request is answered by `adapters/jupyter/`, which is loaded with the
 * first one.
 *
 * @module
 */
import type { Context, Hono } from "hono";
import type { JupyterPorts } from "../adapters/jupyter/ports.ts";
import type { JupyterServer } from "../adapters/jupyter/server.ts";
import type { Language } from "../client/protocol/types.ts";
import type { Sandboxes } from "../sandbox/sandboxes.ts";
import {
  forbidden,
  ServiceError,
  serviceStopping,
  tooManyWaiting,
  validationFailed,
} from "../shared/errors.ts";
import { JUPYTER_LIMITS } from "../shared/jupyter_limits.ts";
import { readPlainBytes } from "../shared/read_body.ts";
import { decodedSegment, sentPath } from "../shared/request_path.ts";
import { clientGone } from "../shared/responses.ts";
import { anySignal, type CallOptions } from "./admitted_call.ts";
import type { Authenticate } from "./authentication.ts";
import type { GatewayEnv } from "./gateway_env.ts";
import { inPlaces } from "./e2b_route.ts";
import type { InnerCalls } from "./inner_calls.ts";
import type { Upgrades } from "./upgrades.ts";

/** The path below which the protocol is served. */
const JUPYTER_PATH = "/jupyter";
const API_PATH = `${JUPYTER_PATH}/api`;
const CHANNELS = /^\/jupyter\/api\/kernels\/([^/]+)\/channels\/?$/;
/** The query's parameter with the token. */
const TOKEN = "token";
/** The subprotocol whose frames are binary. */
const SUBPROTOCOL = "v1.kernel.websocket.jupyter.org";

/** Dependencies of the routes. */
export interface JupyterOptions extends CallOptions {
  /** The enabled languages. */
  readonly languages: readonly Language[];
  readonly inner: InnerCalls;
  readonly sandboxes: Sandboxes;
  readonly authenticate: Authenticate;
  readonly allowedOrigins: readonly string[];
  readonly upgrades: Upgrades;
}

/** Whether a path belongs to the protocol. */
export function isJupyterPath(path: string): boolean {
  return path === JUPYTER_PATH || path.startsWith(`${JUPYTER_PATH}/`);
}

/**
 * The headers of a request, with its token as a bearer token: `Authorization: token …`, the password
 * of a URL, or on a WebSocket `?token=`.
 */
export function withJupyterToken(request: Request): Headers {
  const token = tokenIn(request);
  if (token === undefined) return request.headers;
  const named = new Headers(request.headers);
  named.set("authorization", `Bearer ${token}`);
  return named;
}

function tokenIn({ headers, url }: Request): string | undefined {
  const authorization = headers.get("authorization");
  if (authorization === null) {
    if (!isUpgrade(headers)) return undefined;
    const query = url.includes("?") ? url.slice(url.indexOf("?")) : "";
    return new URLSearchParams(query).get(TOKEN) ?? undefined;
  }
  const [, scheme = "", value = ""] = /^(token|basic) +([\x21-\x7e]+) *$/i.exec(authorization) ??
    [];
  if (scheme.toLowerCase() === "token") return value;
  return scheme === "" ? undefined : passwordIn(value);
}

function passwordIn(credentials: string): string | undefined {
  try {
    const text = atob(credentials);
    return text.slice(text.indexOf(":") + 1);
  } catch {
    return undefined;
  }
}

function isUpgrade(headers: Headers): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket";
}

/** Adds the routes. */
export function installJupyter(app: Hono<GatewayEnv>, options: JupyterOptions): void {
  let server: Promise<JupyterServer> | undefined;
  const load = async () => new (await import("../adapters/jupyter/server.ts")).JupyterServer();
  const used = () => server ??= load();
  app.all(`${API_PATH}/*`, async (context) => await answered(context, options, used));
  app.all(API_PATH, async (context) => await answered(context, options, used));
}

async function answered(
  context: Context<GatewayEnv>,
  options: JupyterOptions,
  used: () => Promise<JupyterServer>,
): Promise<Response> {
  const request = context.req.raw;
  const tenant = context.get("tenant");
  using account = options.bodies.open(tenant);
  using either = anySignal(request.signal, options.stopping);
  try {
    const rules = { maxBytes: JUPYTER_LIMITS.requestBytes, meter: account };
    const body = await readPlainBytes(request, { ...rules, signal: either.signal });
    const leave = await options.messages.enter(tenant, either.signal);
    try {
      const ports = portsOf(tenant, options);
      const path = sentPath(request);
      const kernelId = CHANNELS.exec(path)?.[1];
      if (kernelId !== undefined) {
        return await channels(decodedSegment(kernelId), request, { ports, options, used });
      }
      const { answerJupyter } = await import("../adapters/jupyter/rest.ts");
      const { method } = request;
      const call = { method, path: segmentsOf(path), body, signal: either.signal };
      return await answerJupyter(call, ports, await used());
    } finally {
      leave();
    }
  } catch (thrown) {
    if (options.stopping.aborted) throw serviceStopping();
    if (either.signal.aborted && !(thrown instanceof ServiceError)) return clientGone();
    throw thrown;
  }
}

/** The segments below the path of the API; an empty last one does not count. */
function segmentsOf(path: string): readonly string[] {
  const segments = path.slice(API_PATH.length).split("/").slice(1).map(decodedSegment);
  return segments.at(-1) === "" ? segments.slice(0, -1) : segments;
}

function portsOf(
  tenant: string,
  { languages, inner, sandboxes, calls, stopping }: JupyterOptions,
): JupyterPorts {
  return {
    tenant,
    languages,
    call: (call, signal) => inner(tenant, { ...call, existing: true }, signal),
    terms: inPlaces(sandboxes.forTenant(tenant).terms, () => calls.enter(tenant, stopping)),
  };
}

async function channels(
  kernelId: string,
  request: Request,
  { ports, options, used }: {
    readonly ports: JupyterPorts;
    readonly options: JupyterOptions;
    readonly used: () => Promise<JupyterServer>;
  },
): Promise<Response> {
  const { headers } = request;
  if (request.method !== "GET" || !isUpgrade(headers)) {
    throw validationFailed("The channels of a kernel are a WebSocket");
  }
  checkOrigin(headers, options.allowedOrigins);
  const { findKernel } = await import("../adapters/jupyter/kernels.ts");
  const kernel = await findKernel(kernelId, ports);
  if (kernel === undefined) {
    const { refused } = await import("../adapters/jupyter/errors.ts");
    return refused(404, "There is no kernel with this id");
  }
  const server = await used();
  if (!server.hasRoom(ports.tenant)) throw tooManyWaiting("RATE_LIMITED", "calls");
  const offered = (headers.get("sec-websocket-protocol") ?? "").split(",").map((name) =>
    name.trim()
  );
  const named = withJupyterToken(request);
  const isAllowed = () => {
    try {
      return options.authenticate(named) === ports.tenant;
    } catch (thrown) {
      if (thrown instanceof ServiceError) return false;
      throw thrown;
    }
  };
  return options.upgrades.allow(request, () => {
    const protocol = offered.includes(SUBPROTOCOL) ? { protocol: SUBPROTOCOL } : {};
    const { socket, response } = Deno.upgradeWebSocket(request, protocol);
    server.connect(socket, { kernel, ports, isAllowed, stopping: options.stopping });
    return response;
  });
}

/** A page of another site may not open a socket, which no CORS would prevent. */
function checkOrigin(headers: Headers, allowedOrigins: readonly string[]): void {
  const origin = headers.get("origin");
  if (origin === null || allowedOrigins.includes(origin)) return;
  const host = headers.get("host");
  if (origin === `http://${host}` || origin === `https://${host}`) return;
  throw forbidden("This Origin is not allowed");
}
