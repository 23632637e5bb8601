/**
 * The Model Context Protocol over the service's own routes (docs/mcp.md).
 *
 * `adapters/mcp/` owns the tools: their descriptions, their calls, and their texts for a model. It
 * may import `shared/`. It holds no state and adds no rule: each tool calls the routes that other
 * callers use. The protocol itself is the official server package. The gateway loads this module
 * with the first message.
 *
 * @module
 */
import { createMcpHandler, type McpServer } from "@modelcontextprotocol/server";
import client from "../../client/deno.json" with { type: "json" };
import { KEEPALIVE_MS } from "../../shared/limits.ts";
import { createToolServer, type ToolServerOptions } from "./tool_server.ts";

/** Makes the server that answers one message. */
export type CreateServer = (options: ToolServerOptions) => McpServer;

/** A message and its sender. */
export interface McpMessage extends Omit<ToolServerOptions, "version"> {
  /** The service's own tools when absent. */
  readonly createServer?: CreateServer;
  /** The request, with an unread or read body; its signal ends the work. */
  readonly request: Request;
  /** The parsed body. */
  readonly body: unknown;
}

/** Answers a message. Never rejects. */
export async function answerMessage(
  { request, body, createServer = createToolServer, ...options }: McpMessage,
): Promise<Response> {
  const handler = createMcpHandler(
    () => createServer({ ...options, version: client.version }),
    {
      legacy: "stateless",
      // only a stream reports that its reader has disconnected
      responseMode: "sse",
      keepAliveMs: KEEPALIVE_MS,
    },
  );
  return await handler.fetch(request, { parsedBody: body });
}
