/**
 * Tools as Python declarations: a class `tools` of functions, and the dictionaries that they take and
 * return.
 *
 * @module
 */
import { textsOf, type ToolDeclaration } from "./declaration.ts";
import { spell, type SpelledField, spellFields, type Spelling } from "./spelling.ts";
import { type ToolTree, toolTree } from "./tool_tree.ts";
import type { ValueType } from "./value_type.ts";

const IDENTIFIER = /^[A-Za-z_]\w*$/;
const KEYWORDS: ReadonlySet<string> = new Set(
  ("False None True and as assert async await break class continue def del elif else except finally for " +
    "from global if import in is lambda nonlocal not or pass raise return try while with yield")
    .split(" "),
);
const LITERAL = "Literal[";
const HEAD = "from typing import Any, Literal, NotRequired, TypedDict\n\n" +
  "# tools.name(…) waits for the value, and await tools.name.start(…) lets other tasks run meanwhile\n";

function isKeyword(name: string): boolean {
  return KEYWORDS.has(name);
}

/** Whether a name can be that of a parameter or a member. A class changes names with two underscores. */
function isPlain(name: string): boolean {
  return IDENTIFIER.test(name) && !isKeyword(name) && !name.startsWith("__");
}

/** A text between double quotes. */
function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed());
}

/** Types, and the dictionaries that they need, each with a name of its own. */
class Types {
  readonly #names = new Set(["tools", "Any", "Literal", "NotRequired", "TypedDict"]);
  readonly #definitions: string[] = [];

  /** Definitions since the last call. */
  takeDefinitions(): string {
    return this.#definitions.splice(0).join("");
  }

  /** `name`: of the type's dictionary, if it is one. */
  spell(type: ValueType, name: string): string {
    let inner = 0;
    const spelling = (nameOf: () => string): Spelling => ({
      any: "Any",
      null: "None",
      boolean: "bool",
      integer: "int",
      number: "float",
      string: "str",
      literal: (value) =>
        typeof value === "number" ? "float" : `${LITERAL}${pythonLiteral(value)}]`,
      list: (item) => `list[${item}]`,
      tuple: () => "list[Any]",
      object: (fields, others) =>
        fields.length === 0 ? `dict[str, ${others ?? "Any"}]` : this.#define(fields, nameOf()),
      union: (options) => {
        const literals = options.filter((option) => option.startsWith(LITERAL));
        const texts = literals.map((option) => option.slice(LITERAL.length, -1)).join(", ");
        const others = options.filter((option) => !option.startsWith(LITERAL));
        return [...(texts === "" ? [] : [`${LITERAL}${texts}]`]), ...others].join(" | ");
      },
    });
    const innerSpelling = spelling(() => `${name}${++inner}`);
    if (type.kind !== "object") return spell(type, innerSpelling);
    const others = type.others === undefined ? undefined : spell(type.others, innerSpelling);
    return spelling(() => name).object(spellFields(type.fields, innerSpelling), others);
  }

  #define(fields: readonly SpelledField[], wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#names.has(name); number++) name = `${wanted}_${number}`;
    this.#names.add(name);
    const members = fields.map(({ name: key, type, isRequired }) => ({
      key,
      type: isRequired ? type : `NotRequired[${type}]`,
    }));
    const text = members.every(({ key }) => isPlain(key))
      ? `class ${name}(TypedDict):\n${
        members.map(({ key, type }) => `    ${key}: ${type}\n`).join("")
      }`
      : `${name} = TypedDict(${quoted(name)}, {` +
        `${members.map(({ key, type }) => `${quoted(key)}: ${type}`).join(", ")}})\n`;
    this.#definitions.push(`\n${text}`);
    return name;
  }
}

function pythonLiteral(value: string | boolean): string {
  return typeof value === "string" ? quoted(value) : value ? "True" : "False";
}

/** The declarations. `note`: a last line, as a comment. */
export function pythonDeclaration(tools: readonly ToolDeclaration[], note?: string): string {
  const types = new Types();
  const body = classOf("tools", toolTree(tools), "", types);
  const rest = note === undefined ? "" : `# ${note}\n`;
  return `${HEAD}${types.takeDefinitions()}\n${body}${rest}`;
}

function classOf(
  name: string,
  { tools, groups }: ToolTree,
  indent: string,
  types: Types,
): string {
  const inner = `${indent}    `;
  const own = [...tools].map(([last, tool]) => functionOf(last, tool, inner, types));
  const classes = [...groups].map(([segment, group]) =>
    classOf(attribute(segment), group, inner, types)
  );
  const body = [...own, ...classes].join("");
  const isEmpty = !/^\s*[^\s#]/m.test(body);
  return `${indent}class ${name}:\n${body}${isEmpty ? `${inner}pass\n` : ""}`;
}

/** The guest has a tool whose name is a keyword under that name and an underscore. */
function attribute(segment: string): string {
  return isKeyword(segment) ? `${segment}_` : segment;
}

function functionOf(name: string, tool: ToolDeclaration, indent: string, types: Types): string {
  const base = tool.name.split(/[._]/).map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join("");
  const parameters = parametersOf(tool, base, types);
  const result = types.spell(tool.output, `${base}Result`);
  const inner = `${indent}    `;
  return `${indent}@staticmethod\n${indent}def ${attribute(name)}(${parameters}) -> ${result}:\n` +
    `${documentation(tool, inner)}${inner}...\n`;
}

function parametersOf({ input }: ToolDeclaration, base: string, types: Types): string {
  const { fields, others } = input;
  if (!fields.every(({ name }) => isPlain(name))) {
    return `arguments: ${types.spell(input, `${base}Arguments`)}, /`;
  }
  const named = fields.map(({ name, type, isRequired }) => {
    const pascal = name.slice(0, 1).toUpperCase() + name.slice(1);
    return `${name}: ${types.spell(type, `${base}${pascal}`)}${isRequired ? "" : " = ..."}`;
  });
  const rest = others === undefined ? [] : [`**others: ${types.spell(others, `${base}Other`)}`];
  return [...(named.length === 0 ? [] : ["*", ...named]), ...rest].join(", ");
}

function documentation(tool: ToolDeclaration, indent: string): string {
  const lines = textsOf(tool, (name) => `${name}:`).map((line) =>
    line.replaceAll("\\", "\\\\").replaceAll('"""', "'''")
  );
  const last = lines.at(-1) ?? "";
  if (lines.length === 0) return "";
  // a quote at the end would be a part of the delimiter
  const end = last.endsWith('"') ? " " : "";
  return `${indent}"""${lines.join(`\n${indent}`)}${end}"""\n`;
}
