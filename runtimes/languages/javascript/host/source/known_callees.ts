/**
 * Finds the callees of a script that are certainly or probably functions, judged by its text:
 * functions that it declares, those of the language, and methods of values whose kind is visible
 * where they are created.
 *
 * @module
 */
import type { AnyNode } from "acorn";
import { expressionText } from "./expression_text.ts";
import type { FunctionSource } from "./function_source.ts";

/** How sure it is that a callee is a function. */
export type Certainty = "a function" | "likely" | "unknown";

/** Prototypes of the language's values, by the name of the kind. */
const PROTOTYPES: ReadonlyMap<string, object> = new Map<string, object>([
  ["Array", Array.prototype],
  ["Date", Date.prototype],
  ["Function", Function.prototype],
  ["Map", Map.prototype],
  ["Number", Number.prototype],
  ["Object", Object.prototype],
  ["Promise", Promise.prototype],
  ["RegExp", RegExp.prototype],
  ["Set", Set.prototype],
  ["String", String.prototype],
]);

/** The name of a member, if it is visible in the code. */
export function propertyName(node: AnyNode): string | undefined {
  if (node.type !== "MemberExpression") return undefined;
  const { property, computed } = node;
  if (property.type === "PrivateIdentifier") return `#${property.name}`;
  if (!computed) return property.type === "Identifier" ? property.name : undefined;
  return property.type === "Literal" ? String(property.value) : undefined;
}

function ownValue(holder: unknown, name: string): unknown {
  if ((typeof holder !== "object" || holder === null) && typeof holder !== "function") {
    return undefined;
  }
  return Object.getOwnPropertyDescriptor(holder, name)?.value;
}

/** Whether a global of every engine, or a member of one, is a function. */
function isKnownGlobal(callee: AnyNode): boolean {
  if (callee.type === "Identifier") {
    return callee.name === "require" ||
      typeof ownValue(globalThis, callee.name) === "function";
  }
  if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier") return false;
  const name = propertyName(callee);
  const holder = ownValue(globalThis, callee.object.name);
  return name !== undefined && typeof ownValue(holder, name) === "function";
}

function isFunction({ type }: AnyNode): boolean {
  return type === "FunctionExpression" || type === "ArrowFunctionExpression" ||
    type === "ClassExpression";
}

/** Names of functions in a variable's initial value: the variable itself, or its members. */
function declaredFunctions(name: string, value: AnyNode): readonly string[] {
  if (isFunction(value)) return [name];
  if (value.type !== "ObjectExpression") return [];
  return value.properties.flatMap((property) =>
    property.type === "Property" && property.key.type === "Identifier" && !property.computed &&
      isFunction(property.value)
      ? [`${name}.${property.key.name}`]
      : []
  );
}

/** The kind of an expression's value, if its syntax shows it. */
function kindOf(value: AnyNode): string | undefined {
  switch (value.type) {
    case "ArrayExpression":
      return "Array";
    case "ObjectExpression":
      return "Object";
    case "TemplateLiteral":
      return "String";
    case "Literal":
      if (typeof value.value === "string") return "String";
      if ("regex" in value) return "RegExp";
      return typeof value.value === "number" ? "Number" : undefined;
    case "NewExpression":
      return value.callee.type === "Identifier" ? value.callee.name : undefined;
    default:
      return isFunction(value) ? "Function" : undefined;
  }
}

function isMethod(kind: string, name: string): boolean {
  return typeof ownValue(PROTOTYPES.get(kind), name) === "function" ||
    typeof ownValue(Object.prototype, name) === "function";
}

/** Facts about callees from a script and the function within it. */
export class KnownCallees {
  /** Callees that the code itself declares as functions and classes, as text. */
  readonly #functions = new Set<string>();
  /** Kinds of variables by their initial value. */
  readonly #kinds = new Map<string, string>();

  constructor(sources: readonly FunctionSource[]) {
    for (const { node } of sources.flatMap(({ nodes }) => nodes)) {
      if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") {
        if (node.id) this.#functions.add(node.id.name);
      } else if (node.type === "VariableDeclarator" && node.id.type === "Identifier" && node.init) {
        for (const name of declaredFunctions(node.id.name, node.init)) this.#functions.add(name);
        const kind = kindOf(node.init);
        if (kind !== undefined) this.#kinds.set(node.id.name, kind);
      }
    }
  }

  certaintyOf(callee: AnyNode): Certainty {
    if (this.#functions.has(expressionText(callee)) || isKnownGlobal(callee)) return "a function";
    const name = propertyName(callee);
    if (callee.type !== "MemberExpression" || name === undefined) return "unknown";
    const { object } = callee;
    const kind = object.type === "Identifier" ? this.#kinds.get(object.name) : kindOf(object);
    if (kind !== undefined && PROTOTYPES.has(kind)) {
      return isMethod(kind, name) ? "a function" : "unknown";
    }
    return [...PROTOTYPES.keys()].some((one) => isMethod(one, name)) ? "likely" : "unknown";
  }
}
