/**
 * Finds failed calls in the source by the position that the engine recorded: that of the last call
 * before, or that of the call itself.
 *
 * @module
 */
import type { AnyNode, CallExpression, NewExpression } from "acorn";
import { expressionText } from "./expression_text.ts";
import type { FunctionSource } from "./function_source.ts";
import { type Certainty, KnownCallees, propertyName } from "./known_callees.ts";

/**
 * What was found: a text, whose meaning depends on the kind, and where the faulty expression
 * begins.
 */
export interface Finding {
  readonly text: string;
  readonly offset: number;
}

type Call = CallExpression | NewExpression;

function isCall(node: AnyNode): node is Call {
  return node.type === "CallExpression" || node.type === "NewExpression";
}

function isWithin(node: AnyNode, offset: number): boolean {
  return node.start <= offset && offset < node.end;
}

/** The last name of a callee. */
function lastName(callee: AnyNode): string | undefined {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type === "ChainExpression") return lastName(callee.expression);
  if (callee.type !== "MemberExpression") return undefined;
  return propertyName(callee);
}

function calleeOffset(callee: AnyNode): number {
  if (callee.type === "ChainExpression") return calleeOffset(callee.expression);
  return callee.type === "MemberExpression" ? callee.property.start : callee.start;
}

/**
 * Calls around the position, innermost first, without those that record a later position before
 * they are made.
 */
function callsAt(source: FunctionSource, offset: number): readonly Call[] {
  const calls = source.nodes.map(({ node }) => node).filter(isCall);
  const around = calls.filter((call) => isWithin(call, offset)).reverse();
  const next = calls.find((call) => call.start > offset)?.start ?? Infinity;
  const last = around.filter(({ end }) => next >= end);
  return last.length === 0 ? around : last;
}

/** The call of something that is not a function, or not a constructor. */
export function findCall(sources: readonly FunctionSource[], offset: number): Finding | undefined {
  const [source] = sources;
  if (source === undefined) return undefined;
  const tagged = source.nodes.find(({ node }) =>
    node.type === "TaggedTemplateExpression" && calleeOffset(node.tag) === offset
  );
  if (tagged?.node.type === "TaggedTemplateExpression") {
    const { tag } = tagged.node;
    return { text: `${expressionText(tag)} is not a function`, offset: calleeOffset(tag) };
  }
  const known = new KnownCallees(sources);
  const calls = callsAt(source, offset);
  const least = (certainty: Certainty) =>
    calls.find(({ callee }) => known.certaintyOf(callee) === certainty);
  const call = least("unknown") ?? least("likely") ?? calls[0];
  if (call === undefined) return undefined;
  const callee = expressionText(call.callee);
  return call.type === "NewExpression"
    ? { text: `${callee} is not a constructor`, offset: call.start }
    : { text: `${callee} is not a function`, offset: calleeOffset(call.callee) };
}

/** A string as it is; anything else as a message shows it. */
export function plainText(node: AnyNode): string {
  return node.type === "Literal" && typeof node.value === "string"
    ? node.value
    : expressionText(node);
}

/** A literal as printed; empty for an expression whose value is known only at run time. */
function literalText(node: AnyNode | undefined): string {
  if (node === undefined) return "undefined";
  if (node.type === "Literal") return plainText(node);
  if (node.type === "UnaryExpression" && node.operator === "-") {
    const digits = literalText(node.argument);
    return digits === "" ? "" : `-${digits}`;
  }
  const isConstant = node.type === "Identifier" && /^(?:undefined|NaN|Infinity)$/.test(node.name);
  return isConstant ? node.name : "";
}

function callOf(source: FunctionSource, offset: number, name: string): Call | undefined {
  return callsAt(source, offset).find(({ callee }) => lastName(callee) === name);
}

/** An argument of the call of a built-in. */
export function findArgument(
  source: FunctionSource,
  offset: number,
  wanted: { readonly name: string; readonly index: number },
): Finding | undefined {
  const call = callOf(source, offset, wanted.name);
  if (call === undefined) return undefined;
  return { text: literalText(call.arguments[wanted.index]), offset: calleeOffset(call.callee) };
}

const ASSERTION = /^(?:assert|ok|strict)$/;

/** The call of `assert` or `assert.ok`, under any name. */
export function findAssertion(source: FunctionSource, offset: number): Finding | undefined {
  const calls = callsAt(source, offset);
  const call = calls.find(({ callee }) => ASSERTION.test(lastName(callee) ?? "")) ?? calls[0];
  return call === undefined ? undefined : { text: source.textOf(call), offset: call.start };
}

/** The elements of an array literal, frozen or not. */
function elementsOf(value: AnyNode): number | undefined {
  if (value.type === "CallExpression") {
    const [argument] = value.arguments;
    return argument === undefined ? undefined : elementsOf(argument);
  }
  if (value.type !== "ArrayExpression") return undefined;
  const isPlain = value.elements.every((element) => element?.type !== "SpreadElement");
  return isPlain ? value.elements.length : undefined;
}

/** The length of the array whose method was called, if the source shows it. */
export function findLength(
  sources: readonly FunctionSource[],
  offset: number,
  name: string,
): Finding | undefined {
  const [source] = sources;
  const callee = source === undefined ? undefined : callOf(source, offset, name)?.callee;
  if (callee?.type !== "MemberExpression" || callee.object.type !== "Identifier") return undefined;
  const { name: array } = callee.object;
  for (const { node } of sources.flatMap(({ nodes }) => nodes)) {
    if (node.type !== "VariableDeclarator" || !node.init) continue;
    if (node.id.type !== "Identifier" || node.id.name !== array) continue;
    const length = elementsOf(node.init);
    if (length !== undefined) return { text: `${length}`, offset: calleeOffset(callee) };
  }
  return undefined;
}
