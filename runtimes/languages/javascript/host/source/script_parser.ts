/**
 * Parses with acorn: determines whether a text is JavaScript, and its statements.
 *
 * @module
 */
import { type Options, Parser, type Program, type Token, tokTypes } from "acorn";

/** Where and why a parser stopped. `line` counts from 1, `column` from 0. */
export interface SyntaxFault {
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** Index into the text, if the parser reports it. */
  readonly offset?: number;
}

/** The result of parsing. A text can also be nested too deeply to parse. */
export type ParsedScript =
  | { readonly kind: "parsed"; readonly program: Program; readonly tokens: readonly Token[] }
  | { readonly kind: "fault"; readonly fault: SyntaxFault }
  | { readonly kind: "too deep" };

const OPTIONS: Options = {
  ecmaVersion: "latest",
  sourceType: "script",
  allowAwaitOutsideFunction: true,
  allowHashBang: true,
  allowImportExportEverywhere: true,
  // A `return` outside functions is no sign of TypeScript; QuickJS rejects it with its own error.
  allowReturnOutsideFunction: true,
};
/** acorn's flag of the outermost scope. */
const TOP_SCOPE = 1;
const allowUsing = Object.getOwnPropertyDescriptor(Parser.prototype, "allowUsing")?.get;
/** For each label, acorn searches all labels. */
const MAX_LABELS = 1000;
const DEPTH_MESSAGE = /^Not enough stack space/;
const POSITION_SUFFIX = / \(\d+:\d+\)$/;
const LINE_BREAK = /[\n\r\u2028\u2029]/;

type ParserMethod = (this: Parser, ...args: unknown[]) => unknown;

/** An internal method of acorn that its types do not declare. */
function ownMethod(name: string): ParserMethod {
  const method: unknown = Reflect.get(Parser.prototype, name);
  if (typeof method !== "function") throw new TypeError(`acorn's parser has no "${name}"`);
  return method as ParserMethod;
}

/**
 * acorn without two checks that a hostile source can turn into minutes of work, and that QuickJS
 * repeats, metered: patterns of regular expressions (which would also reach the host's compiler),
 * and duplicate declarations. Labels may nest to any depth.
 */
class ScriptParser extends Parser {
  declare currentScope: () => { readonly flags: number };
  declare pos: number;
  declare start: number;
  declare eat: (type: unknown) => boolean;
  declare containsEsc: boolean;
  declare labels: readonly unknown[];
  declare readWord1: () => string;
  declare raise: (position: number, message: string) => never;
  declare finishToken: (type: unknown, value: unknown) => void;

  /** The tokens that close the lists being parsed; undefined for lists in parentheses or braces. */
  readonly #lists: unknown[] = [];

  declareName(): void {}

  /** A script's top level and a CommonJS file may declare resources, as a module does. */
  get allowUsing(): boolean {
    return (this.currentScope().flags & TOP_SCOPE) !== 0 || allowUsing?.call(this) === true;
  }

  /** Reports an unclosed argument list, as V8 does. */
  parseExprList(close: unknown, ...args: unknown[]): unknown {
    this.#lists.push(close);
    const list = ownMethod("parseExprList").call(this, close, ...args);
    this.#lists.pop();
    return list;
  }

  /** The elements of an object are not arguments. */
  parseObj(...args: unknown[]): unknown {
    this.#lists.push(undefined);
    const object = ownMethod("parseObj").apply(this, args);
    this.#lists.pop();
    return object;
  }

  parseParenAndDistinguishExpression(...args: unknown[]): unknown {
    this.#lists.push(undefined);
    const expression = ownMethod("parseParenAndDistinguishExpression").apply(this, args);
    this.#lists.pop();
    return expression;
  }

  expect(type: unknown): void {
    if (this.eat(type)) return;
    const isArgument = type === tokTypes.comma && this.#lists.at(-1) === tokTypes.parenR;
    this.raise(this.start, isArgument ? "missing ) after argument list" : "Unexpected token");
  }

  parseLabeledStatement(...args: unknown[]): unknown {
    if (this.labels.length > MAX_LABELS) throw new RangeError("Too many labels around a statement");
    return ownMethod("parseLabeledStatement").apply(this, args);
  }

  readRegexp(): void {
    const start = this.pos;
    this.#skipPattern();
    const pattern = this.input.slice(start, this.pos++);
    const flagsStart = this.pos;
    const flags = this.readWord1();
    if (this.containsEsc) this.raise(flagsStart, "Unexpected token");
    this.finishToken(tokTypes.regexp, { pattern, flags, value: null });
  }

  #skipPattern(): void {
    const { input, pos: start } = this;
    let inClass = false;
    for (;; this.pos++) {
      const char = input.charAt(this.pos);
      if (char === "" || LINE_BREAK.test(char)) {
        this.raise(start, "Unterminated regular expression");
      }
      if (char === "/" && !inClass) return;
      if (char === "[") inClass = true;
      else if (char === "]") inClass = false;
      else if (char === "\\" && !LINE_BREAK.test(input.charAt(this.pos + 1))) this.pos++;
    }
  }
}

function readFault(error: SyntaxError): SyntaxFault {
  const { pos, loc } = error as { readonly pos?: unknown; readonly loc?: unknown };
  const { line, column } = (loc ?? {}) as { readonly line?: unknown; readonly column?: unknown };
  return {
    message: error.message.replace(POSITION_SUFFIX, ""),
    line: typeof line === "number" ? line : 1,
    column: typeof column === "number" ? column : 0,
    ...(typeof pos === "number" ? { offset: pos } : {}),
  };
}

/** How to parse a text. */
export interface ParseWishes {
  /** Whether tokens are kept. */
  readonly tokens: boolean;
  /** Whether the text is part of a class, and may use private names declared elsewhere. */
  readonly fragment?: boolean;
}

/** Parses a script. */
export function parseScript(code: string, wants: ParseWishes): ParsedScript {
  const tokens: Token[] = [];
  const options: Options = {
    ...OPTIONS,
    checkPrivateFields: wants.fragment !== true,
    ...(wants.tokens ? { onToken: tokens } : {}),
  };
  try {
    return { kind: "parsed", program: ScriptParser.parse(code, options), tokens };
  } catch (error) {
    if (error instanceof RangeError) return { kind: "too deep" };
    if (!(error instanceof SyntaxError)) throw error;
    if (DEPTH_MESSAGE.test(error.message)) return { kind: "too deep" };
    return { kind: "fault", fault: readFault(error) };
  }
}
