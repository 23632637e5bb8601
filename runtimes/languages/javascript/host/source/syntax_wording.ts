/**
 * Syntax errors in V8's words: translates the messages of the two parsers.
 *
 * QuickJS decides whether a script is valid. If acorn rejects it too, acorn's fault and position
 * are more precise.
 *
 * @module
 */
import type { GuestError } from "../../../../engine/engine.ts";
import { FLAGS_FAULT, PATTERN_FAULTS } from "../pattern_faults.ts";
import { LineIndex } from "./line_index.ts";
import { parseScript, type SyntaxFault } from "./script_parser.ts";
import { namedFault, syntaxError } from "./syntax_errors.ts";
import { addPatternNames, walkTree } from "./syntax_tree.ts";

const INVALID_TOKEN = "Invalid or unexpected token";
const BAD_ASSIGNMENT = "Invalid left-hand side in assignment";
const BAD_SUPER = "'super' keyword unexpected here";
const BAD_AWAIT = "await is only valid in async functions and the top level bodies of modules";
const BAD_DECLARATION = "Lexical declaration cannot appear in a single-statement context";

/** acorn's message → V8's. */
const PARSER_WORDS: ReadonlyMap<string, string> = new Map([
  ["Unterminated string constant", INVALID_TOKEN],
  ["Unterminated template", "Unterminated template literal"],
  ["Unterminated comment", INVALID_TOKEN],
  ["Unterminated regular expression", "Invalid regular expression: missing /"],
  ["Identifier directly after number", INVALID_TOKEN],
  ["Invalid number", INVALID_TOKEN],
  ["Parenthesized pattern", BAD_ASSIGNMENT],
  ["Optional chaining cannot appear in left-hand side", BAD_ASSIGNMENT],
  ["Cannot use keyword 'await' outside an async function", BAD_AWAIT],
  ["Unsyntactic break", "Illegal break statement"],
  ["Unsyntactic continue", "Illegal continue statement: no surrounding iteration statement"],
  ["Missing catch or finally clause", "Missing catch or finally after try"],
  ["Duplicate constructor in the same class", "A class may only have one constructor"],
  ["super() call outside constructor of a subclass", BAD_SUPER],
  ["'super' keyword outside a method", BAD_SUPER],
  ["let is disallowed as a lexically bound name", "let is disallowed as a lexically bound name"],
  [
    "Shorthand property assignments are valid only in destructuring patterns",
    "Invalid shorthand property initializer",
  ],
  [
    "Complex binding patterns require an initialization value",
    "Missing initializer in destructuring declaration",
  ],
  ["Multiple default clauses", "More than one default clause in switch statement"],
  ["Argument name clash", "Duplicate parameter name not allowed in this context"],
  ["'with' in strict mode", "Strict mode code may not include a with statement"],
  ["Deleting local variable in strict mode", "Delete of an unqualified identifier in strict mode."],
  ["Octal literal in strict mode", "Octal literals are not allowed in strict mode."],
  ["Code point out of bounds", "Undefined Unicode code-point"],
  [
    "Numeric separator is not allowed at the last of digits",
    "Numeric separators are not allowed at the end of numeric literals",
  ],
  [
    "Numeric separator must be exactly one underscore",
    "Only one underscore is allowed as numeric separator",
  ],
  ["getter should have no params", "Getter must not have any formal parameters."],
  ["setter should have exactly one param", "Setter must have exactly one formal parameter."],
]);

/** QuickJS's message → V8's, where acorn has no better one. */
const ENGINE_WORDS: ReadonlyMap<string, string> = new Map([
  ["missing initializer for const variable", "Missing initializer in const declaration"],
  ["return not in a function", "Illegal return statement"],
  ["lexical declarations can't appear in single-statement context", BAD_DECLARATION],
  ["class declarations can't appear in single-statement context", BAD_DECLARATION],
  ["'let' is not a valid lexical identifier", "let is disallowed as a lexically bound name"],
  ["private class field is already defined", "Identifier has already been declared"],
  ["invalid destructuring target", "Invalid destructuring assignment target"],
]);

const REDEFINED = /^(?:invalid )?redefinition of |^redeclaration of '/;
const KEYWORD_FAULT = /^(?:Unexpected keyword|The keyword) '([^']+)'/;
const CHARACTER_FAULT = /^Unexpected character/;
const RADIX_FAULT = /^Expected number in radix/;
const LABEL_FAULT = /^Label '([^']*)' is already declared$/;
const EXPORT_FAULT = /^Duplicate export '([^']*)'$/;
const UNEXPECTED = /^(?:Unexpected token$|missing \))/;
/** A word before an unexpected token that was meant as an operator. */
const AWAIT_BEFORE = /(?:^|[^\w$.])await\s*$/;
/** The only frame of a script that did not compile. */
const COMPILE_FRAME = /^ {4}at (?:[^ ]+ \()?main(?:-\d+)?\.js:(\d+):\d+\)?$/;
const OPEN_ARGUMENTS = /^missing \) after argument list$/;
const BAD_TARGET = "Assigning to rvalue";
const BAD_ESCAPE = "Bad character escape sequence";
/** The text before the parenthesis of a function without a name, at the start of a statement. */
const NAMELESS_FUNCTION = /(?:^|[;{}\n])\s*(?:async\s+)?function\s*\*?\s*$/;

