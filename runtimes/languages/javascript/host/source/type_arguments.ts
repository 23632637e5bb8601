/**
 * `a<T>(…)` is JavaScript too: two comparisons. When `T` is neither declared in the script nor a
 * global, the author meant type arguments.
 *
 * @module
 */
import { type AnyNode, type Program, type Token, type TokenType, tokTypes } from "acorn";
import { GLOBAL_NAMES } from "./global_names.ts";
import { addPatternNames, walkTree } from "./syntax_tree.ts";

/**
 * Matches a closed list that is called; `=>` closes no list. There is no white space, because
 * formatters put none there.
 */
const CLOSED_AND_CALLED = /[^=]>[(`]/;
/** Maximum number of tokens in which the end of a list of type arguments is searched. */
const MAX_TOKENS = 200;
const CLOSERS = new Map([[">", 1], [">>", 2], [">>>", 3]]);
/** Deeper than any list can be: makes an operator such as `<=` end the search. */
const NOT_IN_LISTS = MAX_TOKENS + 1;

/** A cheap test of the text: false when it cannot contain type arguments. */
export function mayHoldTypeArguments(code: string): boolean {
  return code.includes("<") && CLOSED_AND_CALLED.test(code);
}

/**
 * Tokens in lists of type arguments that also occur in expressions, besides keywords (`null`,
 * `typeof`).
 */
const LIST_TOKENS: ReadonlySet<TokenType> = new Set([
  tokTypes.name,
  tokTypes.dot,
  tokTypes.comma,
  tokTypes.colon,
  tokTypes.bracketL,
  tokTypes.bracketR,
  tokTypes.braceL,
  tokTypes.braceR,
  tokTypes.parenL,
  tokTypes.parenR,
  tokTypes.string,
  tokTypes.num,
  tokTypes.relational,
  tokTypes.bitShift,
  tokTypes.bitwiseOR,
  tokTypes.bitwiseAND,
]);

/** A script's text and tokens. */
export interface TokenizedScript {
  readonly code: string;
  readonly tokens: readonly Token[];
}

function textOf({ code, tokens }: TokenizedScript, at: number): string {
  const token = tokens[at];
  return token === undefined ? "" : code.slice(token.start, token.end);
}

function opens(script: TokenizedScript, at: number): boolean {
  const token = script.tokens[at];
  const before = script.tokens[at - 1];
  return token?.type === tokTypes.relational && before?.type === tokTypes.name &&
    before.end === token.start && textOf(script, at) === "<";
}

/** By how many levels the token at `at` deepens the list; negative when it closes lists. */
function depthChange(script: TokenizedScript, at: number): number {
  const type = script.tokens[at]?.type;
  if (type !== tokTypes.relational && type !== tokTypes.bitShift) return 0;
  const text = textOf(script, at);
  return text === "<" ? 1 : -(CLOSERS.get(text) ?? NOT_IN_LISTS);
}

function isCalled({ tokens }: TokenizedScript, at: number): boolean {
  const token = tokens[at];
  const next = tokens[at + 1];
  if (token === undefined || next === undefined || next.start !== token.end) return false;
  return next.type === tokTypes.parenL || next.type === tokTypes.backQuote;
}

/** Whether the name at `at` is a reference, not a member or a key. */
function isReference({ tokens }: TokenizedScript, at: number): boolean {
  return tokens[at]?.type === tokTypes.name && tokens[at - 1]?.type !== tokTypes.dot &&
    tokens[at + 1]?.type !== tokTypes.colon;
}

/** The names in the list that opens at `at`; empty when it is not a list of type arguments. */
function namesInList(script: TokenizedScript, at: number): readonly string[] {
  const names: string[] = [];
  const end = Math.min(script.tokens.length, at + MAX_TOKENS);
  let depth = 1;
  for (let index = at + 1; index < end; index++) {
    const type = script.tokens[index]?.type;
    if (type === undefined || type.keyword === undefined && !LIST_TOKENS.has(type)) return [];
    depth += depthChange(script, index);
    if (depth < 0) return [];
    if (depth === 0) return isCalled(script, index) ? names : [];
    if (isReference(script, index)) names.push(textOf(script, index));
  }
  return [];
}

/** Adds the names that a node declares or, by assigning, creates. */
function addBound(node: AnyNode, names: Set<string>): void {
  switch (node.type) {
    case "VariableDeclarator":
      return addPatternNames(node.id, names);
    case "AssignmentExpression":
      return addPatternNames(node.left, names);
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      if (node.id) names.add(node.id.name);
      for (const parameter of node.params) addPatternNames(parameter, names);
      return;
    case "ClassDeclaration":
    case "ClassExpression":
      if (node.id) names.add(node.id.name);
      return;
    case "CatchClause":
      if (node.param) addPatternNames(node.param, names);
      return;
    case "ImportSpecifier":
    case "ImportDefaultSpecifier":
    case "ImportNamespaceSpecifier":
      names.add(node.local.name);
      return;
  }
}

/**
 * Whether a script that is valid JavaScript calls something with type arguments that cannot be
 * values.
 */
export function usesTypeArguments(program: Program, script: TokenizedScript): boolean {
  const candidates = new Set<string>();
  for (let at = 1; at < script.tokens.length; at++) {
    if (!opens(script, at)) continue;
    for (const name of namesInList(script, at)) {
      if (!GLOBAL_NAMES.has(name)) candidates.add(name);
    }
  }
  if (candidates.size === 0) return false;
  const bound = new Set<string>();
  for (const node of walkTree(program)) addBound(node, bound);
  for (const name of candidates) if (!bound.has(name)) return true;
  return false;
}
