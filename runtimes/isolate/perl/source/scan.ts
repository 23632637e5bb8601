/**
 * Reads a Perl file as far as the driver needs to know it: where the program ends and its data
 * begin, which variables belong to the file, what the last statement begins with. Only Perl can
 * parse Perl; where this reading errs, a value is shown or not shown, and no program runs
 * otherwise for it.
 *
 * @module
 */
import {
  endOfDelimited,
  endOfFormat,
  endOfHereDocuments,
  endOfPod,
  endOfQuoteLike,
  type HereDocument,
  hereDocumentAt,
  isQuoteWord,
  nextLine,
} from "./quoted.ts";
import { Statements } from "./statements.ts";

/** What a file was found to be. */
export interface ScannedProgram {
  /** Where the program's own text ends. */
  readonly end: number;
  /** What follows `__END__` or `__DATA__`, and the package that reads it. */
  readonly data?: { readonly start: number; readonly package: string };
  /** What the last statement begins with. */
  readonly last: string;
  /** Lexical variables of the file, sigils included. */
  readonly names: readonly string[];
  /** What the file declares with `our`, and the package it is in. */
  readonly shared: readonly { readonly name: string; readonly package: string }[];
  /** Lexical subroutines of the file, without a sigil. */
  readonly subs: readonly string[];
}

