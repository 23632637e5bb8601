/**
 * Which imported and exported names a source needs at run time. JavaScript needs them all. TypeScript
 * names types as it names values, so names without a use as a value need not exist, as in the output
 * of TypeScript's own compiler.
 *
 * @module
 */
import type { AnyNode, ImportDeclaration, Program } from "acorn";
import { declaredNames } from "./declared_names.ts";
import { valueParts } from "./syntax_tree.ts";

/** Which names of a source are needed. */
export interface ImportRules {
  /** Whether linking fails when the imported name is missing; `local` is its name in the source. */
  isRequired(local: string): boolean;
  /** Whether linking fails when a name is missing that the source only hands on. */
  readonly requiresReexports: boolean;
  /** How a statement loads its module. */
  loading(statement: ImportDeclaration): "always" | "never" | "if there is one";
  /** Whether the source binds a name at its top level; false for the name of a type. */
  isBound(name: string): boolean;
}

/** The rules of JavaScript. */
export const JAVASCRIPT_RULES: ImportRules = {
  isRequired: () => true,
  requiresReexports: true,
  loading: () => "always",
  isBound: () => true,
};

/** A TypeScript source before and after its types were removed. */
export interface TypeScriptSource {
  readonly submitted: string;
  readonly code: string;
  readonly program: Program;
  /** Whether later sources can use its imports. */
  readonly isShared: boolean;
}

const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/gu;

/** An import without names. */
const EFFECT = /\bimport\s*(?:"([^"\n]*)"|'([^'\n]*)')/g;

/** How often each of the names is in a text. */
function countWords(text: string, names: ReadonlySet<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(WORD)) {
    if (names.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** Names of identifiers that may be values. */
function valueNames(program: Program): ReadonlySet<string> {
  const names = new Set<string>();
  const pending: AnyNode[] = [program];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "Identifier") names.add(node.name);
    for (const part of valueParts(node)) pending.push(part);
  }
  return names;
}

function importedNames(program: Program): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of program.body) {
    if (statement.type !== "ImportDeclaration") continue;
    for (const { local } of statement.specifiers) names.add(local.name);
  }
  return names;
}

/** Names that the source only hands on: `export { A }` of an import, or as the default. */
function exportedNames(program: Program): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of program.body) {
    if (statement.type === "ExportNamedDeclaration" && !statement.source) {
      for (const { local } of statement.specifiers) {
        if (local.type === "Identifier") names.add(local.name);
      }
    } else if (
      statement.type === "ExportDefaultDeclaration" && statement.declaration.type === "Identifier"
    ) {
      names.add(statement.declaration.name);
    }
  }
  return names;
}

/** The rules of one TypeScript source. */
export function typeScriptRules(
  { submitted, code, program, isShared }: TypeScriptSource,
): ImportRules {
  const imported = importedNames(program);
  const values = imported.size === 0 ? imported : valueNames(program);
  const exported = exportedNames(program);
  const before = countWords(submitted, imported);
  const after = countWords(code, imported);
  const effects = new Set(
    [...submitted.matchAll(EFFECT)].map(([, double, single]) => double ?? single),
  );
  const bound = new Set(declaredNames(program));
  const isType = (name: string) =>
    !values.has(name) && !exported.has(name) && (before.get(name) ?? 0) > (after.get(name) ?? 0);
  return {
    isRequired: (local) => values.has(local),
    requiresReexports: false,
    loading: ({ specifiers, source }) => {
      if (specifiers.length === 0) return effects.has(String(source.value)) ? "always" : "never";
      if (!specifiers.every(({ local }) => isType(local.name))) return "always";
      return isShared ? "if there is one" : "never";
    },
    isBound: (name) => bound.has(name),
  };
}
