/**
 * Modules in the guest's files: `import` and `export` become calls of functions that the guest's
 * loader passes in, so that the rest is the body of a function. Every line keeps its number.
 *
 * @module
 */
import type {
  ExportAllDeclaration,
  ExportDefaultDeclaration,
  ExportNamedDeclaration,
  Program,
} from "acorn";
import { EXPORT_ALL_FUNCTION, EXPORT_FUNCTION } from "../shared/loader_names.ts";
import {
  bindingFor,
  loadExpression,
  type LoadingStatement,
  nameOf,
  quoted,
} from "./import_binding.ts";
import { expressionEdits, isLoading, isModuleSyntax, loadingEdits } from "./module_syntax.ts";
import { addPatternNames } from "./syntax_tree.ts";
import { applyEdits, blanksFor, lineBreaksOf, skipTrivia, type TextEdit } from "./text_edits.ts";

const DEFAULT_NAME = "__belljar_default__";
const STRICT = "'use strict';";

/** Exported name → the expression for its value. */
type Exports = Map<string, string>;

function sourceName(index: number): string {
  return `__belljar_module_${index}__`;
}

/** The replacement of a statement that loads a module; its re-exports are added to `exports`. */
function loadingText(statement: LoadingStatement, index: number, exports: Exports): string {
  const specifier = String(statement.source.value);
  switch (statement.type) {
    case "ImportDeclaration":
      return bindingFor(statement);
    case "ExportAllDeclaration":
      return exportAll(statement, loadExpression(specifier, []), index, exports);
    case "ExportNamedDeclaration": {
      const names = statement.specifiers.map(({ local }) => nameOf(local));
      for (const { local, exported } of statement.specifiers) {
        exports.set(nameOf(exported), `${sourceName(index)}[${quoted(nameOf(local))}]`);
      }
      return `const ${sourceName(index)}=${loadExpression(specifier, names)};`;
    }
  }
}

function exportAll(
  statement: ExportAllDeclaration,
  load: string,
  index: number,
  exports: Exports,
): string {
  if (!statement.exported) return `${EXPORT_ALL_FUNCTION}(${load});`;
  exports.set(nameOf(statement.exported), sourceName(index));
  return `const ${sourceName(index)}=${load};`;
}

function declaredExports(statement: ExportNamedDeclaration): readonly string[] {
  const { declaration } = statement;
  if (!declaration) return [];
  const names = new Set<string>();
  if (declaration.type === "VariableDeclaration") {
    for (const { id } of declaration.declarations) addPatternNames(id, names);
  } else {
    names.add(declaration.id.name);
  }
  return [...names];
}

function namedEdit(source: string, statement: ExportNamedDeclaration, exports: Exports): TextEdit {
  for (const name of declaredExports(statement)) exports.set(name, name);
  for (const { local, exported } of statement.specifiers) {
    exports.set(nameOf(exported), nameOf(local));
  }
  const { start, end, declaration } = statement;
  if (declaration) {
    const keyword = source.slice(start, start + "export".length);
    return { start, end: start + keyword.length, text: blanksFor(keyword) };
  }
  return { start, end, text: `;${lineBreaksOf(source.slice(start, end))}` };
}

function defaultEdits(
  source: string,
  statement: ExportDefaultDeclaration,
  exports: Exports,
): TextEdit[] {
  const { declaration, start, end } = statement;
  const valueStart = skipTrivia(source, start + "export".length) + "default".length;
  const lines = lineBreaksOf(source.slice(start, valueStart));
  const isDeclaration = declaration.type === "FunctionDeclaration" ||
    declaration.type === "ClassDeclaration";
  if (isDeclaration && declaration.id) {
    exports.set("default", declaration.id.name);
    return [{ start, end: valueStart, text: `;${lines}` }];
  }
  exports.set("default", DEFAULT_NAME);
  // as a property's value, an anonymous function gets the same name as in a module
  const open = `const ${DEFAULT_NAME}=({"default":(${lines}`;
  return [
    { start, end: valueStart, text: open },
    { start: declaration.end, end: declaration.end, text: `)})["default"]` },
    { start: end, end, text: ";" },
  ];
}

function exportText(exports: Exports): string {
  const names = [...exports.keys()].sort();
  const getters = names.map((name) => `${quoted(name)}:()=>${exports.get(name)}`);
  return `${EXPORT_FUNCTION}({__proto__:null,${getters.join(",")}});`;
}

/** The module as the body of a function; undefined for a script. */
export function rewriteLocalModule(source: string, program: Program): string | undefined {
  const { edits: expressions, usesMeta } = expressionEdits(source, program);
  if (!usesMeta && !program.body.some(isModuleSyntax)) return undefined;
  const exports: Exports = new Map();
  let loads = 0;
  const edits = loadingEdits(
    source,
    program,
    (statement) => loadingText(statement, loads++, exports),
  );
  for (const statement of program.body) {
    if (isLoading(statement)) continue;
    if (statement.type === "ExportDefaultDeclaration") {
      edits.push(...defaultEdits(source, statement, exports));
    } else if (statement.type === "ExportNamedDeclaration") {
      edits.push(namedEdit(source, statement, exports));
    }
  }
  const body = applyEdits(source, [...edits, ...expressions]);
  return `${STRICT}${exportText(exports)}${body}`;
}