const WORD = /[\p{L}_][\p{L}\p{N}_]*(?:(?:::|')(?=[\p{L}_])[\p{L}\p{N}_]+)*(?:::)?/uy;
const NUMBER = /(?:0[xXbB][\da-fA-F_]+|\d[\d_]*(?:\.(?!\.)[\d_]*)?(?:[eE][+-]?\d+)?)/y;
const VARIABLE =
  /(?:\$#?|@|%|&|\*)(?:\$*(?:::)?[\p{L}_][\p{L}\p{N}_]*(?:(?:::|')[\p{L}_][\p{L}\p{N}_]*)*|\$*(?=[{$])|\d+|\^\w)/uy;
const PUNCTUATION_VARIABLE = /\$#?[&`'+!@\/\\,;.\-_^~=%:?<>"|[\]*]|@[-+!]|%[-+!]/y;
const READLINE = /<(?:\$?\w*|<>|[^<>\n=;(){}]*[.*\/][^<>\n=;(){}]*)>/y;
const DECLARED =
  /\s*(?:[A-Za-z_][\w:]*\s+)?\\?\s*(?:\(([^()]*)\)|([$@%])\s*([\p{L}_][\p{L}\p{N}_]*))/uy;
const PROTOTYPE = /\s*\([\s$@%&*;+\\[\]_]*\)/y;
const NAME = /([$@%])\s*([\p{L}_][\p{L}\p{N}_]*)/gu;
const LEXICAL_SUB = /\s+sub\s+([\p{L}_][\p{L}\p{N}_]*)/uy;

/** Operators of several characters, of which none may be taken for the start of a term. */
const OPERATOR =
  /=>|->|=~|!~|\+\+|--|<=>|(?:\/\/|\|\||&&|\*\*|<<|>>|\.\.)[.=]?|[-+*\/.%x&|^=!<>]=|-[a-zA-Z](?!\w)(?!\s*=>)|./sy;

/** Words after which a term is expected, so that `/` begins a pattern. */
const BEFORE_TERM = new Set(
  ("and or not xor x if elsif unless while until return split grep map join push unshift print say " +
    "printf die warn eq ne lt gt le ge cmp lc uc lcfirst ucfirst defined ref scalar when isa " +
    "first any all none sum sort reverse length keys values each foreach for").split(" "),
);

class Scanner {
  readonly #text: string;
  #at = 0;
  /** Brackets that are open. */
  readonly #open: string[] = [];
  /** The last token was a term, so an operator is expected. */
  #term = false;
  /** The last token itself. */
  #previous = "";
  #documents: HereDocument[] = [];
  readonly #statements = new Statements();
  readonly #names = new Set<string>();
  readonly #shared = new Map<string, string>();
  readonly #subs = new Set<string>();
  #package = "main";
  #result: Pick<ScannedProgram, "end" | "data"> | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): ScannedProgram {
    this.#lineStart();
    while (this.#result === undefined && this.#at < this.#text.length) this.#step();
    this.#statements.end();
    return {
      end: this.#text.length,
      ...this.#result,
      last: this.#statements.last,
      names: [...this.#names],
      shared: [...this.#shared].map(([name, owner]) => ({ name, package: owner })),
      subs: [...this.#subs],
    };
  }

  #step(): void {
    const char = this.#text[this.#at] ?? "";
    if (char === "\n") {
      this.#at = endOfHereDocuments(this.#text, this.#at + 1, this.#documents);
      this.#documents = [];
      this.#lineStart();
    } else if (/\s/.test(char)) this.#at++;
    else if (char === "#") this.#comment();
    else if (char === "\x04" || char === "\x1a") this.#result = { end: this.#at };
    else this.#token(char);
  }

  #comment(): void {
    const newline = this.#text.indexOf("\n", this.#at);
    this.#at = newline < 0 ? this.#text.length : newline;
  }

  /** POD begins at the start of a line. */
  #lineStart(): void {
    if (!/^=[A-Za-z]/.test(this.#text.slice(this.#at, this.#at + 2))) return;
    const end = endOfPod(this.#text, this.#at);
    if (end === undefined) this.#result = { end: this.#at };
    else {
      this.#at = end;
      this.#lineStart();
    }
  }

  #token(char: string): void {
    const word = this.#match(WORD);
    if (word !== undefined) return this.#word(word);
    if (this.#open.length === 0 && !/[;})\]]/.test(char)) this.#statements.token(char);
    if (/\d/.test(char) && this.#take(this.#match(NUMBER), true)) return;
    if (this.#variable(char) || this.#quoted(char) || this.#angle(char)) return;
    this.#operator(char);
  }

  #variable(char: string): boolean {
    if (char !== "$" && char !== "@" && (this.#term || !/[%&*]/.test(char))) return false;
    const variable = this.#match(VARIABLE) ?? this.#match(PUNCTUATION_VARIABLE);
    return this.#take(variable, true);
  }

  #quoted(char: string): boolean {
    if (!/["'`]/.test(char) && (char !== "/" || this.#term)) return false;
    this.#at = endOfDelimited(this.#text, this.#at);
    if (char === "/") this.#take(this.#match(/[a-z]*/y), true);
    this.#term = true;
    this.#previous = "quoted";
    return true;
  }

  #angle(char: string): boolean {
    if (char !== "<" || (this.#term && !/^\w/.test(this.#previous))) return false;
    const here = this.#term && !/^(?:print|return|say|die|warn)/.test(this.#previous)
      ? undefined
      : hereDocumentAt(this.#text, this.#at);
    if (here !== undefined) {
      this.#documents.push(here.document);
      this.#at = here.end;
      this.#term = true;
      return true;
    }
    return !this.#term && this.#take(this.#match(READLINE), true);
  }

  #operator(char: string): void {
    if (/[({[]/.test(char)) this.#open.push(char);
    if (/[)}\]]/.test(char)) return this.#close(char);
    if (char === ";" && this.#open.length === 0) this.#statements.end();
    const operator = this.#match(OPERATOR) ?? char;
    this.#at += operator.length;
    const increment = operator === "++" || operator === "--";
    this.#term = increment && this.#term;
    this.#previous = operator;
  }

  #close(char: string): void {
    this.#at++;
    const opened = this.#open.pop();
    // After a block a statement begins, after a subscript an operator is expected.
    this.#term = true;
    this.#previous = char;
    if (this.#open.length > 0 || opened !== "{") return;
    this.#statements.blockClosed(this.#text.slice(this.#at, this.#at + 400));
    if (this.#statements.atStart) this.#term = false;
  }

  #word(word: string): void {
    const before = this.#previous;
    const start = this.#at;
    const rest = this.#text.slice(start + word.length, start + word.length + 200);
    const isKey = /^\s*=>/.test(rest) || before === "->" ||
      (before === "{" && /^\s*\}/.test(rest));
    if (!isKey && this.#special(word, before)) return;
    if (this.#open.length === 0) {
      if (!isKey && this.#statements.atStart && /^\s*:(?!:)/.test(rest)) {
        this.#at = this.#text.indexOf(":", start) + 1;
        return;
      }
      this.#statements.token(word);
    }
    this.#at = start + word.length;
    this.#term = isKey || !BEFORE_TERM.has(word);
    this.#previous = word;
    if (isKey) return;
    if (word === "my" || word === "state" || word === "our") this.#declared(word);
    if (word === "sub") this.#prototype();
  }

  /** Words that end the program, begin a quotation, or name a package. True: it is dealt with. */
  #special(word: string, before: string): boolean {
    const after = this.#at + word.length;
    if (word === "__END__" || word === "__DATA__") {
      const reader = word === "__END__" ? "main" : this.#package;
      this.#result = {
        end: this.#at,
        data: { start: nextLine(this.#text, after), package: reader },
      };
      return true;
    }
    if (isQuoteWord(word) && before !== "sub" && before !== "&") {
      const matching = before === "=~" || before === "!~";
      const end = endOfQuoteLike(this.#text, word, after, matching);
      if (end === undefined) return false;
      if (this.#open.length === 0) this.#statements.token(word);
      this.#at = end;
      this.#term = true;
      this.#previous = "quoted";
      return true;
    }
    return this.#statementWord(word, after);
  }

  #statementWord(word: string, after: number): boolean {
    if (this.#open.length > 0 || !this.#statements.atStart) return false;
    const rest = this.#text.slice(after, after + 300);
    if (word === "format" && /^\s*[\w:]*\s*=[ \t]*\r?\n/.test(rest)) {
      this.#at = endOfFormat(this.#text, this.#text.indexOf("=", after));
      return true;
    }
    const names = word === "package" || word === "class";
    const named = names ? /^\s+([\w:']+)[^;{]*;/.exec(rest)?.[1] : undefined;
    if (named !== undefined) this.#package = named;
    return false;
  }

  #declared(word: string): void {
    if (this.#open.includes("{") || this.#statements.isCompound) return;
    for (const name of declaredNames(this.#text, this.#at)) {
      if (word === "our") this.#shared.set(name, this.#package);
      else this.#names.add(name);
    }
    LEXICAL_SUB.lastIndex = this.#at;
    const sub = word === "our" ? undefined : LEXICAL_SUB.exec(this.#text)?.[1];
    if (sub !== undefined) this.#subs.add(sub);
  }

  #prototype(): void {
    const name = this.#match(/\s+[\w:']+/y);
    if (name !== undefined) {
      this.#at += name.length;
      if (this.#open.length === 0) this.#statements.token(name.trim());
    }
    this.#at += this.#match(PROTOTYPE)?.length ?? 0;
    this.#term = false;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0];
  }

  #take(token: string | undefined, term: boolean): boolean {
    if (token === undefined || token === "") return false;
    this.#at += token.length;
    this.#term = term;
    this.#previous = token;
    return true;
  }
}

/** The variables in the declaration whose word ends at `from`. */
function declaredNames(text: string, from: number): readonly string[] {
  DECLARED.lastIndex = from;
  const match = DECLARED.exec(text);
  if (match === null) return [];
  const list = match[1] ?? `${match[2]}${match[3]}`;
  return [...list.matchAll(NAME)].map(([, sigil, name]) => `${sigil}${name}`);
}

/** Reads a file. Takes time in proportion to its length. */
export function scanProgram(text: string): ScannedProgram {
  return new Scanner(text).scan();
}
