/**
 * The names a script declares at its top level.
 *
 * @module
 */
import type { ModuleDeclaration, Statement, VariableDeclaration } from "acorn";
import { addPatternNames } from "./syntax_tree.ts";

type TopLevel = Statement | ModuleDeclaration;

function addVariables(declaration: VariableDeclaration, names: Set<string>): void {
  for (const { id } of declaration.declarations) addPatternNames(id, names);
}

/** Names that a statement declares in its own scope; `var` inside the statement is not included. */
function addDeclared(statement: TopLevel, names: Set<string>): void {
  switch (statement.type) {
    case "VariableDeclaration":
      return addVariables(statement, names);
    case "FunctionDeclaration":
    case "ClassDeclaration":
      names.add(statement.id.name);
      return;
    case "ImportDeclaration":
      for (const { local } of statement.specifiers) names.add(local.name);
      return;
    case "ExportNamedDeclaration":
      if (statement.declaration) addDeclared(statement.declaration, names);
      return;
    case "ExportDefaultDeclaration": {
      const { declaration } = statement;
      if (declaration.type === "FunctionDeclaration" || declaration.type === "ClassDeclaration") {
        if (declaration.id) names.add(declaration.id.name);
      }
      return;
    }
  }
}

/** Statements inside a statement, except those of functions. */
function innerStatements(statement: TopLevel): readonly (TopLevel | null | undefined)[] {
  switch (statement.type) {
    case "BlockStatement":
      return statement.body;
    case "IfStatement":
      return [statement.consequent, statement.alternate];
    case "LabeledStatement":
    case "WhileStatement":
    case "DoWhileStatement":
    case "WithStatement":
      return [statement.body];
    case "ForStatement": {
      const { init } = statement;
      return [statement.body, init?.type === "VariableDeclaration" ? init : undefined];
    }
    case "ForInStatement":
    case "ForOfStatement": {
      const { left } = statement;
      return [statement.body, left.type === "VariableDeclaration" ? left : undefined];
    }
    case "SwitchStatement":
      return statement.cases.flatMap(({ consequent }) => consequent);
    case "TryStatement":
      return [statement.block, statement.handler?.body, statement.finalizer];
    default:
      return [];
  }
}

/** Names that a list of statements declares in its own scope, `var` among them only as statements. */
export function blockNames(statements: Iterable<TopLevel>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of statements) addDeclared(statement, names);
  return names;
}

/**
 * Names that the top level of a script, or of a function's body, declares: lexical names, functions, imports, and every `var`,
 * because a `var` inside blocks and loops also becomes a global property.
 */
export function declaredNames(program: { readonly body: readonly TopLevel[] }): readonly string[] {
  const names = new Set<string>();
  const pending: TopLevel[] = [];
  for (const statement of program.body) {
    addDeclared(statement, names);
    pending.push(statement);
    for (let inner = pending.pop(); inner !== undefined; inner = pending.pop()) {
      if (inner.type === "VariableDeclaration" && inner.kind === "var") addVariables(inner, names);
      for (const next of innerStatements(inner)) if (next) pending.push(next);
    }
  }
  return [...names];
}
