/**
 * A tool: what a model reads of it, its schemas, and what it does.
 *
 * @module
 */
import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { CallService } from "../wire/service_calls.ts";

/** One call of a tool. */
export interface ToolCall {
  readonly call: CallService;
  /** Fires when the caller has gone or has cancelled the call. */
  readonly signal: AbortSignal;
  /** Sends progress; undefined: the caller did not ask for it. */
  readonly progress: ((progress: number, message: string) => Promise<void>) | undefined;
}

/** What all tools have. */
export interface ToolInfo {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly output: z.ZodType;
  readonly annotations: ToolAnnotations;
}

/** A tool. */
export interface Tool extends ToolInfo {
  readonly input: z.ZodType;
  /** Performs a call. Throws for an input that is not as the schema says. */
  run(given: unknown, call: ToolCall): Promise<CallToolResult>;
}

/** A tool whose function has the type of its input. */
export interface ToolDefinition<I extends z.ZodType> extends ToolInfo {
  readonly input: I;
  /** Performs a call. */
  run(input: z.infer<I>, call: ToolCall): Promise<CallToolResult>;
}

/** Makes a tool. */
export function defineTool<I extends z.ZodType>(definition: ToolDefinition<I>): Tool {
  const { input } = definition;
  return { ...definition, run: (given, call) => definition.run(input.parse(given), call) };
}
