/**
 * Namespaces of TypeScript in several parts. In each part the names that other parts export are in
 * scope; the type stripper, which compiles one part at a time, leaves them as free names.
 *
 * @module
 */
import type {
  AnyNode,
  AssignmentProperty,
  CallExpression,
  Function,
  Identifier,
  Property,
} from "acorn";
import { blockNames, declaredNames } from "./declared_names.ts";
import { parseScript } from "./script_parser.ts";
import { addPatternNames, valueParts } from "./syntax_tree.ts";
import { applyEdits, type TextEdit } from "./text_edits.ts";

/** A part of a namespace: a function whose parameter is the namespace. */
interface Part {
  /** The same for all parts of one namespace. */
  readonly namespace: number;
  readonly parameter: string;
}

/** A scope with the names that it declares. */
interface Scope {
  /** Number of scopes around it. */
  readonly depth: number;
  readonly names: ReadonlySet<string>;
  readonly parent: Scope | undefined;
  readonly part: Part | undefined;
}

/** For each name, all scopes around it are searched. */
const MAX_DEPTH = 200;
const DECLARATION = /\b(?:namespace|module)\s/g;

function namesOf(add: (names: Set<string>) => void): ReadonlySet<string> {
  const names = new Set<string>();
  add(names);
  return names;
}

function functionNames({ id, params, body }: Function): ReadonlySet<string> {
  return namesOf((names) => {
    if (id) names.add(id.name);
    for (const parameter of params) addPatternNames(parameter, names);
    if (body.type !== "BlockStatement") return;
    for (const name of declaredNames(body)) names.add(name);
  });
}

/** Names that a node declares for what is inside it. */
function scopeNames(node: AnyNode): ReadonlySet<string> | undefined {
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return functionNames(node);
    case "BlockStatement":
    case "StaticBlock":
      return blockNames(node.body);
    case "SwitchStatement":
      return blockNames(node.cases.flatMap(({ consequent }) => consequent));
    case "ForStatement":
      return node.init?.type === "VariableDeclaration" ? blockNames([node.init]) : undefined;
    case "ForInStatement":
    case "ForOfStatement":
      return node.left.type === "VariableDeclaration" ? blockNames([node.left]) : undefined;
    case "CatchClause": {
      const { param } = node;
      return param ? namesOf((names) => addPatternNames(param, names)) : undefined;
    }
    case "ClassDeclaration":
    case "ClassExpression":
      return node.id ? new Set([node.id.name]) : undefined;
    default:
      return undefined;
  }
}

/** The scope that declares a name. */
function scopeOf(name: string, from: Scope): Scope | undefined {
  let scope: Scope | undefined = from;
  while (scope !== undefined && !scope.names.has(name)) scope = scope.parent;
  return scope;
}

/** Numbers of namespaces, by the number of the outer namespace, or of the call, and the name. */
class Namespaces {
  readonly #numbers = new Map<string, number>();

  numberOf(outer: string, name: string): number {
    const key = `${outer} ${name}`;
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    return number;
  }
}

/** `N || (N = {})`, or `A.N || (A.N = {})` for the namespace `N` in the namespace `A`. */
function partOf(call: CallExpression, scope: Scope, namespaces: Namespaces): Part | undefined {
  const { callee, arguments: [argument] } = call;
  const [parameter] = callee.type === "FunctionExpression" ? callee.params : [];
  if (parameter?.type !== "Identifier" || argument?.type !== "LogicalExpression") return undefined;
  const { left } = argument;
  if (left.type === "Identifier") {
    const outer = scopeOf(left.name, scope)?.part;
    // a namespace in another that is not exported has one part in each part of the other
    const place = outer === undefined ? "" : `in ${call.start}`;
    const namespace = namespaces.numberOf(place, left.name);
    return { namespace, parameter: parameter.name };
  }
  if (left.type !== "MemberExpression" || left.object.type !== "Identifier") return undefined;
  const outer = scopeOf(left.object.name, scope)?.part;
  if (outer === undefined || left.property.type !== "Identifier") return undefined;
  const namespace = namespaces.numberOf(`${outer.namespace}`, left.property.name);
  return { namespace, parameter: parameter.name };
}

/** Called with each identifier whose value is used, and each member of an identifier. */
interface Visitor {
  name?(node: Identifier, scope: Scope, shorthand: boolean): void;
  member?(object: string, property: string, scope: Scope): void;
}

/** A shorthand property names a property and a variable. */
function shorthandName({ shorthand, value }: Property | AssignmentProperty): AnyNode | undefined {
  if (!shorthand) return undefined;
  return value.type === "AssignmentPattern" ? value.left : value;
}

/** Visits a tree; false when its scopes nest too deeply. */
function visitTree(root: AnyNode, visitor: Visitor): boolean {
  const shorthands = new Set<AnyNode>();
  const parts = new Map<AnyNode, Part>();
  const namespaces = new Namespaces();
  const top: Scope = { depth: 0, names: new Set(), parent: undefined, part: undefined };
  const pending: { readonly node: AnyNode; readonly scope: Scope }[] = [{ node: root, scope: top }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, scope: parent } = next;
    const names = scopeNames(node);
    const part = parts.get(node);
    const depth = parent.depth + 1;
    if (depth > MAX_DEPTH) return false;
    const scope = names === undefined ? parent : { depth, names, parent, part };
    if (node.type === "Identifier") visitor.name?.(node, scope, shorthands.has(node));
    if (node.type === "Property") {
      const name = shorthandName(node);
      if (name !== undefined) shorthands.add(name);
    } else if (node.type === "CallExpression") {
      const called = partOf(node, scope, namespaces);
      if (called !== undefined) parts.set(node.callee, called);
    } else if (node.type === "MemberExpression" && !node.computed) {
      const { object, property } = node;
      if (object.type === "Identifier" && property.type === "Identifier") {
        visitor.member?.(object.name, property.name, scope);
      }
    }
    for (const inner of valueParts(node)) pending.push({ node: inner, scope });
  }
  return true;
}

/** Names that each namespace exports, by its number: the type stripper writes them as members. */
function exportedNames(root: AnyNode): ReadonlyMap<number, ReadonlySet<string>> {
  const found = new Map<number, Set<string>>();
  const isDone = visitTree(root, {
    member: (object, property, scope) => {
      const part = scopeOf(object, scope)?.part;
      if (part === undefined || part.parameter !== object) return;
      const names = found.get(part.namespace) ?? new Set();
      found.set(part.namespace, names.add(property));
    },
  });
  return isDone ? found : new Map();
}

/** Whether a source may have a namespace in several parts. */
export function mayMergeNamespaces(submitted: string): boolean {
  return [...submitted.matchAll(DECLARATION)].length > 1;
}

/** Compiled TypeScript, in which a free name that another part of its namespace exports is a member. */
export function mergeNamespaces(code: string): string {
  const parsed = parseScript(code, { tokens: false });
  if (parsed.kind !== "parsed") return code;
  const exported = exportedNames(parsed.program);
  if (exported.size === 0) return code;
  const edits: TextEdit[] = [];
  visitTree(parsed.program, {
    name: ({ name, start, end }, from, shorthand) => {
      for (let scope: Scope | undefined = from; scope !== undefined; scope = scope.parent) {
        if (scope.names.has(name)) return;
        const { part } = scope;
        if (part === undefined || exported.get(part.namespace)?.has(name) !== true) continue;
        const text = `${shorthand ? `${name}: ` : ""}${part.parameter}.${name}`;
        edits.push({ start, end, text });
        return;
      }
    },
  });
  return applyEdits(code, edits);
}
