/**
 * `using` and `await using` at the top level of a script, where the language does not allow them: a
 * resource becomes a constant, which later scripts of a context can use, and is disposed of at the
 * end of the script.
 *
 * @module
 */
import type { Program, VariableDeclaration } from "acorn";
import { DISPOSE_FUNCTION, USE_FUNCTION } from "../loader_names.ts";
import { lineBreaksOf, type TextEdit } from "./text_edits.ts";

/** As long as `using`, which it replaces, so that what follows keeps its column. */
const CONSTANT = "const";

/** Whether a declaration is `await using`. */
function isAwaitUsing({ kind }: VariableDeclaration): boolean {
  return kind === "await using";
}

function editsOf(source: string, declaration: VariableDeclaration): TextEdit[] {
  const { declarations: [first], start } = declaration;
  if (first === undefined) return [];
  const { start: end } = first;
  const keyword = source.slice(start, end);
  const edits = [{ start, end, text: CONSTANT.padEnd(keyword.length) + lineBreaksOf(keyword) }];
  const isAsync = isAwaitUsing(declaration) ? ",true" : "";
  for (const { id, end } of declaration.declarations) {
    if (id.type !== "Identifier") continue;
    edits.push({ start: end, end, text: `,{}=${USE_FUNCTION}(${id.name}${isAsync})` });
  }
  return edits;
}

/** The edits of a script that has resources at its top level. */
export function resourceEdits(source: string, program: Program): readonly TextEdit[] {
  const declarations = program.body.filter((statement) =>
    statement.type === "VariableDeclaration" &&
    (statement.kind === "using" || isAwaitUsing(statement))
  ) as VariableDeclaration[];
  if (declarations.length === 0) return [];
  const wait = declarations.some(isAwaitUsing) ? "await " : "";
  const { length } = source;
  // a block of declarations has no value, so the script keeps its own
  const text = `\n;{let _=${wait}${DISPOSE_FUNCTION}()}`;
  return [
    ...declarations.flatMap((declaration) => editsOf(source, declaration)),
    { start: length, end: length, text },
  ];
}
