/**
 * The MCP server for one message: the tools, bound to the caller.
 *
 * @module
 */
import { McpServer, type ServerContext } from "@modelcontextprotocol/server";
import type { Language } from "../client/protocol/types.ts";
import { internalError } from "../wire/errors.ts";
import { describeCause, type Log } from "../wire/log.ts";
import {
  deleteCheckpointTool,
  restoreCheckpointTool,
  saveCheckpointTool,
} from "./checkpoint_tools.ts";
import { deleteSandboxTool, listFilesTool, readFileTool, writeFileTool } from "./file_tools.ts";
import { errorText } from "./results.ts";
import { runCodeTool } from "./run_tool.ts";
import type { CallService } from "../wire/service_calls.ts";
import type { Tool, ToolCall } from "./tool.ts";

/** The options of the tools. */
export interface ToolServerOptions {
  /** The enabled languages; at least one. */
  readonly languages: readonly Language[];
  readonly call: CallService;
  /** Fires when the caller has gone. */
  readonly gone: AbortSignal;
  /** The signal that fires when the caller cancels the request with an id. */
  readonly cancellation: (id: string | number) => AbortSignal | undefined;
  readonly version: string;
  readonly log: Log;
}

const INSTRUCTIONS =
  "Runs code in sealed, metered sandboxes without network and without a shell. " +
  "Name a sandbox to keep variables and the files of /workspace between calls. Any new name makes " +
  "a new sandbox.";

/** Creates the server. */
export function createToolServer(options: ToolServerOptions): McpServer {
  const { languages, version } = options;
  const server = new McpServer({ name: "belljar", title: "Belljar", version }, {
    instructions: INSTRUCTIONS,
    capabilities: { tools: { listChanged: false } },
  });
  const [language = "javascript"] = languages;
  register(server, runCodeTool(languages), options);
  register(server, writeFileTool(language), options);
  register(server, readFileTool(language), options);
  register(server, listFilesTool(language), options);
  register(server, deleteSandboxTool(language), options);
  register(server, saveCheckpointTool(language), options);
  register(server, restoreCheckpointTool(language), options);
  register(server, deleteCheckpointTool(language), options);
  return server;
}

function register(server: McpServer, tool: Tool, options: ToolServerOptions): void {
  const { name, title, description, input, output, annotations } = tool;
  const about = { title, description, annotations, inputSchema: input, outputSchema: output };
  server.registerTool(name, about, async (given, context) => {
    try {
      return await tool.run(given, toolCall(context, options));
    } catch (thrown) {
      // otherwise the package sends the message of anything thrown to the caller
      options.log("error", "tool failed", { tool: name, ...describeCause(thrown) });
      return errorText(internalError().message);
    }
  });
}

function toolCall(
  { mcpReq }: ServerContext,
  { call, gone, cancellation }: ToolServerOptions,
): ToolCall {
  const token = mcpReq._meta?.progressToken;
  const own = cancellation(mcpReq.id);
  return {
    call,
    signal: AbortSignal.any([mcpReq.signal, gone, ...(own === undefined ? [] : [own])]),
    progress: token === undefined ? undefined : (progress, message) =>
      mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken: token, progress, message },
      }),
  };
}
