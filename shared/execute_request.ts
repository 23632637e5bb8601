/**
 * Reads the body of `POST /execute` on a runtime (docs/contract.md#runtime-routes).
 *
 * The order of the checks is fixed: first those of `read_body.ts`; then 400 for an `input` key, 400
 * for `language`, 400 for absent or empty code, 413 for code that is too long, 400 for `envVars`,
 * 400 for `limits`, 400 for `stdin` that is no string, 413 for `stdin` that is too long, 400 for
 * `seed`, `clock`, `repr`, `tools`, `interactive`, `durable` and `notify`. Other keys are ignored.
 *
 * @module
 */
import { z } from "zod";
import { quoted } from "../client/protocol/text.ts";
import type { ExecuteRequest, Language } from "../client/protocol/types.ts";
import { LANGUAGE_INFO, languageNamed } from "./languages.ts";
import { BODY_DEADLINE_MS, type LanguageLimits } from "./limits.ts";
import { parseJsonObject, readJsonBytes } from "./read_body.ts";
import { type MostRunLimits, runLimitsSchema } from "./run_limits.ts";
import { REPLAY_FIELDS, type ReplayFields, replayOf } from "./replay.ts";
import {
  codeSchema,
  ENV_LAYER_SCHEMA,
  type EnvLayer,
  parseBody,
  refusedSchema,
  REPR_SCHEMA,
  stdinSchema,
} from "./schemas.ts";
import { CALL_FIELDS, type CallFieldSchemas, callFieldsOf } from "./tool_schemas.ts";

/** The rules for requests to a runtime. */
export interface ExecuteRules {
  /** The runtime's own language; a `language` in the body must match it. */
  readonly language: Language;
  /** Maximum length of a program and of a body, and the maximum limits of a run. */
  readonly limits:
    & Pick<LanguageLimits, "codeBytes" | "requestBytes" | "stdinBytes">
    & MostRunLimits;
  /** Time for the body to arrive, in milliseconds. {@link BODY_DEADLINE_MS} when absent. */
  readonly deadlineMs?: number;
}

/** Reads and checks requests to run code. */
export interface ExecuteReader {
  /** Rejects with a `ServiceError` `VALIDATION_FAILED` of status 415, 413 or 400. */
  read(request: Request): Promise<ExecuteRequest>;
  /**
   * The same for a body that is already in memory.
   *
   * @throws {ServiceError} `VALIDATION_FAILED` with 400, or 413 for code or `stdin` that is too long.
   */
  parse(body: Uint8Array): ExecuteRequest;
}

/**
 * Creates the reader of a runtime. Create it once: creating a schema costs far more than using it.
 */
export function executeReader(rules: ExecuteRules): ExecuteReader {
  const body = {
    maxBytes: rules.limits.requestBytes,
    deadlineMs: rules.deadlineMs ?? BODY_DEADLINE_MS,
  };
  const schema = executeSchema([rules.language], rules.limits);
  const parse = (bytes: Uint8Array) => parseBody(schema, parseJsonObject(bytes));
  return { parse, read: async (request) => parse(await readJsonBytes(request, body)) };
}

/** The schemas of the fields of a body. */
export interface ExecuteFields extends ReplayFields, CallFieldSchemas {
  readonly input: z.ZodType<unknown, unknown>;
  /** Becomes true when it is a name of TypeScript. */
  readonly language: z.ZodType<boolean | undefined, unknown>;
  readonly code: z.ZodType<string, unknown>;
  readonly envVars: z.ZodType<EnvLayer | undefined, unknown>;
  readonly limits: z.ZodType<ExecuteRequest["limits"], unknown>;
  readonly stdin: z.ZodType<ExecuteRequest["stdin"], unknown>;
  readonly repr: z.ZodType<ExecuteRequest["repr"], unknown>;
}

/**
 * Makes the fields, in the order in which they are checked. A runtime reads with those of its own
 * language; the OpenAPI document shows those of several.
 */
export function executeFields(
  languages: readonly Language[],
  limits: Pick<LanguageLimits, "codeBytes" | "stdinBytes"> & MostRunLimits,
): ExecuteFields {
  return {
    input: refusedSchema(
      "input is not supported: pass data in envVars",
      "Refused: data is passed in `envVars`.",
    ),
    language: typescriptSchema(languages).optional(),
    code: codeSchema(limits.codeBytes),
    envVars: ENV_LAYER_SCHEMA.optional(),
    limits: runLimitsSchema(limits).optional(),
    stdin: stdinSchema(limits.stdinBytes).optional(),
    ...REPLAY_FIELDS,
    repr: REPR_SCHEMA.optional(),
    ...CALL_FIELDS,
  };
}

function executeSchema(
  languages: readonly Language[],
  limits: ExecuteRules["limits"],
): z.ZodType<ExecuteRequest, unknown> {
  return z.object({ ...executeFields(languages, limits) }).transform((
    {
      language: typescript = false,
      code,
      envVars = new Map(),
      limits: asked,
      stdin,
      repr,
      tools,
      interactive,
      durable,
      notify,
      ...replay
    },
  ) => ({
    code,
    envVars: withoutNulls(envVars),
    typescript,
    ...(asked === undefined ? {} : { limits: asked }),
    ...(stdin === undefined ? {} : { stdin }),
    ...replayOf(replay),
    ...(repr === undefined ? {} : { repr }),
    ...callFieldsOf({ tools, interactive, durable, notify }),
  }));
}

/** A name of one of the languages; parsed to true when it is a name of TypeScript. */
function typescriptSchema(languages: readonly Language[]): z.ZodType<boolean, unknown> {
  return z.string("language must be a string").transform((name, check) => {
    const named = languageNamed(name);
    if (named !== undefined && languages.includes(named.language)) return named.typescript;
    const runtime = languages.join(", ");
    const message = `Unsupported language ${quoted(name)} on this runtime (${runtime})`;
    check.issues.push({ code: "custom", message, input: name });
    return z.NEVER;
  }).meta({
    // In any case, which an `enum` cannot say: it has the names as they are listed.
    enum: languages.flatMap((id) => [id, ...LANGUAGE_INFO[id].aliases]),
    description: "Checked against the path, never used to choose: a name of the path's language, " +
      "in any case. `typescript` and `ts` have types stripped.",
  });
}

function withoutNulls(layer: EnvLayer): ReadonlyMap<string, string> {
  const set = new Map<string, string>();
  for (const [name, text] of layer) {
    if (text !== null) set.set(name, text);
  }
  return set;
}
