/**
 * The MCP server for one message: the tools, bound to the caller.
 *
 * @module
 */
import {
  McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { InstalledPackage, Language } from "../../client/protocol/types.ts";
import { internalError } from "../../shared/errors.ts";
import type { OperatorTool } from "../../shared/operator_tools.ts";
import { describeCause, type Log } from "../../shared/log.ts";
import {
  deleteCheckpointTool,
  restoreCheckpointTool,
  saveCheckpointTool,
} from "./checkpoint_tools.ts";
import { deleteSandboxTool, listFilesTool, readFileTool, writeFileTool } from "./file_tools.ts";
import { errorText } from "./results.ts";
import { packagesText } from "./packages_text.ts";
import { runCommandTool } from "./command_tool.ts";
import { askingOf, readAsked } from "./elicitations.ts";
import { findToolsTool, toolsText } from "./operator_tools.ts";
import { RUN_CODE, runCodeTool } from "./run_tool.ts";
import { answerRunTool, cancelRunTool } from "./waiting_tools.ts";
import type { CallService } from "../../shared/service_calls.ts";
import { THREAD } from "../../shared/slices.ts";
import type { Tool, ToolCall } from "./tool.ts";

/**
 * The calls of one tool, whose answers count against the tenant's bytes until its result is made.
 */
interface OpenCalls extends Disposable {
  readonly call: CallService;
}

/** The options of the tools. */
export interface ToolServerOptions {
  /** The tenant of the caller. The work takes its turns of the thread. */
  readonly tenant: string;
  /** The enabled languages; at least one. */
  readonly languages: readonly Language[];
  /** Packages that the operator installed. */
  readonly packages: ReadonlyMap<Language, readonly InstalledPackage[]>;
  /** The operator's tools of the tenant. */
  readonly tools: readonly OperatorTool[];
  /** Opens the calls of one tool. */
  readonly openCalls: () => OpenCalls;
  /** Fires when the caller disconnects. */
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

/** A text that says that there is no shell, for a service that has one. */
function withShell(text: string): string {
  return text.replace(" and without a shell", "");
}

/** Creates the server. */
export function createToolServer(options: ToolServerOptions): McpServer {
  const { languages, packages, version } = options;
  const server = new McpServer({ name: "belljar", title: "Belljar", version }, {
    instructions: languages.includes("shell") ? withShell(INSTRUCTIONS) : INSTRUCTIONS,
    capabilities: { tools: { listChanged: false } },
    requestState: { verify: readAsked },
  });
  for (const listed of toolsFor(languages, packagesText(languages, packages))) {
    register(server, listed, options);
  }
  if (options.tools.length > 0) register(server, listedTool(findToolsTool(options.tools)), options);
  return server;
}

/** A tool with the schemas that the package lists. */
interface ListedTool {
  readonly tool: Tool;
  readonly inputSchema: StandardSchemaWithJSON;
  readonly outputSchema: StandardSchemaWithJSON;
}

/**
 * The tools by the names of the languages and packages: making them costs far more than a call.
 */
const TOOLS = new Map<string, readonly ListedTool[]>();

function toolsFor(languages: readonly Language[], packages: string): readonly ListedTool[] {
  const key = `${languages.join()} ${packages}`;
  const known = TOOLS.get(key);
  if (known !== undefined) return known;
  const [language = "javascript"] = languages;
  const tools = [
    runCodeTool(languages, packages),
    ...(languages.includes("shell") ? [runCommandTool()] : []),
    answerRunTool(),
    cancelRunTool(),
    writeFileTool(language),
    readFileTool(language),
    listFilesTool(language),
    deleteSandboxTool(language),
    saveCheckpointTool(language),
    restoreCheckpointTool(language),
    deleteCheckpointTool(language),
  ].map(listedTool);
  TOOLS.set(key, tools);
  return tools;
}

function listedTool(tool: Tool): ListedTool {
  const { input, output } = tool;
  return { tool, inputSchema: describedOnce(input), outputSchema: describedOnce(output) };
}

/** The same schema, whose JSON Schema is made once. The package asks for it with each message. */
function describedOnce(schema: z.ZodType): StandardSchemaWithJSON {
  const { jsonSchema, ...standard } = schema["~standard"];
  const once = (describe: typeof jsonSchema.input): typeof jsonSchema.input => {
    const descriptions = new Map<string, ReturnType<typeof describe>>();
    return (options) => {
      const known = descriptions.get(options.target) ?? describe(options);
      descriptions.set(options.target, known);
      return known;
    };
  };
  return {
    "~standard": {
      ...standard,
      jsonSchema: { input: once(jsonSchema.input), output: once(jsonSchema.output) },
    },
  };
}

function register(
  server: McpServer,
  { tool, inputSchema, outputSchema }: ListedTool,
  options: ToolServerOptions,
): void {
  const { name, title, annotations } = tool;
  const description = tool.description + (name === RUN_CODE ? toolsText(options.tools) : "");
  const about = { title, description, annotations, inputSchema, outputSchema };
  server.registerTool(name, about, async (given, context) => {
    try {
      using calls = options.openCalls();
      const result = await tool.run(given, toolCall(context, calls.call, options));
      // the package checks and writes a result of up to 1 MiB in one piece
      await THREAD.next(options.tenant);
      return result;
    } catch (thrown) {
      // otherwise the package sends the message of anything thrown to the caller
      options.log("error", "tool failed", { tool: name, ...describeCause(thrown) });
      return errorText(internalError().message);
    }
  });
}

function toolCall(
  context: ServerContext,
  call: CallService,
  { tenant, tools, gone, cancellation }: ToolServerOptions,
): ToolCall {
  const { mcpReq } = context;
  const token = mcpReq._meta?.progressToken;
  const own = cancellation(mcpReq.id);
  return {
    tenant,
    call,
    asking: askingOf(context),
    hasTools: tools.length > 0,
    signal: AbortSignal.any([mcpReq.signal, gone, ...(own === undefined ? [] : [own])]),
    progress: token === undefined ? undefined : (progress, message) =>
      mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken: token, progress, message },
      }),
  };
}
