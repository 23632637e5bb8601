/**
 * Values of the results of MCP tools: structured content, or texts and images.
 *
 * @module
 */
import { z } from "zod";
import type { JsonValue } from "../client/protocol/types.ts";
import { hasInfinity, isDeep, parseExactJson } from "../shared/exact_json.ts";
import type { CallImage } from "../shared/run_calls.ts";

const contentSchema = z.object({
  isError: z.boolean().optional(),
  structuredContent: z.json().optional(),
  content: z.array(z.unknown()).default([]),
});
const blockSchema = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: z.string() }),
]);

/** The value and the images of a result, the text of an error, or what is wrong with the result. */
export type McpValue =
  | { readonly value: JsonValue; readonly images: readonly CallImage[] }
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
  const images = blocks.flatMap((block) => block.type === "image" ? [bytesOf(block)] : []);
  if (structuredContent !== undefined) return { value: structuredContent, images };
  const values = blocks.map((block) => block.type === "text" ? block.text : bytesOf(block));
  const [only, ...others] = values;
  if (only === undefined) return { value: null, images };
  if (others.length > 0) return { value: values, images };
  return typeof only === "string" ? textValue(only) : { value: only, images };
}

function bytesOf({ mimeType, data }: { readonly mimeType: string; readonly data: string }) {
  return { mimeType, bytes: data };
}

/** JSON of an object or a list is parsed; other text is a string. */
function textValue(text: string): McpValue {
  if (!/^\s*[{[]/.test(text)) return { value: text, images: [] };
  if (isDeep(text)) return { fault: "is nested too deeply" };
  try {
    const value = parseExactJson(text);
    return hasInfinity(value) ? { fault: "has a number that is too large" } : { value, images: [] };
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return { value: text, images: [] };
    throw thrown;
  }
}
