/**
 * The route of the Model Context Protocol (docs/mcp.md).
 *
 * @module
 */
import { z } from "zod";
import { EVENT_STREAM } from "../../client/protocol/run_events.ts";
import { MCP_MESSAGE_BYTES, MCP_PATH } from "../mcp_route.ts";
import { bodyCauses, callCauses, commonCauses, tokenCauses } from "./error_causes.ts";
import type { Operation } from "./operation.ts";

const REQUEST = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "run_code", arguments: { language: "python", code: "6 * 7" } },
};

const ANSWER = "event: message\n" +
  'data: {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[result]\\n42"}]}}\n\n';

/** The operation. */
export function mcpOperation(): Operation {
  return {
    method: "post",
    path: MCP_PATH,
    id: "mcp",
    tag: "Service",
    summary: "Send a message of the Model Context Protocol",
    description:
      "Streamable HTTP, for agents: revision 2026-07-28 and, without state between messages, the " +
      "earlier ones. What the service refuses before it reads the message is an ErrorResponse; " +
      "errors of the protocol are JSON-RPC errors. A closed stream ends its run, and so does a " +
      "cancellation with the `Mcp-Session-Id` that `initialize` returned.",
    body: {
      schema: z.union([z.looseObject({ jsonrpc: z.literal("2.0") }), z.array(z.unknown())]),
      examples: { call: { summary: "A call of a tool", value: REQUEST } },
    },
    success: {
      description: "The messages of the answer. The response is the last one.",
      mediaType: EVENT_STREAM,
      schema: z.string(),
      examples: { result: { summary: "The result of a tool", value: ANSWER } },
    },
    errors: [
      ...commonCauses(),
      ...tokenCauses(),
      ...callCauses(),
      ...bodyCauses(MCP_MESSAGE_BYTES),
    ],
  };
}