function isAwait(code: string, { message, offset }: SyntaxFault): boolean {
  return UNEXPECTED.test(message) && offset !== undefined &&
    AWAIT_BEFORE.test(code.slice(Math.max(0, offset - 200), offset));
}

/** V8's messages for one message of acorn's, by the text before and after the position. */
const WORDS_BY_NEIGHBOURS: readonly {
  readonly message: string;
  readonly before?: RegExp;
  readonly behind?: RegExp;
  tell(found: string): string;
}[] = [
  {
    message: "Unsyntactic break",
    behind: /^break[ \t]+([\p{ID_Start}$_][\p{ID_Continue}$]*)/u,
    tell: (label) => `Undefined label '${label}'`,
  },
  {
    message: "Unsyntactic continue",
    behind: /^continue[ \t]+([\p{ID_Start}$_][\p{ID_Continue}$]*)/u,
    tell: (label) => `Undefined label '${label}'`,
  },
  {
    message: "Invalid number",
    behind: /^0[0-7]+(?![\w.])/,
    tell: () => "Octal literals are not allowed in strict mode.",
  },
  {
    message: "Invalid number",
    behind: /^0[0-9]+(?![\w.])/,
    tell: () => "Decimals with leading zeros are not allowed in strict mode.",
  },
  {
    message: "Comma is not permitted after the rest element",
    before: /\([^()[\]{}]*$/,
    tell: () => "Rest parameter must be last formal parameter",
  },
  {
    message: "Comma is not permitted after the rest element",
    tell: () => "Rest element must be last element",
  },
  {
    message:
      "Logical expressions and coalesce expressions cannot be mixed. Wrap either by parentheses",
    behind: /^(\|\||&&|\?\?)/,
    tell: (operator) => `Unexpected token '${operator}'`,
  },
  {
    message: "Unexpected token",
    before: /[-+!~][ \t]*[\w$.]+[ \t]*$/,
    behind: /^\*\*/,
    tell: () =>
      "Unary operator used immediately before exponentiation expression. " +
      "Parenthesis must be used to disambiguate operator precedence",
  },
];
const MAX_NEIGHBOURS = 200;

function wordedByNeighbours(code: string, message: string, offset: number): string | undefined {
  const before = code.slice(Math.max(0, offset - MAX_NEIGHBOURS), offset);
  const behind = code.slice(offset, offset + MAX_NEIGHBOURS);
  for (const words of WORDS_BY_NEIGHBOURS) {
    if (words.message !== message || words.before?.test(before) === false) continue;
    const match = words.behind?.exec(behind);
    if (match !== null) return words.tell(match?.[1] ?? "");
  }
  return undefined;
}

/** Expressions that cannot be assigned to, incremented or decremented. */
function badTarget(code: string, offset: number): string {
  if (/(?:\+\+|--)\s*$/.test(code.slice(Math.max(0, offset - 20), offset))) {
    return "Invalid left-hand side expression in prefix operation";
  }
  return BAD_ASSIGNMENT;
}

/** Messages that depend on the text around the position. */
function wordedByPlace(code: string, { message, offset }: SyntaxFault): string | undefined {
  if (offset === undefined) return undefined;
  if (message === BAD_TARGET) return badTarget(code, offset);
  if (message === BAD_ESCAPE) {
    const isUnicode = /\\u[^\\]{0,8}$/.test(code.slice(Math.max(0, offset - 10), offset + 1));
    return `Invalid ${isUnicode ? "Unicode" : "hexadecimal"} escape sequence`;
  }
  const isNameless = message === "Unexpected token" && code[offset] === "(" &&
    NAMELESS_FUNCTION.test(code.slice(Math.max(0, offset - 200), offset));
  if (isNameless) return "Function statements require a function name";
  return wordedByNeighbours(code, message, offset);
}

function worded(code: string, fault: SyntaxFault): string {
  const { message } = fault;
  const byPlace = wordedByPlace(code, fault);
  if (byPlace !== undefined) return byPlace;
  const known = PARSER_WORDS.get(message);
  if (known !== undefined) return known;
  if (isAwait(code, fault)) return BAD_AWAIT;
  if (CHARACTER_FAULT.test(message) || RADIX_FAULT.test(message)) return INVALID_TOKEN;
  const [, keyword] = KEYWORD_FAULT.exec(message) ?? [];
  if (keyword !== undefined) return `Unexpected token '${keyword}'`;
  const [, label] = LABEL_FAULT.exec(message) ?? [];
  if (label !== undefined) return `Label '${label}' has already been declared`;
  const [, exported] = EXPORT_FAULT.exec(message) ?? [];
  if (exported !== undefined) return `Duplicate export of '${exported}'`;
  return namedFault(code, fault).message;
}

/** One of acorn's faults in V8's words. */
export function wordFault(code: string, fault: SyntaxFault): SyntaxFault {
  const told = { ...fault, message: worded(code, fault) };
  if (!OPEN_ARGUMENTS.test(told.message) || fault.offset === undefined) return told;
  // V8 reports the end of the list
  const before = code.slice(0, fault.offset).trimEnd();
  const start = before.lastIndexOf("\n") + 1;
  return { ...told, line: before.split("\n").length, column: before.length - start };
}

/** The error of a regular expression in the source, for which QuickJS gives no position. */
function wordPattern(error: GuestError, code: string): GuestError {
  const { message } = error;
  const reason = Object.hasOwn(PATTERN_FAULTS, message) ? PATTERN_FAULTS[message] : undefined;
  if (reason === undefined && message !== FLAGS_FAULT) return error;
  const parsed = parseScript(code, { tokens: false });
  const found = parsed.kind === "parsed"
    ? [...walkTree(parsed.program)].filter((node) => node.type === "Literal" && "regex" in node)
    : [];
  const [node] = found;
  const lines = new LineIndex(code);
  const place = { line: lines.lineOf(node?.start ?? 0) + 1, column: 0 };
  const only = found.length === 1 && node?.type === "Literal" ? node.raw?.slice(0, 200) : undefined;
  const text = reason === undefined
    ? "Invalid regular expression flags"
    : `Invalid regular expression: ${only === undefined ? "" : `${only}: `}${reason}`;
  const told = syntaxError("main.js", { ...place, message: text });
  return found.length === 1
    ? told
    : { ...error, message: text, traceback: [told.traceback[0] ?? ""] };
}

/** The name on a line that is also declared before it, or anywhere else. */
function redeclaredOn(line: number, code: string): string | undefined {
  const parsed = parseScript(code, { tokens: false });
  if (parsed.kind !== "parsed") return undefined;
  const lines = new LineIndex(code);
  const declared: { readonly name: string; readonly line: number }[] = [];
  for (const node of walkTree(parsed.program)) {
    const names = new Set<string>();
    if (node.type === "VariableDeclarator") addPatternNames(node.id, names);
    if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") {
      if (node.id) names.add(node.id.name);
    }
    for (const name of names) declared.push({ name, line: lines.lineOf(node.start) + 1 });
  }
  const here = declared.filter((one) => one.line === line).map(({ name }) => name);
  const counts = new Map<string, number>();
  for (const { name } of declared) counts.set(name, (counts.get(name) ?? 0) + 1);
  return here.find((name) => (counts.get(name) ?? 0) > 1) ?? here[0];
}

