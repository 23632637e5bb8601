/**
 * Expressions in the words of V8's error messages: `o.list[0].map(...) is not a function`.
 *
 * @module
 */
import type { AnyNode, MemberExpression } from "acorn";
import { MODULE_THIS_NAME, SCRIPT_THIS_NAME } from "../loader_names.ts";

const THIS_NAMES: ReadonlySet<string> = new Set([SCRIPT_THIS_NAME, MODULE_THIS_NAME]);
const INTERMEDIATE = "(intermediate value)";
/** Depth beyond which an expression is not spelled out in a message. */
const MAX_DEPTH = 20;
const MAX_CHARS = 200;

function memberText(node: MemberExpression, depth: number): string {
  const object = node.object.type === "Super" ? INTERMEDIATE : textOf(node.object, depth);
  const { property, computed, optional } = node;
  const dot = optional ? "?." : ".";
  if (!computed) {
    const name = property.type === "PrivateIdentifier" ? `#${property.name}` : textOf(property, 0);
    return `${object}${dot}${name}`;
  }
  if (property.type === "Literal" && typeof property.value === "string") {
    return `${object}${dot}${property.value}`;
  }
  return `${object}${optional ? "?." : ""}[${textOf(property, depth)}]`;
}

function elementText(node: AnyNode | null, depth: number): string {
  if (node === null) return "";
  if (node.type === "SpreadElement") return `(...${textOf(node.argument, depth)})`;
  return textOf(node, depth);
}

/** Adds a space after the operator only when it is a word. */
function unaryText(operator: string, argument: string): string {
  return `(${operator}${/\w$/.test(operator) ? " " : ""}${argument})`;
}

function textOf(node: AnyNode, depth: number): string {
  if (depth > MAX_DEPTH) return INTERMEDIATE;
  const next = depth + 1;
  switch (node.type) {
    case "Identifier":
      return THIS_NAMES.has(node.name) ? "this" : node.name;
    case "ThisExpression":
      return "this";
    case "Super":
      return "super";
    case "Literal":
      return typeof node.value === "string" ? JSON.stringify(node.value) : node.raw ?? "";
    case "TemplateLiteral":
      return node.expressions.length === 0
        ? JSON.stringify(node.quasis[0]?.value.cooked ?? "")
        : INTERMEDIATE;
    case "MemberExpression":
      return memberText(node, next);
    case "ChainExpression":
    case "ParenthesizedExpression":
      return textOf(node.expression, next);
    case "CallExpression":
      return `${textOf(node.callee, next)}(...)`;
    case "TaggedTemplateExpression":
      return `${textOf(node.tag, next)}(...)`;
    case "ArrayExpression":
      return `[${node.elements.map((element) => elementText(element, next)).join(",")}]`;
    case "ObjectExpression":
      return `{${node.properties.map(() => INTERMEDIATE).join("")}}`;
    case "LogicalExpression":
    case "BinaryExpression":
      return `(${textOf(node.left, next)} ${node.operator} ${textOf(node.right, next)})`;
    case "UnaryExpression":
      return unaryText(node.operator, textOf(node.argument, next));
    case "UpdateExpression": {
      const argument = textOf(node.argument, next);
      return node.prefix ? `(${node.operator}${argument})` : `(${argument}${node.operator})`;
    }
    case "AssignmentExpression":
      return node.left.type === "Identifier" ? node.left.name : INTERMEDIATE;
    case "SequenceExpression":
      return `(${node.expressions.map((one) => textOf(one, next)).join(" , ")})`;
    case "ConditionalExpression":
      return INTERMEDIATE.repeat(3);
    default:
      return INTERMEDIATE;
  }
}

/** The expression as a message shows it. */
export function expressionText(node: AnyNode): string {
  const text = textOf(node, 0);
  return text.length > MAX_CHARS ? INTERMEDIATE : text;
}
