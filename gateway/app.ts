/**
 * The gateway: routes each path to the part of the service that answers it.
 *
 * `gateway/` owns paths, authentication, admission, the listing of languages and health. It may
 * import `adapters/`, `sandbox/`, `runtimes/`, `telemetry/` and `shared/`; it
 * must not know how a language runs.
 *
 * A request passes, in this order: `Host` and `Origin` (403), token (401), route (404), method
 * (405), language of the path (400), admission (429), its body (415, 413, 400), its turn (503),
 * and then the runtime. A preflight needs no token, nor do `GET /healthz`, `GET /readyz`,
 * the files of clients and the page.
 *
 * @module
 */
import { Hono } from "hono";
import { IDEMPOTENCY_REPLAYED_HEADER } from "../client/protocol/paths.ts";
import type { Language } from "../client/protocol/types.ts";
import type { CreateServer } from "../adapters/mcp/handler.ts";
import type { Sandboxes } from "../sandbox/sandboxes.ts";
import type { LanguageRuntime } from "../shared/binding.ts";
import type { Clock } from "../shared/clock.ts";
import { type ErrorMappingOptions, installErrorMapping } from "../shared/error_mapping.ts";
import {
  errorResponse,
  internalError,
  type ServiceError,
  validationFailed,
} from "../shared/errors.ts";
import {
  ADMISSION_LIMITS,
  BODY_BUDGET,
  type LimitsByLanguage,
  PATH_SLASHES,
  URL_LENGTH,
} from "../shared/limits.ts";
import { describeCause, type Log } from "../shared/log.ts";
import type { OperatorTools } from "../shared/operator_tools.ts";
import type { RouteDescription } from "../shared/route.ts";
import { routingPath, sentPath } from "../shared/request_path.ts";
import { memoryOf } from "../shared/responses.ts";
import { type RecordUsage, RunAccount, withRunAccount } from "../shared/run_account.ts";
import { accessLog } from "./access_log.ts";
import { type Admission, callPlaces, messagePlaces } from "./admission.ts";
import { type CallOptions, runTable } from "./admitted_call.ts";
import { type Authenticate, deciderOf, isOfApprovers, isOpen } from "./authentication.ts";
import { BodyBudget } from "./body_budget.ts";
import { type BuiltFiles, CLIENT_PATHS, clientFileRoutes } from "./client_files/routes.ts";
import { cors, installSandboxRoute, isPreflight, withSecurityHeaders } from "./response_headers.ts";
import type { GatewayEnv } from "./gateway_env.ts";
import { answeringHead } from "./forwarded_request.ts";
import { Upgrades } from "./upgrades.ts";
import type { StoreHealth } from "./health.ts";
import type { HostCheck } from "./host_check.ts";
import { innerCalls } from "./inner_calls.ts";
import { installE2b, installE2bErrors, isE2bPath, withE2bToken } from "./e2b_route.ts";
import { installJupyter, isJupyterPath, withJupyterToken } from "./jupyter_route.ts";
import { mcpRoute } from "./mcp_route.ts";
import { descriptionRoutes } from "./openapi/routes.ts";
import { pageAnswer, type PageOptions } from "./page_route.ts";
import { type GatewayRoute, installRoutes } from "./route.ts";
import { installSandboxPath, sandboxDescriptions } from "./sandbox_path.ts";
import { OPEN_PATHS, readyRoute } from "./ready_route.ts";
import { Tenants } from "../shared/tenants.ts";
import { runRoutes } from "./run_routes.ts";
import { waitingRunRoutes } from "./waiting_run_routes.ts";
import { toolRoutes } from "./tool_routes.ts";
import { listingRoute, serviceRoutes } from "./service_routes.ts";
import { ADMIN_PATHS, type Usage, usageRoutes } from "./usage_routes.ts";
import { deliver } from "./slow_readers.ts";

