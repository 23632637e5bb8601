/**
 * The routes by which the service reports about itself: languages, health, and a tenant's
 * sandboxes.
 *
 * @module
 */
import { z } from "zod";
import { HEALTH_PATH, LANGUAGES_PATH, SANDBOXES_PATH } from "../client/protocol/paths.ts";
import type { Language, LanguageListing } from "../client/protocol/types.ts";
import type { Sandboxes } from "../sandbox/sandboxes.ts";
import type { LanguageRuntime } from "../shared/binding.ts";
import { languageListing } from "../shared/language_listing.ts";
import { isBundled, LANGUAGES } from "../shared/languages.ts";
import { type LimitsByLanguage, LISTING_LIMITS } from "../shared/limits.ts";
import { queryOf } from "../shared/query.ts";
import { jsonResponse } from "../shared/responses.ts";
import type { Admission } from "./admission.ts";
import { healthOf, type StoreHealth } from "./health.ts";
import { type GatewayRoute, inCallPlace } from "./route.ts";

/** Dependencies of the routes. */
export interface ServiceRouteOptions {
  /** The enabled languages. */
  readonly runtimes: ReadonlyMap<Language, LanguageRuntime>;
  /** Contents of the listing for languages that are not enabled. */
  readonly limits: LimitsByLanguage;
  /** The store whose health is reported; absent where nothing is stored. */
  readonly store?: StoreHealth;
  /** The commit of the sources; absent when unknown. */
  readonly commit?: string;
}

/** Creates the routes of languages and of health. */
export function serviceRoutes(
  options: ServiceRouteOptions,
  calls: Admission,
): readonly GatewayRoute[] {
  return [
    {
      method: "get",
      path: LANGUAGES_PATH,
      id: "listLanguages",
      tag: "Service",
      summary: "List the languages",
      description: "The languages with their engines, capabilities and limits.",
      success: { description: "The languages.", schema: "LanguageList" },
      errors: ["common", "token", "call"],
      answer: inCallPlace(calls, () => {
        const languages = LANGUAGES.filter((language) => isListed(language, options))
          .map((language) => listingOf(language, options));
        return jsonResponse({ languages });
      }),
    },
    {
      method: "get",
      path: HEALTH_PATH,
      id: "health",
      tag: "Service",
      summary: "Show the health of the service",
      description: "For load balancers. Needs no token.",
      success: {
        description: "The service is up, though perhaps not in every language.",
        schema: "HealthReport",
      },
      errors: ["common"],
      open: true,
      answer: () => jsonResponse(healthOf(options.runtimes, options.store, options.commit)),
    },
  ];
}

/**
 * Creates the route that lists the sandboxes of the caller's tenant
 * (docs/contract.md#listing-of-sandboxes).
 */
export function listingRoute(sandboxes: Sandboxes, calls: Admission): GatewayRoute {
  const { pageSize, maxPageSize } = LISTING_LIMITS;
  return {
    method: "get",
    path: SANDBOXES_PATH,
    id: "listSandboxes",
    tag: "Sandbox",
    summary: "List the sandboxes",
    description:
      "The sandboxes of the token's tenant, sorted by id. A sandbox that exists while all " +
      "pages are read is on exactly one of them.",
    queryParameters: {
      limit: z.int().min(1).max(maxPageSize).default(pageSize)
        .describe("Maximum number of sandboxes on the page."),
      cursor: z.string().optional().describe("The `cursor` of the previous page."),
    },
    success: { description: "A page.", schema: "SandboxList" },
    errors: ["common", "token", "call", "page"],
    answer: inCallPlace(calls, async (context) => {
      // Hono decodes escapes that are not UTF-8 one by one, each at the cost of an error
      const sent = queryOf(context.req.url);
      const query = { limit: sent.getAll("limit"), cursor: sent.getAll("cursor") };
      return jsonResponse(await sandboxes.forTenant(context.get("tenant")).list(query));
    }),
  };
}

/** A language whose module is not there is not in the list. */
function isListed(language: Language, { runtimes }: ServiceRouteOptions): boolean {
  return isBundled(language) || runtimes.has(language);
}

function listingOf(language: Language, options: ServiceRouteOptions): LanguageListing {
  return options.runtimes.get(language)?.listing ?? languageListing(language, {
    enabled: false,
    contexts: false,
    limits: options.limits[language],
  });
}
