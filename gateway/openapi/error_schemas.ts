/**
 * Schemas of errors: one for each code of the table in `client/protocol/error_codes.ts`, so that
 * a code without a schema does not compile (docs/contract.md#error-codes).
 *
 * @module
 */
import { z } from "zod";
import { ERROR_STATUSES, type ErrorCode } from "../../client/protocol/error_codes.ts";
import type { ErrorResponse, JsonValue } from "../../client/protocol/types.ts";
import { countSchema, type Fields, textSchema, timestampSchema } from "./fields.ts";

/** A schema for each code. */
export type ErrorSchemas = { readonly [C in ErrorCode]: z.ZodType<ErrorResponse> };

/** The subject of an error. */
type ContextSchema = z.ZodType<ErrorResponse["context"]>;

/** Creates the schemas. */
export function errorSchemas(): ErrorSchemas {
  const nothing: ContextSchema = z.strictObject({});
  const contextId = textSchema("The context.");
  const ofContext: ContextSchema = z.strictObject({ contextId });
  const limit = textSchema("The limit that is exceeded.");
  const overload: ContextSchema = z.strictObject({
    limit,
    retryAfterMs: countSchema("When to try again, in milliseconds."),
  });
  const run = textSchema("Id of the run.");
  const ofCall: ContextSchema = z.strictObject({ key: textSchema("The key of the answer.") });
  const file = fileContextSchema();
  const build = textSchema("A build of an engine.");
  return {
    VALIDATION_FAILED: errorSchema("VALIDATION_FAILED", nothing),
    UNAUTHORIZED: errorSchema("UNAUTHORIZED", nothing),
    FORBIDDEN: errorSchema("FORBIDDEN", nothing),
    CONTEXT_NOT_FOUND: errorSchema("CONTEXT_NOT_FOUND", ofContext),
    CHECKPOINT_NOT_FOUND: errorSchema(
      "CHECKPOINT_NOT_FOUND",
      z.strictObject({ checkpointId: textSchema("Id of the checkpoint.") }),
    ),
    RUN_NOT_FOUND: errorSchema("RUN_NOT_FOUND", z.strictObject({ run })),
    CALL_NOT_FOUND: errorSchema("CALL_NOT_FOUND", ofCall),
    CALL_ANSWERED: errorSchema("CALL_ANSWERED", ofCall),
    RUN_WAITING: errorSchema(
      "RUN_WAITING",
      z.strictObject({ run, calls: CALLS }),
    ),
    FILE_NOT_FOUND: fileErrorSchema("FILE_NOT_FOUND", file),
    FILE_EXISTS: fileErrorSchema("FILE_EXISTS", file),
    PERMISSION_DENIED: fileErrorSchema("PERMISSION_DENIED", file),
    IS_DIRECTORY: fileErrorSchema("IS_DIRECTORY", file),
    NOT_DIRECTORY: fileErrorSchema("NOT_DIRECTORY", file),
    FILE_TOO_LARGE: fileErrorSchema("FILE_TOO_LARGE", file),
    NO_SPACE: noSpaceSchema(file, z.strictObject({ limit })),
    FILESYSTEM_ERROR: fileErrorSchema("FILESYSTEM_ERROR", file),
    SNAPSHOT_INCOMPATIBLE: errorSchema(
      "SNAPSHOT_INCOMPATIBLE",
      z.strictObject({ contextId, stored: build, present: build }),
    ),
    SNAPSHOT_CORRUPT: errorSchema("SNAPSHOT_CORRUPT", ofContext),
    CONFLICT: errorSchema("CONFLICT", z.union([ofContext, nothing])),
    PRECONDITION_FAILED: preconditionSchema(
      z.strictObject({
        contextId: z.exactOptional(contextId),
        executions: countSchema("How many runs the context has had."),
      }),
    ),
    RATE_LIMITED: errorSchema("RATE_LIMITED", overload),
    OVERLOADED: errorSchema("OVERLOADED", overload),
    INTERNAL_ERROR: errorSchema("INTERNAL_ERROR", nothing),
  };
}

/** Like `waiting.calls` of a result, for which this is a loose schema. */
const CALLS: z.ZodType<JsonValue> = z.array(z.record(z.string(), z.any()))
  .describe("Its calls without an answer, as in `waiting.calls` of a result.");

/** Name of a code's schema in the document: `FILE_NOT_FOUND` → `FileNotFoundError`. */
export function errorSchemaName(code: ErrorCode): string {
  const words = code.split("_").filter((word) => word !== "ERROR");
  return `${words.map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`).join("")}Error`;
}

function commonFields(code: ErrorCode, context: ContextSchema) {
  return {
    code: z.literal(code),
    message: textSchema("What is wrong, for people."),
    context,
    httpStatus: z.literal([...ERROR_STATUSES[code]]).describe("The HTTP status of the answer."),
    timestamp: timestampSchema("When the error happened."),
  } satisfies Fields<Omit<ErrorResponse, "operation">>;
}

function errorSchema(code: ErrorCode, context: ContextSchema): z.ZodType<ErrorResponse> {
  return z.strictObject(commonFields(code, context));
}

function fileErrorSchema(code: ErrorCode, context: ContextSchema): z.ZodType<ErrorResponse> {
  return z.strictObject({ ...commonFields(code, context), operation: operationSchema() });
}

/** Either the workspace is full, or a quota of the tenant. */
function noSpaceSchema(file: ContextSchema, quota: ContextSchema): z.ZodType<ErrorResponse> {
  return z.strictObject({
    ...commonFields("NO_SPACE", z.union([file, quota])),
    operation: z.exactOptional(operationSchema()),
  });
}

function operationSchema(): z.ZodType<string> {
  return textSchema("What failed, for example `file.read`.");
}

/** Either a condition on a file, or one on the runs of a context. */
function preconditionSchema(runs: ContextSchema): z.ZodType<ErrorResponse> {
  return z.strictObject({
    ...commonFields("PRECONDITION_FAILED", z.union([z.strictObject(fileFields()), runs])),
    operation: z.exactOptional(operationSchema()),
  });
}

function fileFields() {
  return {
    path: textSchema("The path as it was sent."),
    operation: textSchema("The operation on it."),
  };
}

function fileContextSchema(): ContextSchema {
  return z.strictObject({
    ...fileFields(),
    errno: z.string().regex(/^E[A-Z0-9]+$/).describe("The error number as Linux names it."),
    maxSize: z.exactOptional(countSchema("Maximum number of bytes or entries.")),
    actualSize: z.exactOptional(countSchema("Resulting number of bytes or entries.")),
  });
}
