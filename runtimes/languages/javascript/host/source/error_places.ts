/**
 * Finds the expression in a script that an engine error is about. QuickJS reports that something is
 * "not a function", and the last position that it recorded. The expression and its position are
 * read from the source, as V8 does.
 *
 * A finding can be wrong when the engine's position matches several expressions: then the first one
 * that is not known to be correct is chosen.
 *
 * @module
 */
import type { AnyNode, Pattern } from "acorn";
import {
  findArgument,
  findAssertion,
  findCall,
  type Finding,
  findLength,
  plainText,
} from "./call_faults.ts";
import { expressionText } from "./expression_text.ts";
import type { FunctionSource, PlacedNode } from "./function_source.ts";
import { propertyName } from "./known_callees.ts";

/** The kind of fault. */
export type FaultKind =
  /** A callee is not a function; the finding's text is the message. */
  | "call"
  /** A property of undefined or null was read or written: `name`. */
  | "property"
  /** The variable `name` does not exist, or not yet. */
  | "name"
  /** Something is not iterable; the text is the message, empty for arguments. */
  | "iterate"
  /** A value cannot be destructured; the text is the message. */
  | "destructure"
  /** `name` is read-only; the text is the message. */
  | "constant"
  /** A property could not be set or deleted; the text is its name. */
  | "assign"
  | "delete"
  /** The operand of `in` is not an object; the text is the message. */
  | "in"
  /** A built-in called `name` got an invalid argument; the text is the argument's. */
  | "argument"
  | "second argument"
  /** An assertion failed; the text is the whole call. */
  | "assertion"
  /** Elements could not be added by the method `name`; the text is the length of the array. */
  | "push";

function findProperty({ node, parent }: PlacedNode, name: string): number | undefined {
  if (node.type !== "MemberExpression" || node.optional) return undefined;
  if (parent?.type === "UnaryExpression" && parent.operator === "delete") return undefined;
  const own = propertyName(node);
  return own === name || own === undefined ? node.property.start : undefined;
}

function findName({ node, parent }: PlacedNode, name: string): number | undefined {
  if (node.type !== "Identifier" || node.name !== name) return undefined;
  const isKey = parent !== undefined &&
    (parent.type === "MemberExpression" && parent.property === node && !parent.computed ||
      parent.type === "Property" && parent.key === node && !parent.computed && !parent.shorthand ||
      parent.type === "LabeledStatement" || parent.type === "VariableDeclarator" &&
        parent.id === node);
  return isKey ? undefined : node.start;
}

function notIterable(node: AnyNode): string {
  return node.type === "CallExpression"
    ? `${expressionText(node.callee)} is not a function or its return value is not iterable`
    : `${expressionText(node)} is not iterable`;
}

const SPREAD = "Spread syntax requires ...iterable[Symbol.iterator] to be a function";

function findIteration({ node, parent }: PlacedNode): Finding | undefined {
  switch (node.type) {
    case "ForOfStatement":
      return { text: notIterable(node.right), offset: node.right.start };
    case "SpreadElement":
      if (parent?.type === "ObjectExpression") return undefined;
      return {
        text: parent?.type === "ArrayExpression" ? notIterable(node.argument) : SPREAD,
        offset: node.argument.start,
      };
    case "YieldExpression":
      return node.delegate && node.argument
        ? { text: notIterable(node.argument), offset: node.argument.start }
        : undefined;
    case "VariableDeclarator":
      return node.id.type === "ArrayPattern" && node.init
        ? { text: notIterable(node.init), offset: node.init.start }
        : undefined;
    case "AssignmentExpression":
      return node.left.type === "ArrayPattern"
        ? { text: notIterable(node.right), offset: node.right.start }
        : undefined;
    case "ArrayPattern":
      return parent?.type === "VariableDeclarator" || parent?.type === "AssignmentExpression"
        ? undefined
        : { text: "", offset: node.start };
    default:
      return undefined;
  }
}

/** A property that a pattern destructures. */
interface TakenProperty {
  /** Undefined when it is known only at run time. */
  readonly name: string | undefined;
  readonly key: AnyNode;
  readonly hasDefault: boolean;
  /** The first property that is destructured from its value. */
  readonly inner: TakenProperty | undefined;
}

/** The first property that a pattern destructures by name, and the first one of its value. */
function firstProperty(pattern: Pattern, levels = 2): TakenProperty | undefined {
  if (pattern.type !== "ObjectPattern" || levels === 0) return undefined;
  const property = pattern.properties.find((one) => one.type === "Property");
  if (property?.type !== "Property") return undefined;
  const { key, value, computed } = property;
  const name = computed ? undefined : key.type === "Identifier" ? key.name : undefined;
  const hasDefault = value.type === "AssignmentPattern";
  return { name, key, hasDefault, inner: firstProperty(value, levels - 1) };
}

