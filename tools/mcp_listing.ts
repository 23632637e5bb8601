/**
 * Listings of MCP servers. The client refuses a whole listing for one tool whose definition has another
 * form, so each tool is brought into the form first.
 *
 * @module
 */
import { isSpecType, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { z } from "zod";

const listingSchema = z.looseObject({
  result: z.looseObject({ tools: z.array(z.unknown()) }),
});
const toolSchema = z.object({
  name: z.string(),
  description: z.string().optional().catch(undefined),
  inputSchema: z.looseObject({}).catch({}),
  outputSchema: z.looseObject({}).optional().catch(undefined),
});

/** A message of a server; in a listing, each tool has a form that the client takes. */
export function readableMessage(message: JSONRPCMessage): JSONRPCMessage {
  if (!("result" in message)) return message;
  const listing = listingSchema.safeParse(message);
  if (!listing.success) return message;
  const tools = listing.data.result.tools.flatMap((tool) => readableTool(tool) ?? []);
  return { ...message, result: { ...message.result, tools } };
}

/** Schemas that the client does not take are left out; undefined for a tool without a name. */
function readableTool(tool: unknown): object | undefined {
  const parsed = toolSchema.safeParse(tool);
  if (!parsed.success) return undefined;
  const { name, description, inputSchema, outputSchema } = parsed.data;
  const bare = { type: "object" as const };
  const about = description === undefined ? { name } : { name, description };
  const output = outputSchema === undefined ? {} : { outputSchema };
  const forms = [
    { ...about, inputSchema: { ...bare, ...inputSchema }, ...output },
    { ...about, inputSchema: { ...bare, ...inputSchema } },
    { ...about, inputSchema: bare, ...output },
  ];
  return forms.find((form) => isSpecType.Tool(form)) ?? { ...about, inputSchema: bare };
}