/** The parts of a gateway. */
export interface GatewayOptions
  extends Omit<CallOptions, "bodies" | "calls" | "messages" | "runs" | "tenants"> {
  /** The operator's tools, where there are no sandboxes, which know them. */
  readonly tools?: OperatorTools;
  /** Limits of single tenants. None have own ones when absent. */
  readonly tenants?: Tenants;
  /** The enabled languages. */
  readonly runtimes: ReadonlyMap<Language, LanguageRuntime>;
  /** Absent where the service has no contexts. */
  readonly sandboxes?: Sandboxes;
  /** Whether to serve `/mcp`. Not served when absent. */
  readonly mcp?: boolean;
  /** Creates the server for messages of `/mcp`. The service's own tools when absent. */
  readonly mcpServer?: CreateServer;
  /** Whether to serve `/e2b`, where there are sandboxes. Not served when absent. */
  readonly e2b?: boolean;
  /** Whether to serve `/jupyter`, where there are sandboxes. Not served when absent. */
  readonly jupyter?: boolean;
  /** Loads the files of the page. Not served when absent. */
  readonly page?: PageOptions["files"];
  /** Web origins that may show the page in a frame. None when absent. */
  readonly embedOrigins?: PageOptions["embedOrigins"];
  /** Loads the files that the builder has made, with the client. Not served when absent. */
  readonly builtFiles?: BuiltFiles;
  /** Contents of the listing for languages that are not enabled. */
  readonly limits: LimitsByLanguage;
  readonly authenticate: Authenticate;
  /** Absent where clients may reach the service under any name. */
  readonly hostCheck?: HostCheck;
  readonly allowedOrigins: readonly string[];
  /** The service's default limits when absent. */
  readonly bodies?: BodyBudget;
  /** The store whose health is reported; absent where nothing is stored. */
  readonly store?: StoreHealth;
  /** The commit of the sources; absent when unknown. */
  readonly commit?: string;
  /** The service's default limits when absent. */
  readonly calls?: Admission;
  /** The service's default limits when absent. */
  readonly messages?: Admission;
  /** Whether each request is logged. Not when absent. */
  readonly accessLog?: boolean;
  /** Whether a token is an admin's. Throws `UNAUTHORIZED`. Nobody is one when absent. */
  readonly isAdmin?: (headers: Headers) => boolean;
  /** The tenant of a token that may only approve. Throws `UNAUTHORIZED`. There are none when absent. */
  readonly approver?: (headers: Headers) => string | undefined;
  /** Reads the use of the service. Not served when absent. */
  readonly usage?: Usage;
  /** Adds an answered run to the usage of its tenant. */
  readonly recordUsage?: RecordUsage;
  readonly clock: Clock;
}

/** The calls of admins take places as those of one tenant, whose name no tenant has. */
const ADMIN_TENANT = "(admin)";

/** The paths that need no token, besides those of the page. */
const NEED_NO_TOKEN: ReadonlySet<string> = new Set([...OPEN_PATHS, ...CLIENT_PATHS]);

function ignore(): void {}

/** Answers one request. Never rejects. */
export type Handler = (request: Request) => Promise<Response>;

/** Creates the gateway. */
export function createGateway(options: GatewayOptions): Handler {
  const app = new Hono<GatewayEnv>({ getPath: routingPath });
  let described: readonly RouteDescription[] = [];
  if (options.accessLog === true) {
    app.use(accessLog({ log: options.log, routes: () => described }));
  }
  if (options.allowedOrigins.length > 0) app.use(cors(options.allowedOrigins));
  if (options.sandboxes !== undefined) installSandboxRoute(app);
  installErrorMapping(app, mappingOf(options));
  if (options.e2b === true) installE2bErrors(app);
  const bodies = options.bodies ?? new BodyBudget(BODY_BUDGET);
  installAccess(app, options, bodies);
  const calls = options.calls ?? callPlaces(ADMISSION_LIMITS);
  const messages = options.messages ?? messagePlaces(ADMISSION_LIMITS);
  const waiting = options.sandboxes?.runs ?? runTable({ ...options, bodies }, options.clock);
  const { tenants = new Tenants() } = options;
  const deps = { ...options, bodies, calls, messages, tenants, runs: waiting };
  const upgrades = new Upgrades();
  described = installAll(app, options, { ...deps, upgrades });
  const answer = asHandler((request) => app.fetch(request, {}), options);
  return async (request) => upgrades.answerOf(request, await answer(request));
}

function mappingOf({ clock, log }: GatewayOptions): ErrorMappingOptions {
  return {
    clock,
    onUnexpected: (thrown) => log("error", "request failed", describeCause(thrown)),
  };
}

/**
 * Turns an app into a handler. It adds the headers of every answer, answers `HEAD` wherever there
 * is `GET`, and answers even where the app's own error handling fails.
 */
