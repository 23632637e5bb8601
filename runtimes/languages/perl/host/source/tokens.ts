/**
 * Patterns of those tokens of a Perl file that the scan distinguishes.
 *
 * @module
 */

/** A word that begins a quotation with an apostrophe, which elsewhere separates names. */
export const QUOTING_WORD = /(?:q[qwrx]?|m|s|y|tr)(?=')/y;
export const WORD = /[\p{L}_][\p{L}\p{N}_]*(?:(?:::|')(?=[\p{L}_])[\p{L}\p{N}_]+)*(?:::)?/uy;
export const NUMBER = /(?:0[xXbB][\da-fA-F_]+|\d[\d_]*(?:\.(?!\.)[\d_]*)?(?:[eE][+-]?\d+)?)/y;
const NAMED_VARIABLE =
  /(?:\$#?|@|%|&|\*)(?:\$*(?:::)?[\p{L}_][\p{L}\p{N}_]*(?:(?:::|')[\p{L}_][\p{L}\p{N}_]*)*|\$*(?=[{$])|\d+|\^\w)/uy;
const PUNCTUATION_VARIABLE = /\$#?[&`'+!@\/\\,;.\-_^~=%:?<>"|()[\]*]|@[-+!]|%[-+!]/y;
/** Dereferences after an arrow: `->@*`, `->$#*`. */
export const DEREFERENCE = /(?:[$@%&*]|\$#)\*/y;
/** `<…>`: reading a file, or matching file names. */
export const READLINE = /<(?:\$?\w*|<>|(?=[^<>\n=;(){}.*\/]*[.*\/])[^<>\n=;(){}]*)>/y;
export const PROTOTYPE = /\s*\([\s$@%&*;+\\[\]_]*\)/y;
export const LEXICAL_SUB = /\s+sub\s+([\p{L}_][\p{L}\p{N}_]*)/uy;
/** Operators of several characters, none of which may be mistaken for the start of a term. */
export const OPERATOR =
  /=>|->|=~|!~|\+\+|--|<=>|(?:\/\/|\|\||&&|\*\*|<<|>>|\.\.)[.=]?|[-+*\/.%x&|^=!<>]=|-[a-zA-Z](?!\w)(?!\s*=>)|./sy;

const DECLARED =
  /\s*(?:[A-Za-z_][\w:]*\s+)?(?:\\\s*)?(?:\(([^()]*)\)|([$@%])\s*([\p{L}_][\p{L}\p{N}_]*))/uy;
const NAME = /([$@%])\s*([\p{L}_][\p{L}\p{N}_]*)/gu;

/** Words after which a term is expected, so that `/` begins a pattern. */
const BEFORE_TERM = new Set(
  ("and or not xor x if elsif unless while until return split grep map join push unshift print say " +
    "printf die warn eq ne lt gt le ge cmp lc uc lcfirst ucfirst defined ref scalar when isa " +
    "first any all none sum sort reverse length keys values each foreach for").split(" "),
);
/** Operators that are words; no argument list follows them. */
const WORD_OPERATORS = new Set("and or not xor x eq ne lt gt le ge cmp isa".split(" "));
/** Words whose block, or anonymous hash, is a term: an operator is expected after it. */
const BEFORE_TERM_IN_BRACES = new Set("do eval sub return and or not xor x".split(" "));

/** Whether a term is expected after a word. */
export function expectsTerm(word: string): boolean {
  return BEFORE_TERM.has(word);
}

/** Whether a word may precede a list that begins with a file handle. */
export function takesList(word: string): boolean {
  return /^[\p{L}_]/u.test(word) && !WORD_OPERATORS.has(word);
}

/** The text that a pattern matches at a position. */
export function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** A variable at a position, or the sigils of a dereferenced block. */
export function variableAt(text: string, at: number): string | undefined {
  return matchAt(NAMED_VARIABLE, text, at) ?? matchAt(PUNCTUATION_VARIABLE, text, at);
}

/** The variables in the declaration whose word ends at `from`. */
export function declaredNames(text: string, from: number): readonly string[] {
  DECLARED.lastIndex = from;
  const match = DECLARED.exec(text);
  if (match === null) return [];
  const list = match[1] ?? `${match[2]}${match[3]}`;
  return [...list.matchAll(NAME)].map(([, sigil, name]) => `${sigil}${name}`);
}

/**
 * The content of a bracket. A `subscript` can itself be followed by a subscript. After a `term` an
 * operator is expected; after a `block` a statement or, after `map` and similar words, a term.
 */
export type BracketContent = "subscript" | "term" | "block";

/**
 * The content of a bracket that opens after a token. `subscribable`: the token can have a subscript.
 */
export function enclosedBehind(
  bracket: string,
  previous: string,
  subscribable: boolean,
): BracketContent {
  if (subscribable || previous === "->") return "subscript";
  if (bracket === "[" && previous === ")") return "subscript";
  if (bracket !== "{") return "term";
  if (/^[\p{L}_]/u.test(previous)) return BEFORE_TERM_IN_BRACES.has(previous) ? "term" : "block";
  return previous === "" || /^(?:[;{})]|\d.*)$/.test(previous) ? "block" : "term";
}
