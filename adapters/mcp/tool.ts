/**
 * A tool: its description for the model, its schemas, and its function.
 *
 * @module
 */
import type {
  CallToolResult,
  InputRequiredResult,
  ToolAnnotations,
} from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { CallService } from "../../shared/service_calls.ts";
import type { Asking } from "./elicitations.ts";

/** The result of a tool, or a question for the user of the client. */
export type ToolResult = CallToolResult | InputRequiredResult;

/** One call of a tool. */
export interface ToolCall {
  /** Whose turns of the thread the work takes. */
  readonly tenant: string;
  readonly call: CallService;
  /** Fires when the caller disconnects or cancels the call. */
  readonly signal: AbortSignal;
  /** Sends progress; undefined if the caller does not request it. */
  readonly progress: ((progress: number, message: string) => Promise<void>) | undefined;
  readonly asking: Asking;
  /** Whether the tenant has tools of the operator. */
  readonly hasTools: boolean;
}

/** The properties of every tool. */
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
  /** Performs a call. Throws if the input does not match the schema. */
  run(given: unknown, call: ToolCall): Promise<ToolResult>;
}

/** A tool whose function has the type of its input. */
export interface ToolDefinition<I extends z.ZodType> extends ToolInfo {
  readonly input: I;
  /** Performs a call. */
  run(input: z.infer<I>, call: ToolCall): Promise<ToolResult>;
}

/** Makes a tool. None reaches beyond the service. */
export function defineTool<I extends z.ZodType>(definition: ToolDefinition<I>): Tool {
  const { input } = definition;
  return {
    ...definition,
    annotations: { openWorldHint: false, ...definition.annotations },
    run: (given, call) => definition.run(input.parse(given), call),
  };
}
