/**
 * Tools as a TypeScript declaration of `tools`.
 *
 * @module
 */
import { textsOf, type ToolDeclaration } from "./declaration.ts";
import { spell, type SpelledField, type Spelling } from "./spelling.ts";
import { type ToolTree, toolTree } from "./tool_tree.ts";

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** In a type, a signature of this name is that of a constructor. */
const CONSTRUCTOR = "new";

const SPELLING: Spelling = {
  any: "unknown",
  null: "null",
  boolean: "boolean",
  integer: "number",
  number: "number",
  string: "string",
  literal: (value) => JSON.stringify(value),
  list: (item) => /[ |]/.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`,
  tuple: (items) => `[${items.join(", ")}]`,
  object: (fields, others) => {
    const members = fields.map((field) => `${member(field.name)}${optional(field)}: ${field.type}`);
    if (others !== undefined) {
      // an index signature must allow the types of all members
      members.push(`[name: string]: ${fields.length === 0 ? others : "unknown"}`);
    }
    return members.length === 0 ? "Record<string, never>" : `{ ${members.join("; ")} }`;
  },
  union: (options) => options.join(" | "),
};

function optional({ isRequired }: Pick<SpelledField, "isRequired">): string {
  return isRequired ? "" : "?";
}

function member(name: string): string {
  return IDENTIFIER.test(name) && name !== CONSTRUCTOR ? name : JSON.stringify(name);
}

/** The declaration. `note`: a last line, as a comment. */
export function typeScriptDeclaration(tools: readonly ToolDeclaration[], note?: string): string {
  const body = groupBody(toolTree(tools), "  ");
  const rest = note === undefined ? "" : `// ${note}\n`;
  return `declare const tools: {\n${body}};\n${rest}`;
}

function groupBody({ tools, groups }: ToolTree, indent: string): string {
  const own = [...tools].map(([name, tool]) => method(name, tool, indent));
  const inner = [...groups].map(([name, group]) =>
    `${indent}${member(name)}: {\n${groupBody(group, `${indent}  `)}${indent}};\n`
  );
  return [...own, ...inner].join("");
}

function method(name: string, tool: ToolDeclaration, indent: string): string {
  const { fields, others } = tool.input;
  const isOptional = fields.every(({ isRequired }) => !isRequired);
  const hasNone = fields.length === 0 && others === undefined;
  const args = hasNone ? "" : `args${isOptional ? "?" : ""}: ${spell(tool.input, SPELLING)}`;
  const result = spell(tool.output, SPELLING);
  return `${comment(tool, indent)}${indent}${member(name)}(${args}): Promise<${result}>;\n`;
}

function comment(tool: ToolDeclaration, indent: string): string {
  const lines = textsOf(tool, (name) => `@param args.${name}`)
    .map((line) => line.replaceAll("*/", "* /"));
  if (lines.length === 0) return "";
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}
