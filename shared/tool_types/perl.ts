/**
 * Tools as calls in Perl, whose arguments are types in the notation of Type::Tiny.
 *
 * @module
 */
import type { ToolDeclaration } from "./declaration.ts";
import { lineForm } from "./line_form.ts";
import { spell, type Spelling } from "./spelling.ts";

const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const IDENTIFIER = /^[A-Za-z_]\w*$/;

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}

const SPELLING: Spelling = {
  any: "Any",
  null: "Undef",
  boolean: "Bool",
  integer: "Int",
  number: "Num",
  string: "Str",
  literal: (value) => {
    if (typeof value !== "string") return typeof value === "number" ? "Num" : "Bool";
    return CONTROL.test(value) ? "Str" : `Enum[${quoted(value)}]`;
  },
  list: (item) => `ArrayRef[${item}]`,
  tuple: (items) => `Tuple[${items.join(", ")}]`,
  object: (fields, others) => {
    if (fields.length === 0) return `HashRef[${others ?? "Any"}]`;
    const members = fields.map(({ name, type, isRequired }) =>
      `${IDENTIFIER.test(name) ? name : quoted(name)} => ${isRequired ? type : `Optional[${type}]`}`
    );
    return `Dict[${members.join(", ")}]`;
  },
  union: (options) => {
    const texts = options.filter((option) => option.startsWith("Enum["));
    const one = texts.length < 2 ? options : [
      `Enum[${texts.map((text) => text.slice(5, -1)).join(", ")}]`,
      ...options.filter((option) => !option.startsWith("Enum[")),
    ];
    return one.join(" | ");
  },
};

/** The calls. `note`: a last line, as a comment. */
export function perlDeclaration(tools: readonly ToolDeclaration[], note?: string): string {
  return lineForm(tools, { signature, comment: "# ", note });
}

function signature({ name, input, output }: ToolDeclaration): string {
  return `Belljar::call("${name}", ${spell(input, SPELLING)}); # ${spell(output, SPELLING)}`;
}