export function asHandler(
  answer: (request: Request) => Response | Promise<Response>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Handler {
  return async (request) => {
    try {
      const fault = urlFault(request);
      if (fault !== undefined) return withSecurityHeaders(errorResponse(fault, clock));
      return withSecurityHeaders(await answeringHead(request, answer));
    } catch (thrown) {
      log("error", "request failed", describeCause(thrown));
      return withSecurityHeaders(errorResponse(internalError(), clock));
    }
  };
}

/** The error for a URL that would take long to be decoded, or to find its route. */
function urlFault(request: Request): ServiceError | undefined {
  if (request.url.length > URL_LENGTH) {
    return validationFailed(`The URL is longer than ${URL_LENGTH} characters`);
  }
  if (sentPath(request).split("/", PATH_SLASHES + 2).length > PATH_SLASHES + 1) {
    return validationFailed(`The path of the URL has more than ${PATH_SLASHES} slashes`);
  }
  return undefined;
}

function installAccess(
  app: Hono<GatewayEnv>,
  options: GatewayOptions,
  bodies: BodyBudget,
): void {
  const { page: files, embedOrigins = [], log } = options;
  const needsToken = !isOpen(options.authenticate);
  const page = files === undefined
    ? undefined
    : pageAnswer({ files, needsToken, embedOrigins, bodies, log });
  app.use(async (context, next) => {
    const { tenant } = context.env;
    if (tenant !== undefined) {
      context.set("tenant", tenant);
      context.set("decider", "mcp");
      return await next();
    }
    const request = context.req.raw;
    options.hostCheck?.(request);
    const asked = page?.(request);
    const shown = asked && await asked;
    if (shown !== undefined) return shown;
    if (!NEED_NO_TOKEN.has(context.req.path) && !isPreflight(request)) {
      const isE2b = options.e2b === true && isE2bPath(context.req.path);
      const isJupyter = options.jupyter === true && isJupyterPath(context.req.path);
      const headers = isE2b
        ? withE2bToken(request.headers)
        : isJupyter
        ? withJupyterToken(request)
        : request.headers;
      const isAdmin = ADMIN_PATHS.has(context.req.path) && options.isAdmin?.(headers) === true;
      context.set("isAdmin", isAdmin);
      const approver = isOfApprovers(request.method, context.req.path)
        ? options.approver?.(headers)
        : undefined;
      context.set("decider", approver === undefined ? deciderOf(headers) : "approver");
      context.set("tenant", isAdmin ? ADMIN_TENANT : approver ?? options.authenticate(headers));
    }
    const account = new RunAccount(context.get("tenant"), options.recordUsage ?? ignore);
    context.set("account", account);
    await withRunAccount(account, next);
    const { res } = context;
    if (memoryOf(res) === undefined) return undefined;
    const open = () => bodies.open(context.get("tenant"));
    // a stored answer can be requested again
    const isRepeat = res.headers.has(IDEMPOTENCY_REPLAYED_HEADER);
    const owed = context.get("isRun") === true && !isRepeat;
    const delivered = await deliver(res, { open, owed }).catch((thrown) => {
      context.res = undefined; // the error must not get the headers of the refused answer
      throw thrown;
    });
    if (delivered !== res) context.res = delivered;
    return undefined;
  });
}

/** Adds all routes, and gives their descriptions. */
function installAll(
  app: Hono<GatewayEnv>,
  options: GatewayOptions,
  deps: CallOptions & { readonly upgrades: Upgrades },
): readonly RouteDescription[] {
  const { sandboxes, runtimes, mcp = false, mcpServer } = options;
  const languages = [...runtimes.keys()];
  const runs = runRoutes(runtimes, options.limits, deps);
  const waitingRuns = [...waitingRunRoutes(deps), ...toolRoutes(deps)];
  installRoutes(app, [...runs, ...waitingRuns]);
  if (sandboxes !== undefined) installSandboxPath(app, { ...options, ...deps, sandboxes });
  const packages = new Map(
    [...runtimes].map(([language, { listing }]) => [language, listing.packages ?? []]),
  );
  const adapter = { ...deps, languages, packages, inner: innerCalls(app) };
  if (options.e2b === true && sandboxes !== undefined) {
    installE2b(app, { ...adapter, sandboxes, limits: options.limits.python });
  }
  if (options.jupyter === true && sandboxes !== undefined) {
    const { authenticate, allowedOrigins } = options;
    installJupyter(app, { ...adapter, sandboxes, authenticate, allowedOrigins });
  }
  const messages = mcp ? [mcpRoute({ ...adapter, createServer: mcpServer })] : [];
  const service: readonly GatewayRoute[] = [
    ...serviceRoutes(options, deps.calls),
    readyRoute(options),
    ...(options.usage === undefined
      ? []
      : usageRoutes({ ...options, usage: options.usage }, deps.calls)),
    ...descriptionRoutes(options, deps.calls, () => described),
    ...clientFileRoutes(deps.bodies, options.builtFiles),
    ...(sandboxes === undefined ? [] : [listingRoute(sandboxes, deps.calls)]),
  ];
  installRoutes(app, [...service, ...messages]);
  const ofSandboxes = sandboxes === undefined ? [] : sandboxDescriptions(languages);
  const described = [...runs, ...waitingRuns, ...service, ...ofSandboxes, ...messages];
  return described;
}
