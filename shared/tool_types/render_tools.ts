/**
 * Declarations of tools for whoever writes a program, a model above all: within a number of bytes, and
 * with the less important left out first. Advice only: calls are checked against the schemas.
 *
 * No library writes these forms. json-schema-to-typescript writes one of them, brings a formatter along,
 * and reads files and addresses that a schema names.
 *
 * @module
 */
import {
  declarationOf,
  REDUCTIONS,
  type ToolDeclaration,
  type ToolSchemas,
} from "./declaration.ts";
import { perlDeclaration } from "./perl.ts";
import { pythonDeclaration } from "./python.ts";
import { rubyDeclaration } from "./ruby.ts";
import { textDeclaration } from "./text.ts";
import { typeScriptDeclaration } from "./typescript.ts";

/** Writes declarations, and a note below them. */
type Renderer = (tools: readonly ToolDeclaration[], note?: string) => string;

const RENDERERS = {
  typescript: typeScriptDeclaration,
  python: pythonDeclaration,
  ruby: rubyDeclaration,
  perl: perlDeclaration,
  text: textDeclaration,
} as const satisfies Readonly<Record<string, Renderer>>;

/** A form of declarations. */
export type ToolForm = keyof typeof RENDERERS;

/** All forms. */
export const TOOL_FORMS: readonly ToolForm[] = Object.keys(RENDERERS).filter(isToolForm);

/** Whether a name is that of a form. */
export function isToolForm(name: string): name is ToolForm {
  return Object.hasOwn(RENDERERS, name);
}

/**
 * Declares tools in a form, in at most `maxBytes` of UTF-8. As far as that is too little, texts are left
 * out, then types, and at last tools: a note says how many. The frame of a declaration and the note, at
 * most 300 bytes, are always there. Names must be identifiers joined by dots.
 */
export function renderTools(
  tools: readonly ToolSchemas[],
  form: ToolForm,
  maxBytes: number,
): string {
  const render: Renderer = RENDERERS[form];
  let declared = tools.map(declarationOf);
  for (const reduce of REDUCTIONS) {
    declared = declared.map(reduce);
    const text = render(declared);
    if (byteLength(text) <= maxBytes) return text;
  }
  return render(...mostOf(declared, render, maxBytes));
}

/** The first tools that fit, and the note about the others. */
function mostOf(
  tools: readonly ToolDeclaration[],
  render: Renderer,
  maxBytes: number,
): Parameters<Renderer> {
  const first = (count: number): Parameters<Renderer> => [
    tools.slice(0, count),
    tools.length - count === 1
      ? "1 more tool is not shown"
      : `${tools.length - count} more tools are not shown`,
  ];
  let [fits, tooMany] = [0, tools.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (byteLength(render(...first(middle))) <= maxBytes) fits = middle;
    else tooMany = middle;
  }
  return first(fits);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
