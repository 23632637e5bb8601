/**
 * The gateway: from a path to the part of the service that answers it.
 *
 * `gateway/` owns paths, authentication, admission, the listing of languages and health. It
 * may know of `sandbox/`, `runtimes/` and `wire/`; it must not know how a language is run.
 *
 * A request passes, in this order: `Host` and `Origin` (403), token (401), route (404), method
 * (405), language of the path (400), admission (429, 503), and then the runtime, which reads
 * the body. A preflight needs no token, nor does `GET /healthz`.
 *
 * @module
 */
import { type Context, Hono } from "hono";
import type { LanguageRuntime } from "../wire/binding.ts";
import type { Clock } from "../wire/clock.ts";
import { installErrorMapping } from "../wire/error_mapping.ts";
import { validationFailed } from "../wire/errors.ts";
import { languageListing, LANGUAGES } from "../wire/languages.ts";
import type { LimitsByLanguage } from "../wire/limits.ts";
import { describeCause } from "../wire/log.ts";
import { EXECUTE_PATH, HEALTH_PATH, LANGUAGES_PATH } from "../wire/paths.ts";
import { jsonResponse } from "../wire/responses.ts";
import type { Language, LanguageListing } from "../wire/types.ts";
import type { Authenticate } from "./authentication.ts";
import { cors, isPreflight } from "./cors.ts";
import type { HostCheck } from "./host_check.ts";
import { languagePath } from "./language_path.ts";
import { type CallDeps, callExecute } from "./runtime_call.ts";

/** What the gateway is put together from. */
export interface GatewayOptions extends CallDeps {
  /** The enabled languages. */
  readonly runtimes: ReadonlyMap<Language, LanguageRuntime>;
  /** Shown for the languages that are not enabled. */
  readonly limits: LimitsByLanguage;
  readonly authenticate: Authenticate;
  /** Absent where the service is meant to be reached under any name. */
  readonly hostCheck?: HostCheck;
  readonly allowedOrigins: readonly string[];
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
  installAccess(app, options);
  installRoutes(app, options);
  return async (request) => await app.fetch(request);
}

function installAccess(app: Hono<GatewayEnv>, options: GatewayOptions): void {
  app.use(async (context, next) => {
    const request = context.req.raw;
    options.hostCheck?.(request);
    if (context.req.path !== HEALTH_PATH && !isPreflight(request)) {
      context.set("tenant", options.authenticate(request.headers));
    }
    await next();
  });
}

function installRoutes(app: Hono<GatewayEnv>, options: GatewayOptions): void {
  const execute = (context: Context<GatewayEnv>, language: Language) =>
    callExecute(
      enabledRuntime(language, options.runtimes),
      context.get("tenant"),
      context.req.raw,
      options,
    );
  app.post(EXECUTE_PATH, (context) => execute(context, "javascript"));
  app.post(
    `${EXECUTE_PATH}/:language`,
    languagePath,
    (context) => execute(context, context.req.valid("param").language),
  );

  const languages = LANGUAGES.map((language) => listingOf(language, options));
  app.get(LANGUAGES_PATH, () => jsonResponse({ languages }));
  app.get(HEALTH_PATH, () => jsonResponse(health(options.runtimes)));
}

/** The runtime of a language, if it is enabled. */
function enabledRuntime(
  language: Language,
  runtimes: ReadonlyMap<Language, LanguageRuntime>,
): LanguageRuntime {
  const runtime = runtimes.get(language);
  if (runtime === undefined) {
    throw validationFailed(`Language '${language}' is not enabled`);
  }
  return runtime;
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

/** Body of `GET /healthz`: `degraded` when the last start of an isolate failed in some language. */
function health(runtimes: ReadonlyMap<Language, LanguageRuntime>): unknown {
  const languages = [...runtimes].map(([id, runtime]) => ({
    id,
    ...runtime.health(),
  }));
  const failing = languages.some(({ state }) => state === "failing");
  return { status: failing ? "degraded" : "ok", languages };
}
