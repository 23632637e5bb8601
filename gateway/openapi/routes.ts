/**
 * The routes by which the gateway describes itself: the OpenAPI document and its HTML page. Both
 * are created, and their modules loaded, on the first request.
 *
 * @module
 */
import type { Env, Hono, MiddlewareHandler } from "hono";
import type { Language } from "../../client/protocol/types.ts";
import { ServiceError } from "../../shared/errors.ts";
import { byLanguage, LANGUAGES } from "../../shared/languages.ts";
import { type LimitsByLanguage, SANDBOX_LIMITS } from "../../shared/limits.ts";
import { jsonTextResponse } from "../../shared/responses.ts";
import type { Authenticate } from "../authentication.ts";
import type { DocsPage } from "../docs/page.ts";
import type { OpenApiDocument } from "./document.ts";
import { DOCS_PATH, OPENAPI_PATH } from "./paths.ts";
import type { RequestLimits } from "./request_schemas.ts";

/** What a description depends on. */
export interface DescriptionOptions<E extends Env> {
  /** The enabled languages. */
  readonly runtimes: ReadonlyMap<Language, unknown>;
  readonly limits: LimitsByLanguage;
  readonly authenticate: Authenticate;
  /** Whether sandboxes are served. */
  readonly sandboxes: boolean;
  /** Whether `/mcp` is served. */
  readonly mcp: boolean;
  /** Whether the page is served, where operations can be tried. */
  readonly page: boolean;
  /** Admission of calls. */
  readonly place: MiddlewareHandler<E>;
}

/** Adds the routes. */
export function installDescription<E extends Env>(
  app: Hono<E>,
  options: DescriptionOptions<E>,
): void {
  let document: Promise<OpenApiDocument> | undefined;
  let text: Promise<string> | undefined;
  let page: Promise<DocsPage> | undefined;
  const describe = () => document ??= describedBy(options);
  app.get(
    OPENAPI_PATH,
    options.place,
    async () => jsonTextResponse(await (text ??= describe().then(JSON.stringify))),
  );
  app.get(
    DOCS_PATH,
    options.place,
    async () =>
      pageResponse(await (page ??= describe().then((document) => pageOf(document, options.page)))),
  );
}

async function describedBy(
  options: Omit<DescriptionOptions<Env>, "place" | "page">,
): Promise<OpenApiDocument> {
  const { gatewayDocument } = await import("./document.ts");
  return gatewayDocument({
    limits: requestLimits(options.limits),
    languages: LANGUAGES.filter((language) => options.runtimes.has(language)),
    sandboxes: options.sandboxes,
    mcp: options.mcp,
    open: isOpen(options.authenticate),
  });
}

async function pageOf(document: OpenApiDocument, trial: boolean): Promise<DocsPage> {
  const { docsPage } = await import("../docs/page.ts");
  return await docsPage(document, { trial });
}

/**
 * Languages share their limits of requests. If one had a higher limit, the document would show
 * that.
 */
function requestLimits(limits: LimitsByLanguage): RequestLimits {
  const largest = (name: "codeBytes" | "requestBytes" | "wallMs") =>
    Math.max(...LANGUAGES.map((language) => limits[language][name]));
  const { envLayerBytes, fileRequestBytes, workspace } = SANDBOX_LIMITS;
  return {
    codeBytes: largest("codeBytes"),
    requestBytes: largest("requestBytes"),
    envLayerBytes,
    fileRequestBytes,
    workspace,
    fuel: byLanguage((language) => limits[language].fuel),
    wallMs: largest("wallMs"),
  };
}

/** Whether requests without a token are accepted. */
function isOpen(authenticate: Authenticate): boolean {
  try {
    authenticate(new Headers());
    return true;
  } catch (thrown) {
    if (thrown instanceof ServiceError) return false;
    throw thrown;
  }
}

function pageResponse({ body, policy }: DocsPage): Response {
  return new Response(body, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  });
}
