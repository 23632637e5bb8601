/**
 * The routes by which the gateway describes itself: the OpenAPI document and its HTML page. Both
 * are created, and their modules loaded, on the first request.
 *
 * @module
 */
import { z } from "zod";
import type { Language } from "../../client/protocol/types.ts";
import { byLanguage, LANGUAGES } from "../../shared/languages.ts";
import { sandboxLimits } from "../../shared/limit_rules.ts";
import type { LimitsByLanguage } from "../../shared/limits.ts";
import { jsonTextResponse } from "../../shared/responses.ts";
import type { RouteDescription } from "../../shared/route.ts";
import type { Admission } from "../admission.ts";
import { type Authenticate, isOpen } from "../authentication.ts";
import { type GatewayRoute, inCallPlace } from "../route.ts";
import type { OpenApiDocument } from "./document.ts";
import { DOCS_PATH, OPENAPI_PATH } from "./paths.ts";
import type { RequestLimits } from "./request_schemas.ts";

/** Options of a description. */
export interface DescriptionOptions {
  /** The enabled languages. */
  readonly runtimes: ReadonlyMap<Language, unknown>;
  readonly limits: LimitsByLanguage;
  readonly authenticate: Authenticate;
  /** Whether the page is served, where operations can be tried. */
  readonly page?: unknown;
}

/** Creates the routes. `routes` returns all routes to describe, these included. */
export function descriptionRoutes(
  options: DescriptionOptions,
  calls: Admission,
  routes: () => readonly RouteDescription[],
): readonly GatewayRoute[] {
  let document: Promise<OpenApiDocument> | undefined;
  let text: Promise<string> | undefined;
  let page: Promise<EncodedPage> | undefined;
  const describe = () => document ??= describedBy(options, routes());
  const common = {
    method: "get",
    tag: "Service",
    errors: ["common", "token", "call"],
  } as const;
  return [
    {
      ...common,
      path: OPENAPI_PATH,
      id: "openApi",
      summary: "This document",
      description: "OpenAPI 3.1.",
      success: {
        description: "The document.",
        schema: z.looseObject({ openapi: z.string().regex(/^3\.1\.\d+$/) }),
      },
      answer: inCallPlace(
        calls,
        async () => jsonTextResponse(await (text ??= describe().then(JSON.stringify))),
      ),
    },
    {
      ...common,
      path: DOCS_PATH,
      id: "docs",
      summary: "This document as a page",
      description: "It uses no scripts and loads nothing from elsewhere.",
      success: {
        description: "The page.",
        mediaType: "text/html",
        schema: z.string(),
        headers: { "Content-Security-Policy": "ContentSecurityPolicy" },
      },
      answer: inCallPlace(calls, async () => {
        const trial = options.page !== undefined;
        return pageResponse(await (page ??= describe().then((made) => pageOf(made, trial))));
      }),
    },
  ];
}

async function describedBy(
  options: DescriptionOptions,
  routes: readonly RouteDescription[],
): Promise<OpenApiDocument> {
  const { gatewayDocument } = await import("./document.ts");
  return gatewayDocument({
    routes,
    limits: requestLimits(options.limits),
    languages: LANGUAGES.filter((language) => options.runtimes.has(language)),
    open: isOpen(options.authenticate),
  });
}

/** The page in UTF-8, encoded once: it is large. */
interface EncodedPage {
  /** Its Content-Security-Policy. */
  readonly policy: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

async function pageOf(document: OpenApiDocument, trial: boolean): Promise<EncodedPage> {
  const { docsPage } = await import("../docs/page.ts");
  const { body, policy } = await docsPage(document, { trial });
  return { bytes: new TextEncoder().encode(body), policy };
}

/**
 * Languages share their limits of requests. If one had a higher limit, the document would show
 * that.
 */
function requestLimits(limits: LimitsByLanguage): RequestLimits {
  const largest = (name: "codeBytes" | "requestBytes" | "stdinBytes" | "wallMs") =>
    Math.max(...LANGUAGES.map((language) => limits[language][name]));
  const { envLayerBytes, fileRequestBytes, workspace } = sandboxLimits(limits.javascript);
  return {
    codeBytes: largest("codeBytes"),
    requestBytes: largest("requestBytes"),
    stdinBytes: largest("stdinBytes"),
    envLayerBytes,
    fileRequestBytes,
    workspace,
    fuel: byLanguage((language) => limits[language].fuel),
    wallMs: largest("wallMs"),
  };
}

function pageResponse({ bytes, policy }: EncodedPage): Response {
  return new Response(bytes, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  });
}
