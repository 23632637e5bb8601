/**
 * Schemas of the answers to runs, for adapters: the fields that other protocols show.
 *
 * @module
 */
import { z } from "zod";

/** An `ExecutionResult` (docs/contract.md#executionresult). */
export const resultSchema = z.object({
  language: z.string(),
  results: z.array(z.object({
    text: z.string().optional(),
    json: z.unknown().optional(),
    repr: z.string().optional(),
  })),
  displays: z.array(z.object({
    data: z.record(z.string(), z.unknown()),
    main: z.boolean().optional(),
  })).optional(),
  error: z.object({
    name: z.string(),
    message: z.string(),
    traceback: z.array(z.string()),
  }).optional(),
  exitCode: z.number().optional(),
  executionCount: z.number().optional(),
});

/** An `ErrorResponse` (docs/contract.md#errorresponse). */
export const failureSchema = z.object({ code: z.string(), message: z.string() });
