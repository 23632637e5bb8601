/**
 * The places of a module that use imported names. Imports are live: a use reads the other module's
 * export at that moment.
 *
 * @module
 */
import type { AnyNode, Identifier, Pattern, Program } from "acorn";
import { blockNames, declaredNames } from "./declared_names.ts";
import { addPatternNames, childNodes, isFunction, valueParts } from "./syntax_tree.ts";
import type { TextEdit } from "./text_edits.ts";

/** Local name of an import → the expression for its value, which begins with a name. */
export type ImportedValues = ReadonlyMap<string, string>;

interface Visit {
  readonly node: AnyNode;
  /** Imported names that mean something else here. */
  readonly hidden: ReadonlySet<string>;
}

function union(hidden: ReadonlySet<string>, names: Iterable<string>, values: ImportedValues) {
  const added = [...names].filter((name) => values.has(name));
  return added.length === 0 ? hidden : new Set([...hidden, ...added]);
}

function patternNames(patterns: Iterable<Pattern>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const pattern of patterns) addPatternNames(pattern, names);
  return names;
}

/** Names that a node declares for what is in it. */
function namesInside(node: AnyNode): Iterable<string> {
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression": {
      const own = node.type === "FunctionExpression" && node.id ? [node.id.name] : [];
      const body = node.body.type === "BlockStatement" ? declaredNames(node.body) : [];
      return [...own, ...patternNames(node.params), ...body];
    }
    case "ClassExpression":
      return node.id ? [node.id.name] : [];
    case "BlockStatement":
      return blockNames(node.body);
    case "StaticBlock":
      return declaredNames(node);
    case "SwitchStatement":
      return blockNames(node.cases.flatMap(({ consequent }) => consequent));
    case "ForStatement":
      return node.init?.type === "VariableDeclaration" ? blockNames([node.init]) : [];
    case "ForInStatement":
    case "ForOfStatement":
      return node.left.type === "VariableDeclaration" ? blockNames([node.left]) : [];
    case "CatchClause":
      return node.param ? patternNames([node.param]) : [];
    default:
      return [];
  }
}

/** Parts in which an identifier uses a variable. */
function partsOf(node: AnyNode): Iterable<AnyNode> {
  if (node.type === "ExportDefaultDeclaration") return [node.declaration];
  if (isFunction(node) || node.type === "ClassDeclaration" || node.type === "ClassExpression") {
    return [...childNodes(node)].filter((part) => !("id" in node && node.id === part));
  }
  return valueParts(node);
}

/** The identifier that is a property's name and value at once. */
function shorthandOf(node: AnyNode): AnyNode | undefined {
  if (node.type !== "Property" || !node.shorthand) return undefined;
  return node.value.type === "AssignmentPattern" ? node.value.left : node.value;
}

/** The identifier that is called without an object. */
function calleeOf(node: AnyNode): AnyNode | undefined {
  if (node.type === "CallExpression") return node.callee;
  return node.type === "TaggedTemplateExpression" ? node.tag : undefined;
}

/** Statements after which a line may end without a semicolon. */
function statementsOf(node: AnyNode): readonly AnyNode[] {
  switch (node.type) {
    case "Program":
    case "BlockStatement":
    case "StaticBlock":
      return node.body;
    case "SwitchCase":
      return node.consequent;
    default:
      return [];
  }
}

/** The last character before an offset that is no white space; empty at the beginning. */
function characterBefore(source: string, offset: number): string {
  let at = offset - 1;
  while (at >= 0 && SPACE.test(source.charAt(at))) at--;
  return source.charAt(at);
}

const SPACE = /\s/;
const ENDED = new Set(["", ";", "{"]);

/** The edits that replace the uses of imports by their values. */
export function importEdits(
  source: string,
  program: Program,
  values: ImportedValues,
): TextEdit[] {
  if (values.size === 0) return [];
  const found: Identifier[] = [];
  const shorthand = new Set<AnyNode>();
  const called = new Set<AnyNode>();
  const beginnings = new Set<number>();
  const pending: Visit[] = [{ node: program, hidden: new Set() }];
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const { node } = visit;
    if (node.type === "Identifier") {
      if (values.has(node.name) && !visit.hidden.has(node.name)) found.push(node);
      continue;
    }
    const [whole, callee] = [shorthandOf(node), calleeOf(node)];
    if (whole !== undefined) shorthand.add(whole);
    if (callee !== undefined) called.add(callee);
    for (const statement of statementsOf(node)) {
      if (statement.type === "ExpressionStatement") beginnings.add(statement.start);
    }
    const hidden = union(visit.hidden, namesInside(node), values);
    for (const part of partsOf(node)) pending.push({ node: part, hidden });
  }
  return found.map((identifier) => {
    const { start, end, name } = identifier;
    const value = values.get(name) ?? name;
    if (shorthand.has(identifier)) return { start, end, text: `${name}:${value}` };
    if (!called.has(identifier)) return { start, end, text: value };
    // The function gets no `this`. A bracket would continue a line before that has no semicolon.
    const continues = beginnings.has(start) && !ENDED.has(characterBefore(source, start));
    return { start, end, text: `${continues ? ";" : ""}(0,${value})` };
  });
}
