/**
 * The structured content of `run_code`: the ExecutionResult of the run
 * (docs/contract.md#executionresult) without `code`. Unknown fields are allowed.
 *
 * @module
 */
import { z } from "zod";

const displaySchema = z.looseObject({ data: z.record(z.string(), z.unknown()) });

const waitingSchema = z.looseObject({
  run: z.string(),
  calls: z.array(z.looseObject({
    key: z.string(),
    name: z.string(),
    arguments: z.unknown(),
    approval: z.string().optional()
      .describe("A person approves or denies the call: `answer_run` cannot."),
  })),
  input: z.looseObject({ key: z.string(), prompt: z.string() }).optional(),
  until: z.number().optional().describe("When a program that sleeps goes on, in epoch ms."),
  expiresAt: z.number().optional(),
  moreCalls: z.number().optional().describe("Further calls, shown once these are answered."),
});

/** The result of a run. */
export const runSchema = z.looseObject({
  language: z.string(),
  engine: z.string(),
  durationMs: z.number(),
  logs: z.looseObject({ stdout: z.array(z.string()), stderr: z.array(z.string()) }),
  results: z.array(z.looseObject({ text: z.string().optional(), json: z.unknown().optional() })),
  displays: z.array(displaySchema).optional()
    .describe("Without images, which are content blocks."),
  error: z.looseObject({
    name: z.string(),
    message: z.string(),
    traceback: z.array(z.string()),
    lineNumber: z.number().optional(),
  }).optional().describe("The program failed or hit a limit."),
  executionCount: z.number().optional(),
  usage: z.looseObject({
    fuelConsumed: z.number(),
    fuelLimit: z.number(),
    memoryBytes: z.number(),
  }).optional(),
  context: z.looseObject({
    id: z.string(),
    cwd: z.string(),
    executions: z.number(),
    rolledBack: z.boolean().optional(),
  }).optional().describe("Present only if the run was in a context."),
  waiting: waitingSchema.optional()
    .describe("The program waits: `answer_run` answers it, `cancel_run` ends it."),
});

/** The result of a run. */
export type Run = z.infer<typeof runSchema>;
/** A display of a run. */
export type RunDisplay = z.infer<typeof displaySchema>;
/** Why a run waits. */
export type RunWaiting = z.infer<typeof waitingSchema>;
