/**
 * Schemas of the answer to a run (docs/contract.md#executionresult).
 *
 * @module
 */
import { z } from "zod";
import type {
  Display,
  ExecutionContext,
  ExecutionError,
  ExecutionResult,
  JsonValue,
  Logs,
  ResultEntry,
  Usage,
} from "../../client/protocol/types.ts";
import { MAX_DISPLAYS } from "../../shared/limits.ts";
import {
  countSchema,
  durationSchema,
  epochSchema,
  type Fields,
  textSchema,
  textsSchema,
} from "./fields.ts";
import { type WaitingSchemas, waitingSchemas } from "./run_schemas.ts";

/** The schemas, by the names they have in the document. */
export interface ResultSchemas extends WaitingSchemas {
  readonly ExecutionResult: z.ZodType<ExecutionResult>;
  readonly Logs: z.ZodType<Logs>;
  readonly ResultEntry: z.ZodType<ResultEntry>;
  readonly JsonValue: z.ZodType<JsonValue>;
  readonly Display: z.ZodType<Display>;
  readonly ExecutionError: z.ZodType<ExecutionError>;
  readonly Usage: z.ZodType<Usage>;
  readonly ExecutionContext: z.ZodType<ExecutionContext>;
}

/** Creates the schemas. */
export function resultSchemas(): ResultSchemas {
  const logs = logsSchema();
  const json: z.ZodType<JsonValue> = z.any().describe("Any JSON value.");
  const entry = entrySchema(json);
  const display = displaySchema(json);
  const error = errorSchema();
  const usage = usageSchema();
  const context = contextSchema();
  const { Waiting, PendingCall } = waitingSchemas(json);
  const result: z.ZodType<ExecutionResult> = z.strictObject(
    {
      code: textSchema("The submitted program."),
      language: textSchema("The runtime's own language."),
      engine: textSchema("The runtime's engine: name and version."),
      durationMs: durationSchema("Elapsed engine time in milliseconds; not a measure for billing."),
      logs,
      results: z.array(entry).max(1)
        .describe("The value of the last expression, if it has one. Empty when `error` is set."),
      displays: z.exactOptional(
        z.array(display).min(1).max(MAX_DISPLAYS)
          .describe("The displays of the run, in order. Absent if there are none."),
      ),
      error: z.exactOptional(error),
      exitCode: z.exactOptional(
        z.int().min(0).max(255).describe("The exit code of the shell. Absent with `error`."),
      ),
      unterminated: z.exactOptional(
        z.array(z.enum(["stdout", "stderr"])).min(1).max(2)
          .describe("The shell's streams whose last line has no newline."),
      ),
      executionCount: z.exactOptional(
        countSchema("Runs of the context so far. Present only when a context ran."),
      ),
      usage: z.exactOptional(usage),
      context: z.exactOptional(context),
      waiting: z.exactOptional(Waiting),
    } satisfies Fields<ExecutionResult>,
  ).describe("The answer to a run, also when the program failed or hit a limit.");
  return {
    ExecutionResult: result,
    Logs: logs,
    ResultEntry: entry,
    JsonValue: json,
    Display: display,
    ExecutionError: error,
    Usage: usage,
    ExecutionContext: context,
    Waiting,
    PendingCall,
  };
}

function logsSchema(): z.ZodType<Logs> {
  return z.strictObject(
    {
      stdout: textsSchema("Lines of standard output, without their newlines."),
      stderr: textsSchema("Lines of standard error, without their newlines."),
    } satisfies Fields<Logs>,
  ).describe("Output of the run.");
}

/** Exactly one of the two fields is present. */
function entrySchema(json: z.ZodType<JsonValue>): z.ZodType<ResultEntry> {
  const fields = {
    text: textSchema("The language's native representation."),
    json,
    repr: z.exactOptional(
      textSchema(
        "The value's own form in its language, at most 64 KiB of UTF-8, cut with `…`. Only with " +
          "`repr: true` in the request.",
      ),
    ),
  } satisfies Fields<ResultEntry>;
  const { text, repr } = fields;
  return z.union([z.strictObject({ text, repr }), z.strictObject({ json, repr })])
    .describe("A value: a container as JSON, anything else as text.");
}

function displaySchema(json: z.ZodType<JsonValue>): z.ZodType<Display> {
  return z.strictObject(
    {
      data: z.record(z.string(), json).describe(
        "One value in several media types: text as a string, bytes as base64, structured types as JSON.",
      ),
      metadata: z.exactOptional(
        z.record(z.string(), json).describe("The program's metadata about the display."),
      ),
      main: z.exactOptional(
        z.literal(true).describe("The display is the value of the last expression."),
      ),
    } satisfies Fields<Display>,
  ).describe(
    "A rich form of a value. The program wrote it: render HTML and SVG in a sandboxed frame only.",
  );
}

function errorSchema(): z.ZodType<ExecutionError> {
  return z.strictObject(
    {
      name: textSchema("The class of the exception; `ExecutionLimitError` for a limit."),
      message: textSchema("The message of the exception; for a limit, its name and value."),
      traceback: textsSchema("The language's own stack trace, one entry per line."),
      lineNumber: z.exactOptional(
        z.int().positive().describe("Line in the submitted code, counted from 1."),
      ),
    } satisfies Fields<ExecutionError>,
  ).describe("Why the program failed. Present only when it did.");
}

function usageSchema(): z.ZodType<Usage> {
  return z.strictObject(
    {
      fuelConsumed: countSchema("Units counted inside the WebAssembly."),
      fuelLimit: countSchema("The fuel limit of this run."),
      memoryBytes: countSchema("Linear memory of the instance at the end of the run, in bytes."),
    } satisfies Fields<Usage>,
  ).describe("The cost of the run. Absent if the engine failed before it could be metered.");
}

function contextSchema(): z.ZodType<ExecutionContext> {
  return z.strictObject(
    {
      id: textSchema("Id of the context."),
      cwd: textSchema("Working directory after the run."),
      executions: countSchema("Runs the context has seen, this one included."),
      snapshotMs: z.exactOptional(
        durationSchema("Time to write a memory snapshot, when one was written."),
      ),
      expiresAt: z.exactOptional(
        epochSchema("When the idle sandbox expires, in epoch milliseconds; absent: never."),
      ),
      rolledBack: z.exactOptional(
        z.boolean().describe("Whether state and files were rolled back after a limit or a crash."),
      ),
    } satisfies Fields<ExecutionContext>,
  ).describe("State of the context after the run. Present only when a context ran.");
}
