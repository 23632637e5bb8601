/**
 * Reads the body of `POST /execute` on a runtime (docs/contract.md#runtime-routes).
 *
 * The order of the checks is fixed: first those of `read_body.ts`; then 400 for an `input` key, 400
 * for `language`, 400 for absent or empty code, 413 for code that is too long, 400 for `envVars`,
 * 400 for `limits`. Other keys are ignored.
 *
 * @module
 */
import { z } from "zod";
import { quoted } from "../client/protocol/text.ts";
import type { ExecuteRequest, Language } from "../client/protocol/types.ts";
import { languageNamed } from "./languages.ts";
import { BODY_DEADLINE_MS, type LanguageLimits } from "./limits.ts";
import { parseJsonObject, readJsonBytes } from "./read_body.ts";
import { type MostRunLimits, runLimitsSchema } from "./run_limits.ts";
import { codeSchema, type EnvLayer, envLayerSchema, parseBody, refusedSchema } from "./schemas.ts";

/** What a runtime accepts. */
export interface ExecuteRules {
  /** The runtime's own language; a `language` in the body must match it. */
  readonly language: Language;
  /** Maximum length of a program and of a body, and the maximum limits of a run. */
  readonly limits: Pick<LanguageLimits, "codeBytes" | "requestBytes"> & MostRunLimits;
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
   * @throws {ServiceError} `VALIDATION_FAILED` with 400, or 413 for code that is too long.
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
  const schema = executeSchema(rules.language, rules.limits);
  const parse = (bytes: Uint8Array) => parseBody(schema, parseJsonObject(bytes));
  return { parse, read: async (request) => parse(await readJsonBytes(request, body)) };
}

/** The order of the fields is the order of the checks. */
function executeSchema(
  language: Language,
  limits: ExecuteRules["limits"],
): z.ZodType<ExecuteRequest, unknown> {
  return z.object({
    input: refusedSchema("input is not supported: pass data in envVars"),
    language: typescriptSchema(language).optional(),
    code: codeSchema(limits.codeBytes),
    envVars: envLayerSchema().optional(),
    limits: runLimitsSchema(limits).optional(),
  }).transform((
    { language: typescript = false, code, envVars = new Map(), limits: asked },
  ) => ({
    code,
    envVars: withoutNulls(envVars),
    typescript,
    ...(asked === undefined ? {} : { limits: asked }),
  }));
}

/** A name of the runtime's language; parsed to true when it is a name of TypeScript. */
function typescriptSchema(runtime: Language): z.ZodType<boolean, unknown> {
  return z.string("language must be a string").transform((name, check) => {
    const named = languageNamed(name);
    if (named?.language === runtime) return named.typescript;
    const message = `Unsupported language ${quoted(name)} on this runtime (${runtime})`;
    check.issues.push({ code: "custom", message, input: name });
    return z.NEVER;
  });
}

function withoutNulls(layer: EnvLayer): ReadonlyMap<string, string> {
  const set = new Map<string, string>();
  for (const [name, text] of layer) {
    if (text !== null) set.set(name, text);
  }
  return set;
}
