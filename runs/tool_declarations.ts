/**
 * The routes that declare tools to whoever writes a program: of all tools of a tenant, and below a
 * sandbox (docs/calls.md#declarations). Who serves them adds the work.
 *
 * @module
 */
import { z } from "zod";
import type { ToolList } from "../client/protocol/calls.ts";
import { TOOLS_PATH } from "../client/protocol/paths.ts";
import { type ServiceError, validationFailed } from "../shared/errors.ts";
import { TOOL_DECLARATIONS } from "../shared/call_limits.ts";
import { type OperatorTool, runTools } from "../shared/operator_tools.ts";
import { queryOf } from "../shared/query.ts";
import { type BodyOwner, readJsonObject } from "../shared/read_body.ts";
import { jsonResponse, textResponse } from "../shared/responses.ts";
import type { RouteDescription } from "../shared/route.ts";
import { parseBody } from "../shared/schemas.ts";
import { CALL_FIELDS } from "../shared/tool_schemas.ts";
import { isToolForm, renderTools, TOOL_FORMS } from "../shared/tool_types/render_tools.ts";
import type { ToolSchemas } from "../shared/tool_types/declaration.ts";

/** The descriptions, by their work. */
export interface ToolRouteDescriptions {
  readonly list: RouteDescription;
  readonly declare: RouteDescription;
}

const { bodyBytes, bytes } = TOOL_DECLARATIONS;
const ADVICE = "They are for whoever writes a program, a model above all: advice in at most " +
  `${bytes} bytes, with the less important left out first.`;
const FORM = z.enum(TOOL_FORMS).describe("The language of the declarations, or text.");
const TEXT = { description: "The declarations.", mediaType: "text/plain", schema: z.string() };
const BODY = z.object({ tools: CALL_FIELDS.tools }).describe("Tools as a run has them.");

/** The routes of a tenant, or of a sandbox, whose path comes before theirs. */
export function toolRouteDescriptions(of: "tenant" | "sandbox"): ToolRouteDescriptions {
  const suffix = of === "sandbox" ? "InSandbox" : "";
  const own = of === "sandbox" ? [] : ["common", "token"] as const;
  return {
    list: {
      method: "get",
      tag: "Runs",
      path: TOOLS_PATH,
      id: `listTools${suffix}`,
      summary: "List the operator's tools",
      description:
        "The tools that the operator gives the token's tenant. With `as`, the answer is " +
        `declarations of them as plain text. ${ADVICE}`,
      queryParameters: { as: FORM.optional() },
      success: { description: "The tools.", schema: "ToolList", orText: true },
      errors: [...own, "call", "toolForm"],
    },
    declare: {
      method: "post",
      tag: "Runs",
      path: TOOLS_PATH,
      id: `declareTools${suffix}`,
      summary: "Declare tools",
      description: `Declarations of tools. ${ADVICE}`,
      queryParameters: { as: FORM },
      body: { schema: BODY },
      success: TEXT,
      errors: [...own, "call", "toolsBody", "toolForm"],
    },
  };
}

/** Answers with the tools of a tenant: as JSON, or in the form that a URL asks for. */
export function toolList(url: string, tools: readonly OperatorTool[]): Response {
  const query = queryOf(url);
  if (query.has("as")) return declared(query, tools);
  const list: ToolList = {
    tools: tools.map(({ name, description, inputSchema, outputSchema, settings }) => ({
      name,
      ...(description === undefined ? {} : { description }),
      inputSchema,
      ...(outputSchema === undefined ? {} : { outputSchema }),
      approval: settings.approval,
      idempotent: settings.idempotent,
    })),
  };
  return jsonResponse(list);
}

/**
 * Answers with declarations of tools, in the form that a URL asks for.
 *
 * @throws {ServiceError} `VALIDATION_FAILED`
 */
export function declarationsOf(url: string, tools: readonly ToolSchemas[]): Response {
  return declared(queryOf(url), tools);
}

function declared(query: URLSearchParams, tools: readonly ToolSchemas[]): Response {
  const [form = "", ...others] = query.getAll("as");
  if (others.length > 0 || !isToolForm(form)) throw formRefused();
  return textResponse(renderTools(tools, form, bytes));
}

/**
 * Reads the tools of a body. `available`: those of the operator, which it can name.
 *
 * @throws {ServiceError} `VALIDATION_FAILED`
 */
export async function readTools(
  request: Request,
  owner: BodyOwner,
  available: () => readonly OperatorTool[],
): Promise<readonly ToolSchemas[]> {
  const body = await readJsonObject(request, { ...owner, maxBytes: bodyBytes });
  const { tools } = parseBody(BODY, body);
  if (tools === undefined) throw validationFailed("tools must be an array");
  const operator = available();
  const observed = new Map(operator.map(({ name, observedSchema }) => [name, observedSchema]));
  return runTools(tools, () => operator).map((tool) =>
    tool.isOperators === true ? { ...tool, observedSchema: observed.get(tool.name) } : tool
  );
}

/** The error for a form that does not exist. */
export function formRefused(): ServiceError {
  return validationFailed(`as must be one of ${TOOL_FORMS.join(", ")}`);
}
