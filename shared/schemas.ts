/**
 * The zod schemas of the parts of request bodies. Each is annotated with the type that it produces:
 * the interfaces of `types.ts` are the contract, and the schemas are checked against them.
 *
 * {@link parseBody} answers with the first issue in the order of the schema's fields. An issue with
 * `TOO_LARGE` is answered with 413, any other with 400.
 *
 * @module
 */
import { z } from "zod";
import { quoted, utf8Length } from "../client/protocol/text.ts";
import { validationFailed } from "./errors.ts";
import type { JsonObject } from "./read_body.ts";

/** Variables of one scope by name; null unsets the name in that scope. */
export type EnvLayer = ReadonlyMap<string, string | null>;

/** Names of variables and of bindings (docs/contract.md#runtime-routes). */
export const NAME_PATTERN: RegExp = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `params` of an issue that is answered with 413. */
const TOO_LARGE = { status: 413 } as const;

/**
 * Checks a body against a schema.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` for the first issue, with 400 or 413.
 */
export function parseBody<T>(
  schema: z.ZodType<T, unknown>,
  body: JsonObject,
): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const tooLarge = issue?.code === "custom" &&
    issue.params?.["status"] === TOO_LARGE.status;
  const message = issue?.message ?? "The request is not valid";
  throw validationFailed(message, tooLarge ? TOO_LARGE.status : 400);
}

/** The value of a text that is JSON and fits a schema; undefined for any other text. */
export function parseText<T>(schema: z.ZodType<T, unknown>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

/** A field that must be absent. */
export function refusedSchema(
  message: string,
  description: string,
): z.ZodType<unknown, unknown> {
  return z.never(message).optional().describe(description);
}

/** Program text: not empty, and at most `maxBytes` long (413). */
export function codeSchema(maxBytes: number): z.ZodType<string, unknown> {
  const text = z.string("code must be a string").min(1, "code must not be empty");
  return bounded(text, { field: "code", maxBytes, description: "The program." });
}

/** Standard input of a run: at most `maxBytes` long (413). */
export function stdinSchema(maxBytes: number): z.ZodType<string, unknown> {
  return bounded(z.string("stdin must be a string"), {
    field: "stdin",
    maxBytes,
    description: "What the program reads from standard input, which is empty without it.",
  });
}

/** Whether a result's entry has `repr`. */
export const REPR_SCHEMA: z.ZodType<boolean, unknown> = z.boolean("repr must be true or false")
  .describe("Adds `repr` to the entry of the result: the value's own form in its language.");

function bounded(
  text: z.ZodString,
  { field, maxBytes, description }: {
    readonly field: string;
    readonly maxBytes: number;
    readonly description: string;
  },
): z.ZodType<string, unknown> {
  return text.refine((value) => utf8Length(value) <= maxBytes, {
    error: `${field} is larger than ${maxBytes} bytes`,
    params: TOO_LARGE,
  }).meta({
    // No text of so many bytes has more characters.
    maxLength: maxBytes,
    description: `${description} At most ${maxBytes} bytes of UTF-8.`,
  });
}

/**
 * Variables of one scope: an object whose keys are names and whose values are strings without
 * NUL, or null. It becomes a map, in which `__proto__` is a name like any other.
 */
export const ENV_LAYER_SCHEMA: z.ZodType<EnvLayer, unknown> = z.unknown().transform(
  (value, check) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return refuse(check, "envVars must be an object");
    }
    const layer = new Map<string, string | null>();
    for (const [name, text] of Object.entries(value)) {
      const problem = envProblem(name, text);
      if (problem !== undefined) return refuse(check, problem);
      layer.set(name, text);
    }
    return layer;
  },
).meta({
  type: "object",
  propertyNames: { type: "string", pattern: NAME_PATTERN.source },
  additionalProperties: { anyOf: [{ type: "string", pattern: "^[^\\u0000]*$" }, { type: "null" }] },
  description: "Variables by name. A null unsets, or is skipped where nothing could be set.",
});

function refuse(check: z.RefinementCtx, message: string): never {
  check.issues.push({ code: "custom", message, input: check.value });
  return z.NEVER;
}

function envProblem(name: string, text: unknown): string | undefined {
  if (!NAME_PATTERN.test(name)) {
    return `Invalid environment variable name ${quoted(name)}`;
  }
  if (text === null) return undefined;
  if (typeof text !== "string") {
    return `The value of environment variable ${quoted(name)} must be a string`;
  }
  return text.includes("\0")
    ? `The value of environment variable ${quoted(name)} must not contain NUL`
    : undefined;
}
