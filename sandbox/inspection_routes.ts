/**
 * The routes that look into a context.
 *
 * @module
 */
import type { Context } from "hono";
import { z } from "zod";
import { CONTEXTS_PATH, INSPECT_PATH, VARIABLES_PATH } from "../client/protocol/paths.ts";
import { jsonResponse } from "../shared/responses.ts";
import { contextVariables, type InspectedContext, inspectName } from "./inspection.ts";
import type { SandboxEnv, SandboxRoute } from "./route.ts";

const CONTEXT_ID = { contextId: z.string().min(1).describe("Id of the context.") };
const UNCHANGED = "JavaScript and Python. A program of the service looks, in the turn of the " +
  "context, and all that it does is thrown away: nothing changes, and no run is counted.";

/** The routes, in the order of the document. */
export const INSPECTION_ROUTES: readonly SandboxRoute[] = [
  {
    method: "get",
    path: `${CONTEXTS_PATH}/{contextId}${VARIABLES_PATH}`,
    id: "contextVariables",
    tag: "Contexts",
    summary: "Show the variables of a context",
    description: UNCHANGED,
    pathParameters: CONTEXT_ID,
    success: { description: "The variables.", schema: "VariableList" },
    errors: ["call", "context", "runtime", "run"],
    answer: async (context, { options }) =>
      jsonResponse({ variables: await contextVariables(options, contextOf(context)) }),
  },
  {
    method: "post",
    path: `${CONTEXTS_PATH}/{contextId}${INSPECT_PATH}`,
    id: "inspectName",
    tag: "Contexts",
    summary: "Complete and explain a name",
    description: `What the context knows of the name at the end of \`code\`. ${UNCHANGED}`,
    pathParameters: CONTEXT_ID,
    body: { schema: "InspectRequest" },
    success: { description: "The name.", schema: "InspectedName" },
    errors: ["call", "body", "context", "runtime", "run"],
    answer: async (context, { options, read }) => {
      const { code } = await read.InspectRequest(context.req.raw, context.env.body);
      return jsonResponse(await inspectName(options, contextOf(context), code));
    },
  },
];

function contextOf({ env: { address }, req }: Context<SandboxEnv>): InspectedContext {
  return { address, contextId: req.param("contextId") ?? "", signal: req.raw.signal };
}