function takenApart(pattern: Pattern, value: AnyNode | undefined): Finding | undefined {
  const first = firstProperty(pattern);
  if (first?.name === undefined) return undefined;
  const { name, key, inner, hasDefault } = first;
  // the inner value is missing more often than the outer one
  if (inner !== undefined) return missing(inner) ?? missing(first);
  if (hasDefault) return missing(first);
  const text = value === undefined ? "undefined" : expressionText(value);
  const actual = value?.type === "Literal" && value.raw === "null" ? "null" : "undefined";
  return {
    text: `Cannot destructure property '${name}' of '${text}' as it is ${actual}.`,
    offset: key.start,
  };
}

function missing(first: TakenProperty | undefined): Finding | undefined {
  if (first?.name === undefined) return undefined;
  const text = `Cannot read properties of undefined (reading '${first.name}')`;
  return { text, offset: first.key.start };
}

function findPattern({ node, parent }: PlacedNode): Finding | undefined {
  if (node.type === "VariableDeclarator" && node.init) return takenApart(node.id, node.init);
  if (node.type === "AssignmentExpression") {
    return node.operator === "=" ? takenApart(node.left as Pattern, node.right) : undefined;
  }
  if (node.type !== "ObjectPattern" || parent === undefined) return undefined;
  if (parent.type === "Property" || parent.type === "ArrayPattern") {
    return missing(firstProperty(node));
  }
  const isOwn = parent.type === "VariableDeclarator" || parent.type === "AssignmentExpression";
  return isOwn ? undefined : takenApart(node, undefined);
}

function assignedTo(node: AnyNode): AnyNode | undefined {
  if (node.type === "AssignmentExpression") return node.left;
  return node.type === "UpdateExpression" ? node.argument : undefined;
}

/** Names that only elements of arrays are likely to have. */
const INDEX = /^(?:0|[1-9]\d*)$/;

function findConstant({ node }: PlacedNode, name: string): Finding | undefined {
  const target = assignedTo(node);
  if (target?.type === "Identifier" && target.name === name) {
    return { text: "Assignment to constant variable.", offset: target.start };
  }
  if (target?.type !== "MemberExpression") return undefined;
  const own = propertyName(target);
  if (own !== undefined && own !== name) return undefined;
  const holder = INDEX.test(name) ? "[object Array]" : "#<Object>";
  const text = `Cannot assign to read only property '${name}' of object '${holder}'`;
  return { text, offset: target.property.start };
}

function findAssigned({ node }: PlacedNode): Finding | undefined {
  const target = assignedTo(node);
  if (target?.type !== "MemberExpression") return undefined;
  return { text: propertyName(target) ?? "", offset: target.property.start };
}

function findDeleted({ node }: PlacedNode): Finding | undefined {
  if (node.type !== "UnaryExpression" || node.operator !== "delete") return undefined;
  return { text: propertyName(node.argument) ?? "", offset: node.start };
}

function findIn({ node }: PlacedNode): Finding | undefined {
  if (node.type !== "BinaryExpression" || node.operator !== "in") return undefined;
  const [left, right] = [plainText(node.left), plainText(node.right)];
  const text = `Cannot use 'in' operator to search for '${left}' in ${right}`;
  return { text, offset: node.start };
}

/** The first finding at or after an offset; the first of all when there is none. */
function firstFrom(
  source: FunctionSource,
  offset: number,
  find: (node: PlacedNode) => Finding | undefined,
): Finding | undefined {
  const found = source.nodes.map(find).filter((one) => one !== undefined);
  return found.find((one) => one.offset >= offset) ?? found[0];
}

function bare(offset: number | undefined): Finding | undefined {
  return offset === undefined ? undefined : { text: "", offset };
}

/**
 * The subject of an error that the engine recorded at `offset` of the first source. The names in it
 * may be declared in the further sources.
 */
export function findFault(
  sources: readonly FunctionSource[],
  offset: number,
  fault: { readonly kind: FaultKind; readonly name: string },
): Finding | undefined {
  const [source] = sources;
  if (source === undefined) return undefined;
  const first = (find: (node: PlacedNode) => Finding | undefined) =>
    firstFrom(source, offset, find);
  const { kind, name } = fault;
  switch (kind) {
    case "call":
      return findCall(sources, offset);
    case "property":
      return first((node) => bare(findProperty(node, name)));
    case "name":
      return first((node) => bare(findName(node, name)));
    case "iterate":
      return first(findIteration);
    case "destructure":
      return first(findPattern);
    case "constant":
      return first((node) => findConstant(node, name));
    case "assign":
      return first(findAssigned);
    case "delete":
      return first(findDeleted);
    case "in":
      return first(findIn);
    case "argument":
      return findArgument(source, offset, { name, index: 0 });
    case "second argument":
      return findArgument(source, offset, { name, index: 1 });
    case "assertion":
      return findAssertion(source, offset);
    case "push":
      return findLength(sources, offset, name);
  }
}
