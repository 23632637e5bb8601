/**
 * Schemas of runs whose programs can wait (docs/calls.md).
 *
 * @module
 */
import { z } from "zod";
import {
  type AvailableTool,
  RUN_STATES,
  type RunInfo,
  type RunList,
  type RunSummary,
  type ToolList,
} from "../../client/protocol/calls.ts";
import {
  CALL_OUTCOMES,
  type CallDecision,
  DECIDERS,
  type JournalCall,
  type RunJournal,
} from "../../client/protocol/journal.ts";
import {
  type ContextHistory,
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
  readonly ContextHistory: z.ZodType<ContextHistory>;
  readonly Notebook: z.ZodType;
  readonly AnswersRequest: z.ZodType;
  readonly BegunRun: z.ZodType;
  readonly RunJournal: z.ZodType<RunJournal>;
  readonly ToolList: z.ZodType<ToolList>;
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
      approval: z.exactOptional(
        z.literal("always").describe("A tool of the operator: the answer approves or denies."),
      ),
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
    waiting: z.exactOptional(waiting),
  } satisfies Fields<RunSummary>;
  return {
    RunInfo: z.strictObject(
      {
        ...summary,
        execution: z.exactOptional(result),
      } satisfies Fields<RunInfo>,
    ).describe("A run."),
    RunList: z.strictObject(
      {
        runs: z.array(z.strictObject(summary)).describe("The runs, the newest first."),
        cursor: z.exactOptional(textSchema("Where the next page begins. Absent on the last page.")),
      } satisfies Fields<RunList>,
    ).describe("A page of runs."),
    ContextHistory: z.strictObject(
      {
        runs: z.array(z.strictObject(
          {
            endedAt: timestampSchema("When the run was committed."),
            execution: result,
          } satisfies Fields<ContextHistory["runs"][number]>,
        )).describe("The runs, the newest first."),
      } satisfies Fields<ContextHistory>,
    ).describe("The latest runs of a context."),
    Notebook: notebookSchema(),
    AnswersRequest: answersSchema(json),
    BegunRun: z.strictObject({
      run: z.strictObject({ id: summary.id, state: summary.state }),
    }).describe("A run that goes on without its caller."),
    RunJournal: journalSchema(),
    ToolList: toolListSchema(),
  };
}

function notebookSchema(): z.ZodType {
  return z.looseObject({
    nbformat: z.literal(4),
    nbformat_minor: z.int().nonnegative(),
    metadata: z.looseObject({}),
    cells: z.array(z.looseObject({
      id: textSchema("Unique in the notebook."),
      cell_type: z.enum(["code", "markdown", "raw"]),
      metadata: z.looseObject({}),
      source: textSchema("The program, or the text."),
    })),
  }).describe("A notebook of Jupyter.");
}

function journalSchema(): z.ZodType<RunJournal> {
  const size = z.int().nonnegative();
  const decision: z.ZodType<CallDecision> = z.strictObject(
    {
      by: z.enum(DECIDERS).describe("Who has decided."),
      at: timestampSchema("When."),
      approve: z.exactOptional(z.literal(true)),
      deny: z.exactOptional(textSchema("Why the call is denied.")),
    } satisfies Fields<CallDecision>,
  );
  const call: z.ZodType<JournalCall> = z.strictObject(
    {
      key: textSchema("Names the call in answers."),
      name: textSchema("The name of the tool."),
      arguments: z.strictObject({ bytes: size, sha256: z.string() })
        .describe("Length of the arguments as JSON, and their SHA-256."),
      startedAt: timestampSchema("When the program made the call."),
      ms: z.exactOptional(z.number().describe("Milliseconds until the outcome.")),
      bytes: z.exactOptional(size.describe("Length of the value or the error as JSON.")),
      decision: z.exactOptional(decision),
      outcome: z.exactOptional(
        z.enum(CALL_OUTCOMES).describe("Absent while the call is pending."),
      ),
    } satisfies Fields<JournalCall>,
  );
  return z.strictObject({ calls: z.array(call) } satisfies Fields<RunJournal>)
    .describe("The calls of a run, in the order in which its program made them.");
}

function toolListSchema(): z.ZodType<ToolList> {
  const schema = z.record(z.string(), z.json());
  const tool: z.ZodType<AvailableTool> = z.strictObject(
    {
      name: textSchema("The name of the tool."),
      description: z.exactOptional(textSchema("The purpose of the tool.")),
      inputSchema: schema.describe("JSON Schema of the arguments."),
      outputSchema: z.exactOptional(schema.describe("JSON Schema of the result.")),
      approval: z.enum(["never", "always"]).describe("Whether each call waits for an approval."),
      idempotent: z.boolean().describe("Whether repeating a call has no further effect."),
    } satisfies Fields<AvailableTool>,
  );
  return z.strictObject({ tools: z.array(tool) } satisfies Fields<ToolList>)
    .describe("The operator's tools of a tenant.");
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
    z.strictObject({
      key,
      approve: z.literal(true).describe("The service performs the call of the operator's tool."),
    }),
  ]);
  return z.object({
    answers: z.array(answer).max(CALL_LIMITS.calls).describe("Each key is there once."),
  }).describe("Answers to calls and to the question of a program.");
}
