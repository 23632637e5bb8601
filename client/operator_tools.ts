/**
 * The listing of the tools that the service's operator gives a tenant (docs/tools.md#in-a-request).
 *
 * @module
 */
import { type Call, type Endpoint, makeCall } from "./call.ts";
import { type JsonShape, ShapeError } from "./json_shape.ts";
import { APPROVALS, type AvailableTool } from "./protocol/calls.ts";
import { TOOLS_PATH } from "./protocol/paths.ts";
import type { RequestOptions } from "./request_options.ts";

const CALL: Call<AvailableTool[]> = {
  method: "GET",
  path: TOOLS_PATH,
  status: 200,
  read: (body) => body.list("tools", readTool),
};

/** The tools. */
export async function listTools(
  endpoint: Endpoint,
  options?: RequestOptions,
): Promise<AvailableTool[]> {
  return await makeCall(endpoint, CALL, options);
}

function readTool(tool: JsonShape): AvailableTool {
  const text = tool.string("approval");
  const approval = APPROVALS.find((each) => each === text);
  if (approval === undefined) throw new ShapeError("approval has an unknown value");
  return {
    name: tool.string("name"),
    ...(tool.has("description") ? { description: tool.string("description") } : {}),
    inputSchema: tool.object("inputSchema").fields(),
    ...(tool.has("outputSchema") ? { outputSchema: tool.object("outputSchema").fields() } : {}),
    approval,
    idempotent: tool.boolean("idempotent"),
  };
}
