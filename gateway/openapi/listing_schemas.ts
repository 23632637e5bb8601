/**
 * Schemas of what the gateway reports about itself: its languages and its health.
 *
 * @module
 */
import { z } from "zod";
import type {
  InstalledPackage,
  Language,
  LanguageListing,
  PublishedLimits,
} from "../../client/protocol/types.ts";
import type { LanguageHealth } from "../../shared/binding.ts";
import { BUNDLED_LANGUAGES, LANGUAGES } from "../../shared/languages.ts";
import type { Readiness, ServicePart } from "../health.ts";
import { countSchema, type Fields, flagSchema, textSchema, textsSchema } from "./fields.ts";

/** Body of `GET /languages`. */
export interface LanguageList {
  readonly languages: readonly LanguageListing[];
}

/** One entry of `GET /healthz`. */
export interface LanguageState extends LanguageHealth {
  readonly id: Language;
}

/** Body of `GET /healthz`. */
export interface HealthReport {
  readonly status: "ok" | "degraded";
  readonly languages: readonly LanguageState[];
  readonly failing?: readonly ServicePart[];
  readonly version: string;
  readonly commit?: string;
}

/** The schemas, by the names they have in the document. */
export interface ListingSchemas {
  readonly LanguageList: z.ZodType<LanguageList>;
  readonly LanguageListing: z.ZodType<LanguageListing>;
  readonly PublishedLimits: z.ZodType<PublishedLimits>;
  readonly HealthReport: z.ZodType<HealthReport>;
  readonly Readiness: z.ZodType<Readiness>;
}

/** Creates the schemas. */
export function listingSchemas(): ListingSchemas {
  const limits = limitsSchema();
  const listing = listingSchema(limits);
  const list: z.ZodType<LanguageList> = z.strictObject(
    { languages: z.array(listing).min(BUNDLED_LANGUAGES.length) } satisfies Fields<LanguageList>,
  ).describe("The languages, always in the same order.");
  return {
    LanguageList: list,
    LanguageListing: listing,
    PublishedLimits: limits,
    HealthReport: healthSchema(),
    Readiness: z.strictObject({ status: z.literal("ready") } satisfies Fields<Readiness>)
      .describe("The service can work."),
  };
}

function languageSchema(description: string): z.ZodType<Language> {
  return z.enum(LANGUAGES).describe(description);
}

function listingSchema(limits: z.ZodType<PublishedLimits>): z.ZodType<LanguageListing> {
  return z.strictObject(
    {
      id: languageSchema("The name used in paths."),
      name: textSchema("The name for people."),
      package: textSchema("The npm package that carries the engine."),
      version: textSchema("Version of that package."),
      engine: textSchema("Name and version of the engine, as results show it."),
      enabled: flagSchema("Whether this service runs the language."),
      mode: z.literal("script").describe("A whole program is run at a time."),
      contexts: flagSchema("Whether the language can hold code contexts here."),
      capabilities: textsSchema("What the language can do here, for example `stateless`."),
      aliases: textsSchema("Further names accepted as `language` in a body, in any case."),
      limits,
      packages: z.array(packageSchema()).exactOptional()
        .describe("Packages that the operator installed; absent when there are none."),
    } satisfies Fields<LanguageListing>,
  ).describe("One language.");
}

function packageSchema(): z.ZodType<InstalledPackage> {
  return z.strictObject(
    {
      name: textSchema("The normalised name, such as `pydantic-core`."),
      version: textSchema("The version."),
    } satisfies Fields<InstalledPackage>,
  ).describe("A package beyond the standard library.");
}

function limitsSchema(): z.ZodType<PublishedLimits> {
  return z.strictObject(
    {
      codeBytes: countSchema("Length of a program, in bytes of UTF-8."),
      requestBytes: countSchema("Length of the body of a request to run code, in bytes."),
      fuel: countSchema("Maximum fuel of a run. A run can ask for less."),
      memoryBytes: countSchema("Maximum linear memory of the instance, in bytes."),
      outputBytes: countSchema("Output of a run, both streams together, in bytes of UTF-8."),
      outputLines: countSchema("Lines of output of a run, both streams together."),
      resultBytes: countSchema("Length of the value of a run, in bytes of UTF-8."),
      wallMs: countSchema(
        "Maximum time of a run in milliseconds, virtual sleeps included. A run can ask for less.",
      ),
    } satisfies Fields<PublishedLimits>,
  ).describe("The limits of a language, as configured.");
}

function healthSchema(): z.ZodType<HealthReport> {
  const state: z.ZodType<LanguageState> = z.strictObject(
    {
      id: languageSchema("The language."),
      state: z.enum(["starting", "ready", "failing"])
        .describe("`starting`: no isolate is ready yet. `failing`: the last start failed."),
      isolates: countSchema("Isolates alive now."),
      build: z.string().nullable().describe("Names the build of the engine, once it is known."),
    } satisfies Fields<LanguageState>,
  );
  return z.strictObject(
    {
      status: z.enum(["ok", "degraded"])
        .describe(
          "`degraded`: the last start of an isolate failed in some language, or the store does not answer.",
        ),
      languages: z.array(state).describe("The enabled languages."),
      failing: z.array(z.enum([...LANGUAGES, "store"])).exactOptional()
        .describe("The failing parts; absent when there are none."),
      version: textSchema("Version of the service."),
      commit: textSchema("Commit of its sources; absent when unknown.").exactOptional(),
    } satisfies Fields<HealthReport>,
  ).describe("The health of the service.");
}