function wordRedefinition(message: string, line: number, code: string): string {
  const quoted = /'([^']+)'$/.exec(message)?.[1];
  const name = quoted ?? redeclaredOn(line, code);
  return name === undefined ? message : `Identifier '${name}' has already been declared`;
}

/** The error of a run whose script QuickJS rejected. */
export interface RefusedScript {
  /** The text that was evaluated. */
  readonly code: string;
  /** Why acorn rejected it too, in V8's words. */
  readonly fault?: SyntaxFault;
  lineOf(line: number): number;
}

/** The error of a script that did not compile, in V8's words; other errors as they are. */
export function wordSyntaxError(error: GuestError, script: RefusedScript): GuestError {
  const { name, message, traceback } = error;
  if (name !== "SyntaxError") return error;
  if (traceback.length === 1) return wordPattern(error, script.code);
  if (traceback.length !== 2) return error;
  const [, line] = COMPILE_FRAME.exec(traceback[1] ?? "") ?? [];
  if (line === undefined) return error;
  const place = { line: Number(line), column: 0 };
  if (REDEFINED.test(message)) {
    const text = wordRedefinition(message, place.line, script.code);
    return syntaxError("main.js", { ...place, message: text });
  }
  const own = ENGINE_WORDS.get(message);
  if (own !== undefined) return syntaxError("main.js", { ...place, message: own });
  const { fault } = script;
  return fault === undefined
    ? error
    : syntaxError("main.js", { ...fault, line: script.lineOf(fault.line) });
}
