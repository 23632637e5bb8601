/**
 * The gateway: from a path to the part of the service that answers it.
 *
 * `gateway/` owns paths, authentication, admission, the listing of languages and health. It
 * may know of `sandbox/`, `runtimes/` and `wire/`; it must not know how a language is run.
 *
 * A request passes, in this order: `Host` and `Origin` (403), token (401), route (404), method
 * (405), language of the path (400), admission (429), its body (415, 413, 400), its turn (503),
 * and then the runtime. A preflight needs no token, nor does `GET /healthz`.
 *
 * @module
 */
import { type Context, Hono } from "hono";
import type { Sandboxes } from "../sandbox/sandboxes.ts";
import type { LanguageRuntime } from "../wire/binding.ts";
import type { Clock } from "../wire/clock.ts";
import { installErrorMapping } from "../wire/error_mapping.ts";
import { errorResponse, internalError } from "../wire/errors.ts";
import { languageListing, LANGUAGES } from "../wire/languages.ts";
import { BODY_BUDGET, type LimitsByLanguage } from "../wire/limits.ts";
import { describeCause, type Log } from "../wire/log.ts";
import { EXECUTE_PATH, HEALTH_PATH, LANGUAGES_PATH } from "../wire/paths.ts";
import { jsonResponse } from "../wire/responses.ts";
import type { Language, LanguageListing } from "../wire/types.ts";
import type { CallDeps } from "./admitted_call.ts";
import type { Authenticate } from "./authentication.ts";
import { BodyBudget } from "./body_budget.ts";
import { cors, isPreflight } from "./cors.ts";
import { answeringHead } from "./head.ts";
import { healthOf, type StoreHealth } from "./health.ts";
import type { HostCheck } from "./host_check.ts";
import { languagePath, ofEnabled } from "./language_path.ts";
import { installDescription } from "./openapi/routes.ts";
import { withSecurityHeaders } from "./response_headers.ts";
import { executeCall } from "./runtime_call.ts";
import { installSandboxPath } from "./sandbox_path.ts";
import { deliver } from "./slow_readers.ts";

/** What the gateway is put together from. */
export interface GatewayOptions extends Omit<CallDeps, "bodies"> {
  /** The enabled languages. */
  readonly runtimes: ReadonlyMap<Language, LanguageRuntime>;
  /** Absent where the service runs code without contexts only. */
  readonly sandboxes?: Sandboxes;
  /** Shown for the languages that are not enabled. */
  readonly limits: LimitsByLanguage;
  readonly authenticate: Authenticate;
  /** Absent where the service is meant to be reached under any name. */
  readonly hostCheck?: HostCheck;
  readonly allowedOrigins: readonly string[];
  /** One with the service's own numbers when absent. */
  readonly bodies?: BodyBudget;
  /** Of whose health is told; absent where nothing is kept. */
  readonly store?: StoreHealth;
  readonly clock: Clock;
}

/** Answers one request. Never rejects. */
export type Handler = (request: Request) => Promise<Response>;

interface GatewayEnv {
  readonly Variables: { tenant: string };
}

/** Makes the gateway. */
export function createGateway(options: GatewayOptions): Handler {
  const app = new Hono<GatewayEnv>();
  app.use(cors(options.allowedOrigins));
  installErrorMapping(app, {
    clock: options.clock,
    onUnexpected: (thrown) => options.log("error", "request failed", describeCause(thrown)),
  });
  const bodies = options.bodies ?? new BodyBudget(BODY_BUDGET);
  installAccess(app, options, bodies);
  installRoutes(app, options, { ...options, bodies });
  return answering((request) => app.fetch(request), options);
}

/**
 * Makes of an app a handler: with the headers of every answer, with `HEAD` wherever it has `GET`,
 * and with an answer even where the app's own error handling fails.
 */
export function answering(
  answer: (request: Request) => Response | Promise<Response>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Handler {
  return async (request) => {
    try {
      return withSecurityHeaders(await answeringHead(request, answer));
    } catch (thrown) {
      log("error", "request failed", describeCause(thrown));
      return withSecurityHeaders(errorResponse(internalError(), clock));
    }
  };
}

function installAccess(
  app: Hono<GatewayEnv>,
  options: GatewayOptions,
  bodies: BodyBudget,
): void {
  app.use(async (context, next) => {
    const request = context.req.raw;
    options.hostCheck?.(request);
    if (context.req.path !== HEALTH_PATH && !isPreflight(request)) {
      context.set("tenant", options.authenticate(request.headers));
    }
    await next();
    const { res } = context;
    const delivered = await deliver(res, { open: () => bodies.open(context.get("tenant")) });
    if (delivered !== res) context.res = delivered;
  });
}

function installRoutes(app: Hono<GatewayEnv>, options: GatewayOptions, deps: CallDeps): void {
  const calls = new Map(
    [...options.runtimes].map(([language, runtime]) => [language, executeCall(runtime, deps)]),
  );
  const execute = (context: Context<GatewayEnv>, language: Language) =>
    ofEnabled(language, calls)(context.get("tenant"), context.req.raw);
  app.post(EXECUTE_PATH, (context) => execute(context, "javascript"));
  app.post(
    `${EXECUTE_PATH}/:language`,
    languagePath,
    (context) => execute(context, context.req.valid("param").language),
  );

  const languages = LANGUAGES.map((language) => listingOf(language, options));
  app.get(LANGUAGES_PATH, () => jsonResponse({ languages }));
  app.get(HEALTH_PATH, () => jsonResponse(healthOf(options.runtimes, options.store)));
  const { sandboxes } = options;
  if (sandboxes !== undefined) installSandboxPath(app, { ...options, ...deps, sandboxes });
  installDescription(app, { ...options, sandboxes: options.sandboxes !== undefined });
}

function listingOf(
  language: Language,
  options: GatewayOptions,
): LanguageListing {
  return options.runtimes.get(language)?.listing ?? languageListing(language, {
    enabled: false,
    contexts: false,
    limits: options.limits[language],
  });
}
