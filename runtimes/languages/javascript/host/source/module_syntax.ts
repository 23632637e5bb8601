/**
 * Scripts written as modules: `import` and `export` are replaced, so that the rest can be evaluated
 * as a script whose declarations persist. Every line keeps its number.
 *
 * @module
 */
import type {
  ExportDefaultDeclaration,
  ExportNamedDeclaration,
  ModuleDeclaration,
  Program,
  Statement,
} from "acorn";
import { WORKSPACE } from "../../../../../client/protocol/paths.ts";
import { DYNAMIC_IMPORT_FUNCTION, META_NAME } from "../loader_names.ts";
import {
  bindingFor,
  liveImports,
  type LoadingStatement,
  moduleName,
  quoted,
} from "./import_binding.ts";
import { importEdits } from "./import_references.ts";
import { type ImportRules, JAVASCRIPT_RULES } from "./import_rules.ts";
import { scopeEdits } from "./script_scope.ts";
import { walkTree } from "./syntax_tree.ts";
import { resourceEdits } from "./top_level_using.ts";
import { applyEdits, blanksFor, lineBreaksOf, skipTrivia, type TextEdit } from "./text_edits.ts";

type TopLevel = Statement | ModuleDeclaration;

/** A script without module syntax. */
export interface ModuleRewrite {
  readonly code: string;
  /** Names that the rewriting itself declares. */
  readonly addedNames: readonly string[];
}

const SCRIPT = `${WORKSPACE}/main.js`;
const META = `const ${META_NAME}={__proto__:null,dirname:"${WORKSPACE}",filename:"${SCRIPT}",` +
  `main:true,url:"file://${SCRIPT}"};`;
