/**
 * Schemas of the bodies of requests, for the document. The schemas that read requests turn bodies
 * into other values on the way and say what is wrong in their own words; these describe the same
 * bodies as JSON. A test holds both against the same bodies.
 *
 * Lengths are limits in bytes of UTF-8. As a number of characters, which is what the document can
 * say, they are a bound that is never too narrow.
 *
 * @module
 */
import { z } from "zod";
import type { Language } from "../../client/protocol/types.ts";
import { LANGUAGE_INFO } from "../../wire/languages.ts";
import type { SandboxLimits, SharedLimits } from "../../wire/limits.ts";
import { NAME_PATTERN } from "../../wire/schemas.ts";

/** The limits that the schemas tell. */
export type RequestLimits =
  & Pick<SharedLimits, "codeBytes" | "requestBytes">
  & Pick<SandboxLimits, "envLayerBytes" | "fileRequestBytes">
  & {
    /** Most fuel of a run, by language. */
    readonly fuel: { readonly [L in Language]: number };
    /** Longest time of a run. */
    readonly wallMs: number;
  };

/** What requests depend on. */
export interface RequestOptions {
  readonly limits: RequestLimits;
  /** The enabled ones. */
  readonly languages: readonly Language[];
}

/** The schemas, by the names they have in the document. */
export interface RequestSchemas {
  readonly ExecuteRequest: z.ZodType;
  readonly ExecuteJavaScriptRequest: z.ZodType;
  readonly SandboxExecuteRequest: z.ZodType;
  readonly CreateContextRequest: z.ZodType;
  readonly EnvRequest: z.ZodType;
  readonly EnvVars: z.ZodType;
}

/** Makes the schemas. */
export function requestSchemas({ limits, languages }: RequestOptions): RequestSchemas {
  const envVars = envVarsSchema();
  return {
    ExecuteRequest: executeSchema(limits, envVars, languages),
    ExecuteJavaScriptRequest: executeSchema(limits, envVars, ["javascript"]),
    SandboxExecuteRequest: sandboxExecuteSchema(limits, envVars, languages),
    CreateContextRequest: createContextSchema(envVars),
    EnvRequest: z.object({ envVars })
      .describe("Variables of the sandbox to set, and with null to unset."),
    EnvVars: envVars,
  };
}

function codeSchema({ codeBytes }: RequestLimits): z.ZodType {
  return z.string().min(1).max(codeBytes)
    .describe(`The program. At most ${codeBytes} bytes of UTF-8.`);
}

function envVarsSchema(): z.ZodType {
  const withoutNul = z.string().meta({ pattern: "^[^\\u0000]*$" });
  return z.record(z.string().regex(NAME_PATTERN), withoutNul.nullable())
    .describe("Variables by name. A null unsets, or is skipped where nothing could be set.");
}

/** A language's own most can be lower: `GET /languages` has them all. */
function runLimitsSchema(limits: RequestLimits, languages: readonly Language[]): z.ZodType {
  const fuel = Math.max(...languages.map((language) => limits.fuel[language]));
  return z.strictObject({
    fuel: z.int().min(1).max(fuel).optional()
      .describe("Units of fuel at which the run is ended; at most the language's `limits.fuel`."),
    wallMs: z.int().min(1).max(limits.wallMs).optional().describe(
      "Milliseconds at which the run is ended, virtual sleeps included; at most `limits.wallMs`.",
    ),
  }).describe(
    "Limits of this run, lower than those of the service (`GET /languages`). What is absent is " +
      "the service's.",
  );
}

function executeSchema(
  limits: RequestLimits,
  envVars: z.ZodType,
  languages: readonly Language[],
): z.ZodType {
  const names = languages.flatMap((id) => [id, ...LANGUAGE_INFO[id].aliases]);
  return z.object({
    code: codeSchema(limits),
    envVars: envVars.optional(),
    limits: runLimitsSchema(limits, languages).optional(),
    language: z.enum(names).optional().describe(
      "Checked against the path, never used to choose: a name of the path's language, in any " +
        "case. `typescript` and `ts` have types stripped.",
    ),
    input: refused("Refused: data is passed in `envVars`."),
  }).describe("A program to run once.");
}

function sandboxExecuteSchema(
  limits: RequestLimits,
  envVars: z.ZodType,
  languages: readonly Language[],
): z.ZodType {
  return z.object({
    code: codeSchema(limits),
    contextId: z.string().optional()
      .describe("The context to run in. Without it, the default context of the path's language."),
    envVars: envVars.optional(),
    limits: runLimitsSchema(limits, languages).optional(),
    input: refused("Refused: data is passed in `envVars`."),
    cwd: refused("Refused: it belongs to the context."),
  }).describe("A program to run in a context. A `binding` is that of the path, whatever is sent.");
}

function createContextSchema(envVars: z.ZodType): z.ZodType {
  return z.object({
    cwd: z.string().min(1).optional()
      .describe("An existing directory; `/workspace` when absent."),
    envVars: envVars.optional(),
  }).describe("A context to create. A `binding` is that of the path, whatever is sent.");
}

/** A field that must not be there. */
function refused(description: string): z.ZodType {
  return z.never().optional().describe(description);
}
