/**
 * Schemas of the events of a run (docs/contract.md#streaming).
 *
 * @module
 */
import { z } from "zod";
import type { ZodOpenApiContentObject } from "zod-openapi";
import {
  type CallEvent,
  type DisplayEvent,
  type EndEvent,
  EVENT_STREAM,
  type FailedEvent,
  type InputEvent,
  type KeepaliveEvent,
  NDJSON,
  type OutputEvent,
  type RunEvent,
  type StartEvent,
} from "../../client/protocol/run_events.ts";
import type { ErrorResponse } from "../../client/protocol/types.ts";
import { EVENTS_EXAMPLE } from "./examples.ts";
import { countSchema, type Fields, textSchema } from "./fields.ts";
import type { ResultSchemas } from "./result_schemas.ts";

/** The schemas, by the names they have in the document. */
export interface EventSchemas {
  readonly RunEvent: z.ZodType<RunEvent>;
}

/** Creates the schemas. */
export function eventSchemas(
  { ExecutionResult: result, Display: display, PendingCall: call }: ResultSchemas,
  errors: readonly z.ZodType<ErrorResponse>[],
): EventSchemas {
  const id = z.exactOptional(
    countSchema("Position among the events of the run. Only of runs that can wait."),
  );
  const start = z.strictObject(
    {
      type: z.literal("start"),
      id,
      run: z.exactOptional(textSchema("Id of the run, if it can wait.")),
    } satisfies Fields<StartEvent>,
  )
    .describe("First: the run begins. Every refusal comes before, as an ordinary error.");
  const output = z.strictObject(
    {
      type: z.enum(["stdout", "stderr"]),
      id,
      text: textSchema("One line without its newline."),
    } satisfies Fields<OutputEvent>,
  ).describe("A line of output. All of them together are `logs` of the result.");
  const shown = z.strictObject(
    { type: z.literal("display"), id, display } satisfies Fields<DisplayEvent>,
  ).describe("An entry of `displays` of the result, after the lines that ended before it.");
  const called = z.strictObject(
    { type: z.literal("call"), id, call } satisfies Fields<CallEvent>,
  ).describe("The program calls a tool, after the lines before it. The stream stays open.");
  const asked = z.strictObject(
    {
      type: z.literal("input"),
      id,
      key: textSchema("Names the question in answers."),
      prompt: textSchema("The unfinished line of output before the question."),
    } satisfies Fields<InputEvent>,
  ).describe("The program asks for a line of input. The stream stays open.");
  const keepalive = z.strictObject(
    { type: z.literal("keepalive") } satisfies Fields<KeepaliveEvent>,
  ).describe("Nothing happened for ten seconds; the run goes on.");
  const end = z.strictObject(
    { type: z.literal("end"), id, execution: result } satisfies Fields<EndEvent>,
  ).describe("Last: the answer. It says whether the run was rolled back.");
  const failed = z.strictObject(
    { type: z.literal("failed"), id, error: z.union(errors) } satisfies Fields<FailedEvent>,
  ).describe("Last, in place of `end`: the run has no result.");
  return {
    RunEvent: z.union([start, output, shown, called, asked, keepalive, end, failed])
      .describe("An event of a run."),
  };
}

/** The streams with which a run is answered on request. */
export function streamContents(): ZodOpenApiContentObject {
  const example = (summary: string, textOf: (event: RunEvent) => string) => ({
    events: { summary, value: EVENTS_EXAMPLE.map(textOf).join("") },
  });
  return {
    [NDJSON]: {
      schema: streamSchema("One RunEvent a line."),
      examples: example("Lines", (event) => `${JSON.stringify(event)}\n`),
    },
    [EVENT_STREAM]: {
      schema: streamSchema("Server-sent events: the type of a RunEvent, and the RunEvent as data."),
      examples: example(
        "Server-sent events",
        (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
      ),
    },
  };
}

/** Text that contains events. */
function streamSchema(description: string): z.ZodType<string> {
  return z.string().meta({
    description,
    contentMediaType: "application/json",
    contentSchema: { $ref: "#/components/schemas/RunEvent" },
  });
}
