/**
 * The operator's tools as a model sees them: in the description of `run_code`, and by `find_tools`.
 *
 * @module
 */
import { z } from "zod";
import { TOOL_DECLARATIONS } from "../../shared/call_limits.ts";
import type { OperatorTool } from "../../shared/operator_tools.ts";
import { renderTools } from "../../shared/tool_types/render_tools.ts";
import { textResult } from "./results.ts";
import { defineTool, type Tool } from "./tool.ts";

/** Bytes of the tools in the description of `run_code`. */
const DESCRIPTION_BYTES = 6 * 1024;
/** Tools of one answer of `find_tools`, if the caller says nothing. */
const FOUND = 20;

/** A text for the description of `run_code`; empty for a tenant without tools. */
export function toolsText(tools: readonly OperatorTool[]): string {
  if (tools.length === 0) return "";
  return " Programs can call these functions of the operator, as " +
    "`tools.name(x=1)` in Python and Ruby and `await tools.name({x: 1})` in JavaScript. " +
    "find_tools tells more of them:\n" + renderTools(tools, "text", DESCRIPTION_BYTES);
}

const input = z.strictObject({
  query: z.string().max(1_000).describe("Words of names and descriptions."),
  limit: z.int().min(1).max(100).default(FOUND).describe("Most tools of the answer."),
});

const output = z.looseObject({ tools: z.array(z.string()) });

/** `find_tools`. */
export function findToolsTool(tools: readonly OperatorTool[]): Tool {
  return defineTool({
    name: "find_tools",
    title: "Find tools for programs",
    description:
      "Finds functions that programs of run_code can call, by words of their names and " +
      "descriptions, and returns their declarations. They need not be named in run_code.",
    input,
    output,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    run: ({ query, limit }) => {
      const found = foundTools(tools, query).slice(0, limit);
      const text = found.length === 0
        ? "No tool has these words"
        : renderTools(found, "text", TOOL_DECLARATIONS.bytes);
      return Promise.resolve(textResult(text, { tools: found.map(({ name }) => name) }));
    },
  });
}

/** The tools with some of the words, those with the most first. */
function foundTools(tools: readonly OperatorTool[], query: string): readonly OperatorTool[] {
  const words = query.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word !== "");
  if (words.length === 0) return tools;
  return tools.map((tool) => {
    const text = `${tool.name} ${tool.description ?? ""}`.toLowerCase();
    return { tool, count: words.filter((word) => text.includes(word)).length };
  }).filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count).map(({ tool }) => tool);
}
