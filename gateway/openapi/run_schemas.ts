/**
 * Schemas of runs whose programs can wait (docs/calls.md).
 *
 * @module
 */
import { z } from "zod";
import {
  RUN_STATES,
  type RunInfo,
  type RunList,
  type RunSummary,
} from "../../client/protocol/calls.ts";
import {
  type ExecutionResult,
  type JsonValue,
  LANGUAGES,
  type PendingCall,
  type PendingInput,
  type Waiting,
} from "../../client/protocol/types.ts";
import { CALL_LIMITS } from "../../shared/call_limits.ts";
import { epochSchema, type Fields, textSchema, timestampSchema } from "./fields.ts";

/** The schemas, by the names they have in the document. */
export interface RunSchemas {
  readonly RunInfo: z.ZodType<RunInfo>;
  readonly RunList: z.ZodType<RunList>;
  readonly AnswersRequest: z.ZodType;
  readonly BegunRun: z.ZodType;
}

/** The schemas of a waiting run. */
export interface WaitingSchemas {
  readonly Waiting: z.ZodType<Waiting>;
  readonly PendingCall: z.ZodType<PendingCall>;
}

/** Creates the schemas of a waiting run. */
export function waitingSchemas(json: z.ZodType<JsonValue>): WaitingSchemas {
  const call: z.ZodType<PendingCall> = z.strictObject(
    {
      key: textSchema("Names the call in answers."),
      name: textSchema("The name of the tool."),
      arguments: json,
    } satisfies Fields<PendingCall>,
  ).describe("A call of the program that has no answer yet.");
  const input: z.ZodType<PendingInput> = z.strictObject(
    {
      key: textSchema("Names the question in answers."),
      prompt: textSchema("The unfinished line of output before the question."),
    } satisfies Fields<PendingInput>,
  ).describe("The program asks for a line of standard input.");
  const waiting: z.ZodType<Waiting> = z.strictObject(
    {
      run: textSchema("Id of the run."),
      calls: z.array(call).describe("The calls without an answer, in the order of the program."),
      input: z.exactOptional(input),
      until: z.exactOptional(
        epochSchema("When a program that only sleeps goes on, in epoch milliseconds."),
      ),
      expiresAt: z.exactOptional(
        epochSchema("When the first call or question expires, in epoch milliseconds."),
      ),
    } satisfies Fields<Waiting>,
  ).describe("Why the run stands still. Present only while it waits for its caller.");
  return { Waiting: waiting, PendingCall: call };
}

/** Creates the schemas of runs. */
export function runSchemas(
  result: z.ZodType<ExecutionResult>,
  waiting: z.ZodType<Waiting>,
  json: z.ZodType<JsonValue>,
): RunSchemas {
  const summary = {
    id: textSchema("Id of the run."),
    state: z.enum(RUN_STATES).describe("The last four are final."),
    language: z.enum(LANGUAGES).describe("The language of the program."),
    contextId: z.exactOptional(textSchema("The context; absent for a run without one.")),
    createdAt: timestampSchema("When the run was asked for."),
    startedAt: z.exactOptional(timestampSchema("When its program began.")),
    endedAt: z.exactOptional(timestampSchema("When it ended.")),
  } satisfies Fields<RunSummary>;
  return {
    RunInfo: z.strictObject(
      {
        ...summary,
        waiting: z.exactOptional(waiting),
        execution: z.exactOptional(result),
      } satisfies Fields<RunInfo>,
    ).describe("A run."),
    RunList: z.strictObject(
      {
        runs: z.array(z.strictObject(summary)).describe("The runs, the newest first."),
        cursor: z.exactOptional(textSchema("Where the next page begins. Absent on the last page.")),
      } satisfies Fields<RunList>,
    ).describe("A page of runs."),
    AnswersRequest: answersSchema(json),
    BegunRun: z.strictObject({
      run: z.strictObject({ id: summary.id, state: summary.state }),
    }).describe("A run that goes on without its caller."),
  };
}

/** The body that `runs/answers.ts` reads. */
function answersSchema(json: z.ZodType<JsonValue>): z.ZodType {
  const key = textSchema("The key of a call or question.");
  const answer = z.union([
    z.strictObject({
      key,
      value: json.describe("The result of the tool. For a question: a line, or null for the end."),
    }),
    z.strictObject({
      key,
      error: z.strictObject({
        message: textSchema("The message of the `ToolError` in the program."),
        data: z.exactOptional(json),
      }),
    }),
    z.strictObject({ key, deny: textSchema("The reason, in the `ToolDenied` of the program.") }),
  ]);
  return z.object({
    answers: z.array(answer).max(CALL_LIMITS.calls).describe("Each key is there once."),
  }).describe("Answers to calls and to the question of a program.");
}
