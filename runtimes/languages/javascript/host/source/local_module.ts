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
  ImportDeclaration,
  Program,
} from "acorn";
import {
  EXPORT_ALL_FUNCTION,
  EXPORT_FUNCTION,
  IMPORT_FUNCTION,
  WITHDRAW_FUNCTION,
} from "../loader_names.ts";
import {
  bindingFor,
  liveImports,
  loadExpression,
  type LoadingStatement,
  moduleName,
  nameOf,
  quoted,
} from "./import_binding.ts";
import { importEdits } from "./import_references.ts";
import { type ImportRules, JAVASCRIPT_RULES } from "./import_rules.ts";
import {
  expressionEdits,
  isLoading,
  isModuleSyntax,
  loadingEdits,
  valueIfAny,
} from "./module_syntax.ts";
import { addPatternNames } from "./syntax_tree.ts";
import { applyEdits, blanksFor, lineBreaksOf, skipTrivia, type TextEdit } from "./text_edits.ts";

const DEFAULT_NAME = "__belljar_default__";
const STRICT = "'use strict';";

/** Name in another module → exported name. */
type NamePair = readonly [string, string];

/** The exports of a module. */
class Exports {
  /** Exported name → the expression for its value. */
  readonly values = new Map<string, string>();
  /** Exported names of which the other module may lack what they name. */
  readonly uncertain = new Set<string>();
  /** Local name of an import that is read at each use → the expression for its value. */
  readonly imported = new Map<string, string>();
  readonly rules: ImportRules;
  /** Local name → exported names, of imports that are only handed on. */
  readonly #handedOn = new Map<string, string[]>();

  constructor(program: Program, rules: ImportRules) {
    this.rules = rules;
    for (const statement of program.body) {
      if (statement.type !== "ExportNamedDeclaration" || statement.source) continue;
      for (const { local, exported } of statement.specifiers) {
        const name = nameOf(local);
        if (rules.isRequired(name)) continue;
        this.#handedOn.set(name, [...(this.#handedOn.get(name) ?? []), nameOf(exported)]);
      }
    }
  }

  /** The statement that withdraws what the module with these exports lacks; empty if it lacks none. */
  withdrawal(module: string, pairs: readonly NamePair[]): string {
    if (pairs.length === 0) return "";
    for (const [, exported] of pairs) this.uncertain.add(exported);
    const names = pairs.map((pair) => `[${pair.map(quoted).join(",")}]`);
    return `${WITHDRAW_FUNCTION}(${module},[${names.join(",")}]);`;
  }

  /** The same for the names of an import that are exported. */
  withdrawalOf(statement: ImportDeclaration, specifier: string): string {
    const pairs = statement.specifiers.flatMap((node): NamePair[] => {
      if (node.type === "ImportNamespaceSpecifier") return [];
      const name = node.type === "ImportDefaultSpecifier" ? "default" : nameOf(node.imported);
      return (this.#handedOn.get(node.local.name) ?? []).map((exported) => [name, exported]);
    });
    return this.withdrawal(`${IMPORT_FUNCTION}(${quoted(specifier)})`, pairs);
  }
}

/** The replacement of a statement that loads a module; its re-exports are added to `exports`. */
function loadingText(statement: LoadingStatement, index: number, exports: Exports): string {
  const specifier = String(statement.source.value);
  switch (statement.type) {
    case "ImportDeclaration": {
      const holder = moduleName(index);
      const binding = bindingFor(statement, { rules: exports.rules, holder, bindsLive: false });
      for (const [local, name] of liveImports(statement)) {
        exports.imported.set(local, `${holder}[${quoted(name)}]`);
      }
      return binding + exports.withdrawalOf(statement, specifier);
    }
    case "ExportAllDeclaration":
      return exportAll(statement, loadExpression(specifier, []), index, exports);
    case "ExportNamedDeclaration": {
      const pairs = statement.specifiers.map(({ local, exported }): NamePair => [
        nameOf(local),
        nameOf(exported),
      ]);
      const source = moduleName(index);
      for (const [local, exported] of pairs) {
        exports.values.set(exported, `${source}[${quoted(local)}]`);
      }
      const { requiresReexports } = exports.rules;
      const names = requiresReexports ? pairs.map(([local]) => local) : [];
      const load = `const ${source}=${loadExpression(specifier, names)};`;
      return requiresReexports ? load : load + exports.withdrawal(source, pairs);
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
  exports.values.set(nameOf(statement.exported), moduleName(index));
  return `const ${moduleName(index)}=${load};`;
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
  for (const name of declaredExports(statement)) exports.values.set(name, name);
  for (const { local, exported } of statement.specifiers) {
    const name = nameOf(local);
    if (exports.rules.isBound(name)) exports.values.set(nameOf(exported), name);
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
    exports.values.set("default", declaration.id.name);
    return [{ start, end: valueStart, text: `;${lines}` }];
  }
  exports.values.set("default", DEFAULT_NAME);
  if (declaration.type === "Identifier" && !exports.rules.isBound(declaration.name)) {
    const text = `const ${DEFAULT_NAME}=${valueIfAny(declaration.name)};`;
    return [{ start, end, text: text + lineBreaksOf(source.slice(start, end)) }];
  }
  // as a property's value, an anonymous function gets the same name as in a module
  const open = `const ${DEFAULT_NAME}=({"default":(${lines}`;
  return [
    { start, end: valueStart, text: open },
    { start: declaration.end, end: declaration.end, text: `)})["default"]` },
    { start: end, end, text: ";" },
  ];
}

function exportText({ values, uncertain, imported }: Exports): string {
  const names = [...values.keys()].sort();
  const valueOf = (name: string) => {
    const value = values.get(name) ?? "";
    return imported.get(value) ?? value;
  };
  const getters = names.map((name) => `${quoted(name)}:()=>${valueOf(name)}`);
  const list = [...uncertain].map(quoted).join(",");
  return `${EXPORT_FUNCTION}({__proto__:null,${getters.join(",")}},[${list}]);`;
}

/** The module as the body of a function; undefined for a script. `rules` are those of its language. */
export function rewriteLocalModule(
  source: string,
  program: Program,
  rules: ImportRules = JAVASCRIPT_RULES,
): string | undefined {
  const { edits: expressions, usesMeta } = expressionEdits(source, program);
  if (!usesMeta && !program.body.some(isModuleSyntax)) return undefined;
  const exports = new Exports(program, rules);
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
  const body = applyEdits(source, [
    ...edits,
    ...expressions,
    ...importEdits(source, program, exports.imported),
  ]);
  return `${STRICT}${exportText(exports)}${body}`;
}
