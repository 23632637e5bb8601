/**
 * A tool as it is declared to whoever writes a program, and how much of it.
 *
 * @module
 */
import type { JsonValue } from "../../client/protocol/types.ts";
import { ANY, type Field, type ValueType, valueType } from "./value_type.ts";

/** A tool with its schemas, unchecked. */
export interface ToolSchemas {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: JsonValue | undefined;
  readonly outputSchema?: JsonValue | undefined;
  /** The shape of the answers so far, in place of an `outputSchema`. */
  readonly observedSchema?: JsonValue | undefined;
}

/** A tool, read for its declaration. */
export interface ToolDeclaration {
  /** Identifiers joined by dots. */
  readonly name: string;
  /** Lines of text without control characters. */
  readonly description: readonly string[];
  readonly input: ValueType & { readonly kind: "object" };
  readonly output: ValueType;
  /** Whether `output` is the shape of earlier answers. */
  readonly isObserved?: boolean;
}

/** Any members. */
const ANY_ARGUMENTS: ToolDeclaration["input"] = { kind: "object", fields: [], others: ANY };
/** Of a shape of earlier answers. */
const OBSERVED = "The type of the result is observed, not promised.";
/** Characters of the text that a short declaration has of a description. */
const SHORT_LENGTH = 120;

/** Reads a tool. */
export function declarationOf(tool: ToolSchemas): ToolDeclaration {
  const input = valueType(tool.inputSchema);
  const isObserved = tool.outputSchema === undefined && tool.observedSchema !== undefined;
  return {
    name: tool.name,
    description: linesOf(tool.description),
    input: input.kind === "object" ? input : ANY_ARGUMENTS,
    output: valueType(tool.outputSchema ?? tool.observedSchema),
    ...(isObserved ? { isObserved } : {}),
  };
}

/** Steps from a whole declaration to its name. Each leaves out more. */
export const REDUCTIONS: readonly ((tool: ToolDeclaration) => ToolDeclaration)[] = [
  (tool) => tool,
  ({ isObserved = false, ...tool }) => isObserved ? { ...tool, output: ANY } : tool,
  (tool) => ({ ...tool, input: { ...tool.input, fields: tool.input.fields.map(withoutText) } }),
  (tool) => ({ ...withoutFieldTexts(tool), description: shortText(tool.description) }),
  (tool) => ({ ...shallow(tool), description: shortText(tool.description) }),
  (tool) => ({ ...shallow(tool), description: [] }),
  ({ name }) => ({ name, description: [], input: ANY_ARGUMENTS, output: ANY }),
];

function withoutFieldTexts(tool: ToolDeclaration): ToolDeclaration {
  return { ...tool, input: { ...tool.input, fields: tool.input.fields.map(withoutText) } };
}

function withoutText({ description: _, ...field }: Field): Field {
  return field;
}

/** The input with its first level alone, and no output. */
function shallow({ name, input }: ToolDeclaration): Omit<ToolDeclaration, "description"> {
  const fields = input.fields.map((field) => {
    const { kind } = field.type;
    const isDeep = kind === "object" || kind === "tuple" || kind === "union" || kind === "list";
    return { ...withoutText(field), type: isDeep ? ANY : field.type };
  });
  return { name, input: { ...input, fields }, output: ANY };
}

function shortText([line = ""]: readonly string[]): readonly string[] {
  if (line === "") return [];
  return [line.length > SHORT_LENGTH ? `${line.slice(0, SHORT_LENGTH).toWellFormed()}…` : line];
}

/** The lines about a tool. `label`: the beginning of those about a field. */
export function textsOf(
  { description, input, isObserved = false }: ToolDeclaration,
  label: (name: string) => string,
): readonly string[] {
  const fields = input.fields.filter((field) => field.description !== undefined);
  return [
    ...description,
    ...(isObserved ? [OBSERVED] : []),
    ...fields.map(({ name, description }) => `${label(name)} ${linesOf(description).join(" ")}`),
  ];
}

/** The lines of a text, which may come from anywhere. */
export function linesOf(text: string | undefined): readonly string[] {
  return (text ?? "").split(/[\r\n\u2028\u2029]/)
    .map((line) => line.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim())
    .filter((line) => line !== "");
}
