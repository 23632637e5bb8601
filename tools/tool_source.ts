/**
 * Where tools come from: the HTTP operations of the file, and each MCP server.
 *
 * @module
 */
import type { JsonValue } from "../client/protocol/types.ts";
import { parseExactJson } from "../shared/exact_json.ts";
import type { OperatorTool, ToolOutcome } from "../shared/operator_tools.ts";
import type { ToolArguments } from "./url_template.ts";

/** The terms of one call. */
export interface SourceCallOptions {
  /** For whom the call is made. */
  readonly tenant: string;
  /** Most bytes of the value as JSON, and of all images. */
  readonly maxBytes: number;
  /** Ends the call. The reason of a time-out is a `DOMException` with the name `TimeoutError`. */
  readonly signal: AbortSignal;
}

/** A source of tools. */
export interface ToolSource {
  /** Its tools, by their whole names, as far as they are known. */
  list(): readonly OperatorTool[];
  /**
   * Calls a tool of the list. Never rejects. The secrets of the operator are not in the outcome. A call
   * that was sent and has no answer has an unknown outcome.
   */
  call(name: string, values: ToolArguments, options: SourceCallOptions): Promise<ToolOutcome>;
  /** Takes no more calls. Those that were begun may end. */
  close(): Promise<void>;
}

/** The arguments of a call, which was checked when the program made it. Integers keep their digits. */
export function argumentsOf(text: string): ToolArguments {
  const value: JsonValue = parseExactJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
