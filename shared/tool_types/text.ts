/**
 * Tools as lines for a reader of any language.
 *
 * @module
 */
import type { ToolDeclaration } from "./declaration.ts";
import { lineForm } from "./line_form.ts";
import { spell, type SpelledField, spellFields, type Spelling } from "./spelling.ts";

function member({ name, type, isRequired }: SpelledField): string {
  return `${name}${isRequired ? "" : "?"}: ${type}`;
}

const SPELLING: Spelling = {
  any: "any",
  null: "null",
  boolean: "boolean",
  integer: "integer",
  number: "number",
  string: "string",
  literal: (value) => JSON.stringify(value),
  list: (item) => `list of ${item.includes(" | ") ? `(${item})` : item}`,
  tuple: (items) => `[${items.join(", ")}]`,
  object: (fields, others) =>
    `{${[...fields.map(member), ...(others === undefined ? [] : ["…"])].join(", ")}}`,
  union: (options) => options.join(" | "),
};

/** The lines. `note`: the last one. */
export function textDeclaration(tools: readonly ToolDeclaration[], note?: string): string {
  return lineForm(tools, { signature, comment: "  ", isCommentAfter: true, note });
}

function signature({ name, input, output }: ToolDeclaration): string {
  const members = spellFields(input.fields, SPELLING).map(member);
  const others = input.others === undefined ? [] : ["…"];
  return `${name}(${[...members, ...others].join(", ")}): ${spell(output, SPELLING)}`;
}
