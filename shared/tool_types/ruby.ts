/**
 * Tools as Ruby signatures in the notation of RBS, one a line.
 *
 * @module
 */
import type { ToolDeclaration } from "./declaration.ts";
import { lineForm } from "./line_form.ts";
import { spell, spellFields, type Spelling } from "./spelling.ts";

const IDENTIFIER = /^[a-z_]\w*$/;

/** A text between double quotes, without interpolation. */
function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll("#", "\\#");
}

const SPELLING: Spelling = {
  any: "untyped",
  null: "nil",
  boolean: "bool",
  integer: "Integer",
  number: "Float",
  string: "String",
  literal: (value) => typeof value === "string" ? quoted(value) : String(value),
  list: (item) => `Array[${item}]`,
  tuple: (items) => `[${items.join(", ")}]`,
  object: (fields, others) => {
    if (fields.length === 0) return `Hash[String, ${others ?? "untyped"}]`;
    const members = fields.map(({ name, type, isRequired }) =>
      `${isRequired ? "" : "?"}${quoted(name)} => ${type}`
    );
    return `{ ${members.join(", ")} }`;
  },
  union: (options) => `(${options.join(" | ")})`,
};

/** The signatures. `note`: a last line, as a comment. */
export function rubyDeclaration(tools: readonly ToolDeclaration[], note?: string): string {
  return lineForm(tools, { signature, comment: "# ", note });
}

function signature({ name, input, output }: ToolDeclaration): string {
  const fields = spellFields(input.fields, SPELLING).map(({ name, type, isRequired }) =>
    `${isRequired ? "" : "?"}${IDENTIFIER.test(name) ? name : quoted(name)}: ${type}`
  );
  const others = input.others === undefined ? [] : [`**${spell(input.others, SPELLING)}`];
  return `tools.${name}: (${[...fields, ...others].join(", ")}) -> ${spell(output, SPELLING)}`;
}
