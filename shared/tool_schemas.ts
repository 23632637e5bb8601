/**
 * The fields of a request by which a program may call and ask: `tools`, `interactive`,
 * `durable` and `notify`
 * (docs/calls.md#request).
 *
 * @module
 */
import { z } from "zod";
import type { CallFields, JsonSchema, NotifyTarget, Tool } from "../client/protocol/types.ts";
import { quoted, utf8Length } from "../client/protocol/text.ts";
import { CALL_LIMITS } from "./call_limits.ts";
import { schemaFault } from "./json_schema.ts";
import { NOTIFY_SCHEMA } from "./notify_schema.ts";

/** A declaration of the caller, or a name or pattern of the operator's tools. */
type AskedTool = Tool | string;

/** The schemas of the four fields. */
export interface CallFieldSchemas {
  readonly tools: z.ZodType<readonly AskedTool[] | undefined, unknown>;
  readonly interactive: z.ZodType<boolean | undefined, unknown>;
  readonly durable: z.ZodType<boolean | undefined, unknown>;
  readonly notify: z.ZodType<NotifyTarget | undefined, unknown>;
}

/** Identifiers joined by dots. Each character belongs to one place only, so it is linear. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/;

/** Whether a text is the name of a tool: identifiers joined by dots, at most 128 characters. */
export function isToolName(text: string): boolean {
  return text.length <= CALL_LIMITS.nameLength && NAME.test(text);
}

/** Whether a text is a name, or a pattern of names: a prefix that ends with `.*`, or `*` alone. */
export function isToolPattern(text: string): boolean {
  return text === "*" || isToolName(text) ||
    (text.endsWith(".*") && isToolName(text.slice(0, -2)));
}

/** The fields, in the order in which they are checked. */
export const CALL_FIELDS: CallFieldSchemas = {
  tools: toolsSchema().optional(),
  interactive: flag(
    "interactive",
    "A read of standard input past its end asks the caller for a line instead of ending.",
  ),
  durable: flag(
    "durable",
    "The run outlives the service. Without it, a run in a context does so once it waits.",
  ),
  notify: NOTIFY_SCHEMA.optional(),
};

/** The fields that are given, and no others; undefined: the run cannot wait for its caller. */
export function callFieldsOf(
  { tools, interactive, durable, notify }: {
    readonly [N in keyof CallFields]: CallFields[N] | undefined;
  },
): { readonly calls?: CallFields } {
  if (tools === undefined && interactive !== true && durable !== true && notify === undefined) {
    return {};
  }
  return {
    calls: {
      ...(tools === undefined ? {} : { tools }),
      ...(interactive === undefined ? {} : { interactive }),
      ...(durable === undefined ? {} : { durable }),
      // its end must be told even after a crash
      ...(notify === undefined ? {} : { notify, durable: true }),
    },
  };
}

function flag(name: keyof CallFields, description: string) {
  return z.boolean(`${name} must be true or false`).describe(description).optional();
}

function toolsSchema(): z.ZodType<readonly AskedTool[], unknown> {
  return z.unknown().transform((value, check) => {
    const tools = readTools(value);
    if (typeof tools !== "string") return tools;
    check.issues.push({ code: "custom", message: tools, input: value });
    return z.NEVER;
  }).meta({
    type: "array",
    maxItems: CALL_LIMITS.tools,
    items: {
      anyOf: [
        {
          type: "string",
          description: "The name of a tool of the operator, a prefix such as `crm.*`, or `*`.",
        },
        {
          type: "object",
          required: ["name"],
          properties: {
            name: { type: "string", pattern: NAME.source, maxLength: CALL_LIMITS.nameLength },
            description: { type: "string" },
            inputSchema: { type: "object", description: "A JSON Schema of the arguments." },
            outputSchema: { type: "object", description: "A JSON Schema of the result." },
            timeoutMs: { type: "integer", minimum: 1, maximum: CALL_LIMITS.timeoutMs },
            idempotent: { type: "boolean" },
          },
          additionalProperties: false,
        },
      ],
    },
    description:
      "Functions of the caller that the program may call, and tools of the operator by " +
      `their names. At most ${CALL_LIMITS.toolBytes} bytes as JSON.`,
  });
}

/** The tools, or the first thing that is wrong with them. */
function readTools(value: unknown): readonly AskedTool[] | string {
  const { tools: most, toolBytes } = CALL_LIMITS;
  if (!Array.isArray(value)) return "tools must be an array";
  if (value.length > most) return `tools has more than ${most} tools`;
  if (utf8Length(JSON.stringify(value)) > toolBytes) {
    return `tools is larger than ${toolBytes} bytes as JSON`;
  }
  const tools: AskedTool[] = [];
  const own: Tool[] = [];
  for (const [index, item] of value.entries()) {
    const place = `tools[${index}]`;
    if (typeof item === "string") {
      if (!isToolPattern(item)) return `${place} is neither a name nor a pattern such as crm.*`;
      tools.push(item);
      continue;
    }
    const tool = readTool(item, place);
    if (typeof tool === "string") return tool;
    tools.push(tool);
    own.push(tool);
  }
  return toolNamesFault(own) ?? tools;
}

const FIELDS: { readonly [N in keyof Tool]-?: (value: unknown) => string | undefined } = {
  name: (value) =>
    typeof value === "string" && isToolName(value)
      ? undefined
      : `must be identifiers joined by dots, at most ${CALL_LIMITS.nameLength} characters`,
  description: (value) => typeof value === "string" ? undefined : "must be a string",
  inputSchema: schemaProblem,
  outputSchema: schemaProblem,
  timeoutMs: (value) => {
    const { timeoutMs: most } = CALL_LIMITS;
    const isValid = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;
    return isValid ? undefined : `must be an integer from 1 to ${most}`;
  },
  idempotent: (value) => typeof value === "boolean" ? undefined : "must be true or false",
};

function readTool(value: unknown, place: string): Tool | string {
  if (!isObject(value)) return `${place} must be an object, or the name of a tool`;
  for (const [field, part] of Object.entries(value)) {
    if (!isField(field)) {
      return `${place} has an unknown field ${quoted(field)}`;
    }
    const problem = FIELDS[field](part);
    if (problem !== undefined) return `${place}.${field} ${problem}`;
  }
  return isTool(value) ? value : `${place}.name must be a string`;
}

function isField(field: string): field is keyof Tool {
  return Object.hasOwn(FIELDS, field);
}

/** Every field is of its type by now; only `name` must be there. */
function isTool(value: object): value is Tool {
  return "name" in value;
}

function schemaProblem(value: unknown): string | undefined {
  return isObject(value) ? schemaFault(value) : "must be an object";
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A name that is there twice, or that another one begins with: it cannot be both. Undefined: none. */
export function toolNamesFault(tools: readonly Pick<Tool, "name">[]): string | undefined {
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name)) return `tools has ${quoted(name)} twice`;
    names.add(name);
  }
  for (const { name } of tools) {
    for (let dot = name.indexOf("."); dot !== -1; dot = name.indexOf(".", dot + 1)) {
      const prefix = name.slice(0, dot);
      if (names.has(prefix)) {
        return `tools has ${quoted(prefix)} and ${quoted(name)}: a tool has no tools below it`;
      }
    }
  }
  return undefined;
}
