/**
 * Determines whether a program has a value: it does only when its last statement is an expression
 * statement.
 *
 * @module
 */
import type { ExpressionStatement, ModuleDeclaration, Program, Statement } from "acorn";

type TopLevel = Statement | ModuleDeclaration;

function isEmpty(statement: TopLevel): boolean {
  return statement.type === "EmptyStatement" ||
    // `export {}` only marks the file as a module
    statement.type === "ExportNamedDeclaration" && !statement.declaration && !statement.source &&
      statement.specifiers.length === 0;
}

/** Whether the program's last statement, empty ones aside, is an expression statement. */
export function hasCompletionValue(program: Program): boolean {
  return program.body.findLast((statement) => !isEmpty(statement))?.type === "ExpressionStatement";
}

/** `N` in `(function(N) { … })(N || (N = {}))`, the compiled form of a namespace `N`. */
function namespaceName({ expression }: ExpressionStatement): string | undefined {
  if (expression.type !== "CallExpression") return undefined;
  const { callee, arguments: [argument] } = expression;
  if (callee.type !== "FunctionExpression" || argument?.type !== "LogicalExpression") {
    return undefined;
  }
  const [parameter] = callee.params;
  return parameter?.type === "Identifier" && argument.left.type === "Identifier"
    ? argument.left.name
    : undefined;
}

function isExportAssignment({ expression }: ExpressionStatement): boolean {
  if (expression.type !== "AssignmentExpression") return false;
  const { left } = expression;
  return left.type === "MemberExpression" && left.object.type === "Identifier" &&
    left.object.name === "module" && left.property.type === "Identifier" &&
    left.property.name === "exports";
}

const EXPORT_ASSIGNMENT = /\bexport\s*=/;

/**
 * The same for a program that the TypeScript compiler rewrote from `typescript`: the compiler
 * declares namespaces after the last statement, and turns `export =` into an expression.
 */
export function hasTransformedValue(program: Program, typescript: string): boolean {
  const namespaces = new Set<string>();
  for (const statement of program.body) {
    const name = statement.type === "ExpressionStatement" ? namespaceName(statement) : undefined;
    if (name !== undefined) namespaces.add(name);
  }
  const isNamespaceVariable = (statement: TopLevel) =>
    statement.type === "VariableDeclaration" &&
    statement.declarations.every(({ id, init }) =>
      !init && id.type === "Identifier" && namespaces.has(id.name)
    );
  const last = program.body.findLast((one) => !isEmpty(one) && !isNamespaceVariable(one));
  if (last?.type !== "ExpressionStatement") return false;
  return !(isExportAssignment(last) && EXPORT_ASSIGNMENT.test(typescript));
}
