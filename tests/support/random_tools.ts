/**
 * Tools with random names, texts and schemas.
 *
 * @module
 */
import type { JsonValue } from "../../client/protocol/types.ts";
import type { ToolSchemas } from "../../shared/tool_types/declaration.ts";

const SEGMENTS = [
  "crm",
  "find",
  "class",
  "new",
  "self",
  "None",
  "then",
  "_x",
  "A1",
  "__init__",
  "end",
];
const NAMES = [
  "q",
  "limit",
  "from",
  "a-b",
  "ü",
  "class",
  "$x",
  "'",
  '"',
  "\\",
  "__proto__",
  "new",
  "",
];
const TEXTS = ["", "Finds.", "a\nb", '*/ """ \\', "é☃", "#{x} @y $z", "x".repeat(300)];
const MOST_LEVELS = 3;

/** Tools whose names differ, and none of which is a prefix of another. */
export function randomTools(below: (bound: number) => number, count: number): ToolSchemas[] {
  const pick = <T>(list: readonly T[]): T | undefined => list[below(list.length)];
  const schema = (level: number): JsonValue => {
    switch (below(level > MOST_LEVELS ? 4 : 8)) {
      case 0:
        return { type: pick(["string", "integer", "number", "boolean", "null"]) ?? "string" };
      case 1:
        return { enum: [pick(NAMES) ?? "", 1, true, null].slice(0, 1 + below(4)) };
      case 2:
        return below(2) === 0;
      case 3:
        return { const: pick(TEXTS) ?? "" };
      case 4:
        return { type: "array", items: schema(level + 1) };
      case 5:
        return { anyOf: [schema(level + 1), schema(level + 1)] };
      default:
        return object(level);
    }
  };
  const object = (level: number): JsonValue => {
    const names = NAMES.filter(() => below(4) === 0);
    return {
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, schema(level + 1)])),
      required: names.filter(() => below(2) === 0),
      ...(below(2) === 0 ? { additionalProperties: schema(level + 1) } : {}),
    };
  };
  return Array.from({ length: count }, (_, index) => ({
    name: `${
      Array.from({ length: below(3) }, () => pick(SEGMENTS)).map((one) => `${one}.`).join("")
    }${pick(SEGMENTS)}_${index}`,
    description: pick(TEXTS),
    inputSchema: object(0),
    outputSchema: schema(0),
  }));
}
