/**
 * Values of the results of MCP tools: structured content, or texts and images.
 *
 * @module
 */
import { z } from "zod";
import type { JsonValue } from "../client/protocol/types.ts";
import { hasInfinity, isDeep, parseExactJson } from "../shared/exact_json.ts";

const contentSchema = z.object({
  isError: z.boolean().optional(),
  structuredContent: z.json().optional(),
  content: z.array(z.unknown()).default([]),
});
const blockSchema = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: z.string() }),
]);

/** The value of a result, the text of an error, or what is wrong with the result. */
export type McpValue =
  | { readonly value: JsonValue }
  | { readonly error: string }
  | { readonly fault: string };

/** Reads a result of `tools/call`, which the server has written. */
export function mcpValue(result: unknown): McpValue {
  const parsed = contentSchema.safeParse(result);
  if (!parsed.success) return { fault: "is not a result of a tool" };
  const { isError = false, structuredContent, content } = parsed.data;
  const blocks = content.flatMap((block) => blockSchema.safeParse(block).data ?? []);
  if (isError) {
    const texts = blocks.flatMap((block) => "text" in block ? [block.text] : []);
    return { error: texts.join("\n") };
  }
  if (structuredContent !== undefined) return { value: structuredContent };
  const values = blocks.map((block) =>
    "text" in block ? block.text : { mimeType: block.mimeType, bytes: block.data }
  );
  const [only, ...others] = values;
  if (only === undefined) return { value: null };
  if (others.length > 0) return { value: values };
  return typeof only === "string" ? textValue(only) : { value: only };
}

/** JSON of an object or a list is parsed; other text is a string. */
function textValue(text: string): McpValue {
  if (!/^\s*[{[]/.test(text)) return { value: text };
  if (isDeep(text)) return { fault: "is nested too deeply" };
  try {
    const value = parseExactJson(text);
    return hasInfinity(value) ? { fault: "has a number that is too large" } : { value };
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return { value: text };
    throw thrown;
  }
}
