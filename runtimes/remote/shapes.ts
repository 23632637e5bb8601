/**
 * Schemas of the answers of a runtime on another machine. Only what they name is accepted.
 *
 * @module
 */
import { z } from "zod";
import { ERROR_STATUSES, type ErrorCode } from "../../client/protocol/error_codes.ts";
import type {
  Display,
  ErrorResponse,
  ExecutionResult,
  ResultEntry,
  Usage,
} from "../../client/protocol/types.ts";
import { isDisplay } from "../../wire/display.ts";
import { MAX_DISPLAYS } from "../../wire/limits.ts";
import { MAX_TIME_MS } from "../isolate/time_value.ts";

/** Maximum length of a runtime's names, references and messages. */
const MAX_TEXT_LENGTH = 4096;
/** Maximum length of a reference to a snapshot, which is stored in the sandbox's own record. */
const MAX_REFERENCE_LENGTH = 256;
/** Codes that a runtime must not give to the caller of a gateway. */
const OWN_CODES: readonly string[] = ["UNAUTHORIZED", "FORBIDDEN"];

const text = z.string().max(MAX_TEXT_LENGTH);
const reference = z.string().max(MAX_REFERENCE_LENGTH);
const count = z.number().int().nonnegative();
const milliseconds = z.number().nonnegative().max(MAX_TIME_MS);

/** A schema for each field, the optional ones included: a field without one would be lost. */
type Fields<T> = { readonly [K in keyof T]-?: z.ZodType };

const usageFields = {
  fuelConsumed: count,
  fuelLimit: count,
  memoryBytes: count,
} satisfies Fields<Usage>;

/** What every result has, except the entries of its value, displays and what only contexts have. */
const resultFields = {
  code: z.string(),
  language: text,
  engine: text,
  durationMs: milliseconds,
  logs: z.object({ stdout: z.array(z.string()), stderr: z.array(z.string()) }),
  error: z.object({
    name: z.string(),
    message: z.string(),
    traceback: z.array(z.string()),
    lineNumber: count.exactOptional(),
  }).exactOptional(),
  usage: z.object(usageFields).exactOptional(),
} satisfies Fields<Omit<ExecutionResult, "results" | "displays" | "executionCount" | "context">>;

const snapshotSchema = z.object({
  build: reference,
  pages: count,
  bytes: count,
  storedBytes: count,
  takenAt: milliseconds,
});

/** A path and the time of the file's last change. */
export const fileHeadSchema = z.tuple([z.string(), z.number().min(-MAX_TIME_MS).max(MAX_TIME_MS)]);

/** Result of a run in a context, except its value and its files. */
export const contextResultSchema = z.object({
  ...resultFields,
  timing: z.object({ queueMs: milliseconds, resetMs: milliseconds, runMs: milliseconds })
    .exactOptional(),
  executionCount: count,
  context: z.object({
    id: text,
    cwd: text,
    executions: count,
    snapshotMs: milliseconds.exactOptional(),
    snapshot: snapshotSchema.nullable(),
    rolledBack: z.literal(true).exactOptional(),
  }),
  snapshotRef: reference.nullable(),
});

/** Text, or JSON of any depth, which is not traversed. */
const entrySchema = z.custom<ResultEntry>((entry) =>
  typeof entry === "object" && entry !== null && Object.keys(entry).length === 1 &&
  ("json" in entry || ("text" in entry && typeof entry.text === "string"))
);

/** What a probe says of contexts. */
export const probeSchema = z.object({ contexts: z.boolean() });

/** Result of a stateless run. */
export const statelessResultSchema = z.strictObject({
  ...resultFields,
  results: z.array(entrySchema).max(1),
  displays: z.array(z.custom<Display>(isDisplay)).min(1).max(MAX_DISPLAYS).exactOptional(),
});

/** Body of an error answer: a code, and one of its statuses. */
export const errorBodySchema: z.ZodType<ErrorResponse> = z.object({
  code: text,
  message: text,
  context: z.record(z.string(), z.json()),
  httpStatus: z.number().int(),
  timestamp: z.iso.datetime(),
  operation: text.exactOptional(),
}).refine(({ code, httpStatus }) => statusesOf(code).includes(httpStatus));

function statusesOf(code: string): readonly number[] {
  if (OWN_CODES.includes(code) || !isErrorCode(code)) return [];
  return ERROR_STATUSES[code];
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUSES, code);
}
