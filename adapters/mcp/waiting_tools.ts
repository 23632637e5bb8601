/**
 * The tools for runs that wait: to answer one, and to end it.
 *
 * @module
 */
import { z } from "zod";
import { RUNS_PATH } from "../../client/protocol/paths.ts";
import { segment } from "../../shared/service_calls.ts";
import { answersRequest, followRun } from "./followed_run.ts";
import { refusal, textResult } from "./results.ts";
import { runSchema } from "./run_schemas.ts";
import { defineTool, type Tool } from "./tool.ts";

const run = z.string().min(1).describe("The id of the run, as run_code returned it.");

const answerSchema = z.strictObject({
  key: z.string().min(1).describe("The key of a call or of the question."),
  value: z.unknown().optional()
    .describe("The result of a call; for a question a line, or null for the end of input."),
  error: z.strictObject({ message: z.string(), data: z.unknown().optional() }).optional()
    .describe("In place of `value`: the call failed."),
  deny: z.string().optional().describe("In place of `value`: why the call is denied."),
});

const answerInput = z.strictObject({
  run,
  answers: z.array(answerSchema).default([])
    .describe("All or some of the pending calls, and the question. None: only look."),
});

/** `answer_run`. */
export function answerRunTool(): Tool {
  return defineTool({
    name: "answer_run",
    title: "Answer a program",
    description:
      "Answers the calls and the question of a program that waits, and returns its next " +
      "waiting state or its result, like run_code. Without `answers` it shows the present state. " +
      "The same answer again changes nothing.",
    input: answerInput,
    output: runSchema,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    run: async ({ run, answers }, call) => await followRun(answersRequest(run, answers), call),
  });
}

const cancelInput = z.strictObject({ run });
const cancelOutput = z.looseObject({ run: z.string(), cancelled: z.boolean() });

/** `cancel_run`. */
export function cancelRunTool(): Tool {
  return defineTool({
    name: "cancel_run",
    title: "End a program that waits",
    description: "Ends a run. Its context is as before the run, and takes other runs again.",
    input: cancelInput,
    output: cancelOutput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    run: async ({ run }, { call, signal }) => {
      const answer = await call({ method: "DELETE", path: `${RUNS_PATH}/${segment(run)}` }, signal);
      if (!answer.ok) return await refusal(answer);
      await answer.body?.cancel();
      return textResult(`Run ${run} is cancelled`, { run, cancelled: true });
    },
  });
}
