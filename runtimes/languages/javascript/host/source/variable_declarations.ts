/**
 * Declarations of names that earlier scripts made permanent variables or functions of the global
 * object: `let`, `const` and `class` can no longer declare them, `var` can.
 *
 * @module
 */
import type { ModuleDeclaration, Statement, VariableDeclaration } from "acorn";
import { parseScript } from "./script_parser.ts";
import { addPatternNames } from "./syntax_tree.ts";
import { applyEdits, type TextEdit } from "./text_edits.ts";

const VARIABLE = "var";

function declaresAny(declaration: VariableDeclaration, names: ReadonlySet<string>): boolean {
  const declared = new Set<string>();
  for (const { id } of declaration.declarations) addPatternNames(id, declared);
  return [...declared].some((name) => names.has(name));
}

function editsOf(
  statement: Statement | ModuleDeclaration,
  names: ReadonlySet<string>,
): readonly TextEdit[] {
  const { start, end } = statement;
  if (statement.type === "VariableDeclaration") {
    const { kind } = statement;
    if (kind !== "let" && kind !== "const" || !declaresAny(statement, names)) return [];
    return [{ start, end: start + kind.length, text: VARIABLE.padEnd(kind.length) }];
  }
  if (statement.type !== "ClassDeclaration" || !names.has(statement.id.name)) return [];
  return [
    { start, end: start, text: `${VARIABLE} ${statement.id.name}=` },
    { start: end, end, text: ";" },
  ];
}

/** The script with `var` in place of other top-level declarations of the names. */
export function declareAsVariables(code: string, names: readonly string[]): string {
  const parsed = parseScript(code, { tokens: false });
  if (parsed.kind !== "parsed") return code;
  const wanted = new Set(names);
  return applyEdits(code, parsed.program.body.flatMap((statement) => editsOf(statement, wanted)));
}