/** Modules are strict, so the replacing script begins with this directive. */
const STRICT = "'use strict';";
const HASHBANG = "#!";
const MAY_HOLD_EXPRESSION = /\bimport\s*(?:[(.]|\/[*/])/;
const DEFAULT = "default";
const EXPORT = "export";

/** Whether a statement is allowed only in a module. */
export function isModuleSyntax(statement: TopLevel): statement is ModuleDeclaration {
  return statement.type === "ImportDeclaration" || statement.type.startsWith("Export");
}

/** Whether a statement loads another module. */
export function isLoading(statement: TopLevel): statement is LoadingStatement {
  return statement.type === "ImportDeclaration" || statement.type === "ExportAllDeclaration" ||
    statement.type === "ExportNamedDeclaration" && Boolean(statement.source);
}

/** The value of a global, or undefined for the name of a type. */
export function valueIfAny(name: string): string {
  return `(typeof ${name}==="undefined"?undefined:${name})`;
}

/** Whether executing the statement runs no code. */
function isInert(statement: TopLevel): boolean {
  switch (statement.type) {
    case "FunctionDeclaration":
    case "EmptyStatement":
      return true;
    case "ExpressionStatement":
      return statement.directive !== undefined;
    case "ExportNamedDeclaration":
      return !statement.declaration || isInert(statement.declaration);
    case "ExportDefaultDeclaration":
      return statement.declaration.type === "FunctionDeclaration";
    default:
      return false;
  }
}

function replaced(source: string, node: { start: number; end: number }, by: string): TextEdit {
  const { start, end } = node;
  return { start, end, text: by + lineBreaksOf(source.slice(start, end)) };
}

/**
 * Modules are loaded before anything runs. An import before the first statement that runs code
 * stays in place; later imports move up to that statement.
 */
export function loadingEdits(
  source: string,
  program: Program,
  bind: (statement: LoadingStatement) => string,
): TextEdit[] {
  const edits: TextEdit[] = [];
  let firstActive: TopLevel | undefined;
  for (const statement of program.body) {
    if (!isLoading(statement)) {
      if (!isInert(statement)) firstActive ??= statement;
      continue;
    }
    const binding = bind(statement);
    if (firstActive === undefined) {
      edits.push(replaced(source, statement, binding));
    } else {
      edits.push({ start: firstActive.start, end: firstActive.start, text: binding });
      edits.push(replaced(source, statement, ";"));
    }
  }
  return edits;
}

/** Replaces the text before an exported declaration or expression by a semicolon and blanks. */
function blanked(source: string, start: number, end: number, last = ""): TextEdit {
  const blanks = blanksFor(source.slice(start, end));
  return { start, end, text: ";" + blanks.slice(1, blanks.length - last.length) + last };
}

function exportDefaultEdits(
  source: string,
  statement: ExportDefaultDeclaration,
  rules: ImportRules,
): TextEdit[] {
  const { declaration, start, end } = statement;
  const keyword = skipTrivia(source, start + EXPORT.length);
  const declarationStart = keyword + DEFAULT.length;
  const isDeclaration = declaration.type === "FunctionDeclaration" ||
    declaration.type === "ClassDeclaration";
  if (isDeclaration && declaration.id) return [blanked(source, start, declarationStart)];
  if (declaration.type === "Identifier" && !rules.isBound(declaration.name)) {
    return [replaced(source, statement, `;${valueIfAny(declaration.name)};`)];
  }
  const close = { start: end, end, text: ";" };
  if (isDeclaration) return [blanked(source, start, declarationStart, "void "), close];
  return [
    blanked(source, start, declarationStart, "("),
    { start: declaration.end, end: declaration.end, text: ")" },
    close,
  ];
}

function exportNamedEdits(source: string, statement: ExportNamedDeclaration): TextEdit[] {
  const { declaration, start } = statement;
  return declaration
    ? [blanked(source, start, start + EXPORT.length)]
    : [replaced(source, statement, ";")];
}

function exportEdits(source: string, program: Program, rules: ImportRules): TextEdit[] {
  return program.body.flatMap((statement) => {
    if (isLoading(statement)) return [];
    switch (statement.type) {
      case "ExportDefaultDeclaration":
        return exportDefaultEdits(source, statement, rules);
      case "ExportNamedDeclaration":
        return exportNamedEdits(source, statement);
      default:
        return [];
    }
  });
}

/** `import(…)` and `import.meta`. */
export function expressionEdits(source: string, program: Program) {
  const edits: TextEdit[] = [];
  let usesMeta = false;
  if (!MAY_HOLD_EXPRESSION.test(source)) return { edits, usesMeta };
  for (const node of walkTree(program)) {
    if (node.type === "ImportExpression") {
      const { start } = node;
      edits.push({ start, end: start + "import".length, text: DYNAMIC_IMPORT_FUNCTION });
    } else if (node.type === "MetaProperty" && node.meta.name === "import") {
      edits.push(replaced(source, node, META_NAME));
      usesMeta = true;
    }
  }
  return { edits, usesMeta };
}

/**
 * Replaces the module syntax of a parsed script; undefined when there is nothing to change.
 * `isAlone`: no other script is evaluated in this one's scope, as in Node. `rules` are those of its
 * language.
 */
export function rewriteModuleSyntax(
  source: string,
  program: Program,
  { isAlone, rules = JAVASCRIPT_RULES }: {
    readonly isAlone: boolean;
    readonly rules?: ImportRules;
  },
): ModuleRewrite | undefined {
  const { edits: expressions, usesMeta } = expressionEdits(source, program);
  const isModule = usesMeta || program.body.some(isModuleSyntax);
  const scope = isAlone ? scopeEdits(source, program, { isModule }) : [];
  const resources = resourceEdits(source, program);
  const isUnchanged = expressions.length + scope.length + resources.length === 0;
  if (!isModule && isUnchanged) return undefined;
  const imported = new Map<string, string>();
  const holders: string[] = [];
  const bind = (statement: LoadingStatement) => {
    const holder = moduleName(holders.length);
    const live = liveImports(statement);
    if (live.size > 0) holders.push(holder);
    for (const [local, name] of live) imported.set(local, `${holder}[${quoted(name)}]`);
    return bindingFor(statement, { rules, holder, bindsLive: true });
  };
  const edits = [
    ...loadingEdits(source, program, bind),
    ...importEdits(source, program, imported),
    ...exportEdits(source, program, rules),
    ...expressions,
    ...scope,
    ...resources,
  ];
  if (isModule && source.startsWith(HASHBANG)) edits.push({ start: 0, end: 2, text: "//" });
  const prefix = isModule ? STRICT + (usesMeta ? META : "") : "";
  return {
    code: prefix + applyEdits(source, edits),
    addedNames: usesMeta ? [META_NAME, ...holders] : holders,
  };
}
