/**
 * Schemas of the bodies of requests: the fields with which the bodies are read, put together for
 * the document.
 *
 * Lengths are limits in bytes of UTF-8. As a number of characters, which is what the document can
 * say, they are a bound that is never too narrow.
 *
 * @module
 */
import { z } from "zod";
import type { Language } from "../../client/protocol/types.ts";
import {
  checkpointFields,
  contextFields,
  envFields,
  executeFields as sandboxFields,
  forkedCheckpoint,
} from "../../sandbox/requests.ts";
import { SANDBOX_NAME } from "../../sandbox/sandbox_name.ts";
import { executeFields } from "../../shared/execute_request.ts";
import type { SandboxLimits, SharedLimits } from "../../shared/limits.ts";
import { NOTEBOOK_LIMITS } from "../../shared/notebook_limits.ts";
import { codeSchema, ENV_LAYER_SCHEMA } from "../../shared/schemas.ts";

/** The limits that the schemas state. */
export type RequestLimits =
  & Pick<SharedLimits, "codeBytes" | "requestBytes" | "stdinBytes">
  & Pick<SandboxLimits, "envLayerBytes" | "fileRequestBytes" | "workspace">
  & {
    /** Maximum fuel of a run, by language. */
    readonly fuel: { readonly [L in Language]: number };
    /** Maximum time of a run in milliseconds. */
    readonly wallMs: number;
  };

/** The configuration that the schemas depend on. */
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
  readonly NotebookRequest: z.ZodType;
  readonly InspectRequest: z.ZodType;
  readonly ForkContextRequest: z.ZodType;
  readonly ForkSandboxRequest: z.ZodType;
  readonly CheckpointRequest: z.ZodType;
  readonly EnvRequest: z.ZodType;
  readonly EnvVars: z.ZodType;
}

/** Makes the schemas. */
export function requestSchemas({ limits, languages }: RequestOptions): RequestSchemas {
  return {
    ExecuteRequest: executeSchema(limits, languages),
    ExecuteJavaScriptRequest: executeSchema(limits, ["javascript"]),
    SandboxExecuteRequest: sandboxExecuteSchema(limits, languages),
    CreateContextRequest: z.object({ ...contextFields(limits) })
      .describe("A context to create. A `binding` is that of the path, whatever is sent."),
    InspectRequest: z.object({ code: codeSchema(limits.codeBytes) })
      .describe("A program up to the end of a name."),
    NotebookRequest: z.looseObject({
      nbformat: z.literal(4),
      cells: z.array(z.looseObject({
        cell_type: z.enum(["code", "markdown", "raw"]),
        source: z.union([z.string(), z.array(z.string())]),
      })).max(NOTEBOOK_LIMITS.cells),
    }).describe("A notebook of Jupyter, in the language of the path."),
    ForkContextRequest: z.object({}).describe("Nothing is asked for."),
    ForkSandboxRequest: z.object({
      to: z.string().max(SANDBOX_NAME.maxLength).regex(SANDBOX_NAME.pattern)
        .describe("Name of the new sandbox."),
      checkpoint: forkedCheckpoint(),
    }).describe("The sandbox to make."),
    CheckpointRequest: z.object({ ...checkpointFields() }).describe("A checkpoint to make."),
    EnvRequest: z.object({ ...envFields(limits) })
      .describe("Variables of the sandbox to set, and with null to unset."),
    EnvVars: ENV_LAYER_SCHEMA,
  };
}

/** Refused fields come last, for those who read the document. */
function executeSchema(limits: RequestLimits, languages: readonly Language[]): z.ZodType {
  const { input, language, ...fields } = executeFields(languages, mostOf(limits, languages));
  return z.object({ ...fields, language, input }).describe("A program to run once.");
}

function sandboxExecuteSchema(limits: RequestLimits, languages: readonly Language[]): z.ZodType {
  const { input, cwd, code, contextId, ...fields } = sandboxFields(
    limits,
    mostOf(limits, languages),
  );
  return z.object({ code, contextId, ...fields, input, cwd })
    .describe("A program to run in a context. A `binding` is that of the path, whatever is sent.");
}

/** The highest maximum of all languages. `GET /languages` lists the maximum of each. */
function mostOf(
  { codeBytes, stdinBytes, fuel, wallMs }: RequestLimits,
  languages: readonly Language[],
) {
  return {
    codeBytes,
    stdinBytes,
    fuel: Math.max(...languages.map((language) => fuel[language])),
    wallMs,
  };
}
