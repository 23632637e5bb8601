/**
 * Walks acorn's syntax tree without recursion: submitted programs may nest as deeply as the parser
 * allows.
 *
 * @module
 */
import type { AnyNode, Pattern, Program } from "acorn";

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value &&
    typeof value.type === "string";
}

/** The children of a node. */
export function* childNodes(node: AnyNode): Generator<AnyNode, void, void> {
  for (const child of Object.values(node)) {
    if (Array.isArray(child)) {
      for (const element of child) if (isNode(element)) yield element;
    } else if (isNode(child)) {
      yield child;
    }
  }
}

/** Parts of a node in which an identifier can be the use of a variable's value. */
export function valueParts(node: AnyNode): Iterable<AnyNode> {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
      return [];
    case "ExportNamedDeclaration":
      return node.declaration ? [node.declaration] : [];
    case "ExportDefaultDeclaration":
      return node.declaration.type === "Identifier" ? [] : [node.declaration];
    case "MemberExpression":
      return node.computed ? [node.object, node.property] : [node.object];
    case "Property":
    case "PropertyDefinition":
    case "MethodDefinition":
      return [...(node.computed ? [node.key] : []), ...(node.value ? [node.value] : [])];
    case "LabeledStatement":
      return [node.body];
    case "BreakStatement":
    case "ContinueStatement":
    case "MetaProperty":
      return [];
    default:
      return childNodes(node);
  }
}

/** Every node at and below `root`, in no particular order. */
export function* walkTree(root: AnyNode): Generator<AnyNode, void, void> {
  const pending: AnyNode[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    yield node;
    for (const child of childNodes(node)) pending.push(child);
  }
}

/** Whether a node is a function. */
export function isFunction({ type }: AnyNode): boolean {
  return type === "FunctionExpression" || type === "FunctionDeclaration" ||
    type === "ArrowFunctionExpression";
}

function awaits(node: AnyNode): boolean {
  return node.type === "AwaitExpression" || node.type === "ForOfStatement" && node.await ||
    node.type === "VariableDeclaration" && node.kind === "await using";
}

/** Whether a script awaits outside functions. */
export function awaitsAtTop(program: Program): boolean {
  const pending: AnyNode[] = [program];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (awaits(node)) return true;
    if (isFunction(node)) continue;
    for (const child of childNodes(node)) pending.push(child);
  }
  return false;
}

/** Adds the names that a pattern binds or assigns. */
export function addPatternNames(root: Pattern, names: Set<string>): void {
  const pending: Pattern[] = [root];
  for (let pattern = pending.pop(); pattern !== undefined; pattern = pending.pop()) {
    switch (pattern.type) {
      case "Identifier":
        names.add(pattern.name);
        break;
      case "ObjectPattern":
        for (const property of pattern.properties) {
          pending.push(property.type === "Property" ? property.value : property.argument);
        }
        break;
      case "ArrayPattern":
        for (const element of pattern.elements) if (element !== null) pending.push(element);
        break;
      case "AssignmentPattern":
        pending.push(pattern.left);
        break;
      case "RestElement":
        pending.push(pattern.argument);
        break;
      case "MemberExpression":
        break;
    }
  }
}
