/**
 * Scans a Perl file for what the driver needs: where the program ends and its data begin, which
 * variables belong to the file, and how the last statement begins. Only Perl can parse Perl; a
 * mistake here affects only the shown value, not the behaviour of a program.
 *
 * @module
 */
import { type Announcement, announcementAt, HereDocuments } from "./here_documents.ts";
import {
  endOfDelimited,
  endOfFormat,
  endOfPod,
  endOfQuoteLike,
  isQuoteWord,
  nextLine,
  startOfCode,
} from "./quoted.ts";
import { Statements } from "./statements.ts";
import {
  type BracketContent,
  declaredNames,
  DEREFERENCE,
  enclosedBehind,
  expectsTerm,
  LEXICAL_SUB,
  matchAt,
  NUMBER,
  OPERATOR,
  PROTOTYPE,
  QUOTING_WORD,
  READLINE,
  takesList,
  variableAt,
  WORD,
} from "./tokens.ts";

/** The result of scanning a file. */
export interface ScannedProgram {
  /** Where the program's own text ends. */
  readonly end: number;
  /** The text after `__END__` or `__DATA__`, and the package that reads it. */
  readonly data?: { readonly start: number; readonly package: string };
  /** The word or character that the last statement begins with. */
  readonly last: string;
  /** Lexical variables of the file, sigils included. */
  readonly names: readonly string[];
  /** The names that the file declares with `our`, with their package. */
  readonly shared: readonly { readonly name: string; readonly package: string }[];
  /** Lexical subroutines of the file, without a sigil. */
  readonly subs: readonly string[];
  /** The starts of comments that fill a line. */
  readonly comments: readonly number[];
}

/** An open bracket. */
interface Bracket {
  readonly char: string;
  readonly encloses: BracketContent;
}

/** Matches the beginning of a POD paragraph after any text. */
const PARAGRAPH = /^=(?:pod|head[1-6]|over|item|back|begin|end|for|encoding)\b[^\n]*\n[ \t\r]*\n/;

class Scanner {
  readonly #text: string;
  #at = 0;
  /** The open brackets. */
  readonly #open: Bracket[] = [];
  /** How many of them are braces. */
  #braces = 0;
  /** Whether the last token was a term, so that an operator is expected. */
  #term = false;
  /** Whether a statement is about to begin, in a block or in the file. */
  #fresh = true;
  /** Whether the last token was a variable, or something else that can have a subscript. */
  #subscribable = false;
  /** The last token; a quotation mark for anything quoted. */
  #previous = "";
  /** The token before it, not counting an opening parenthesis. */
  #lead = "";
  readonly #documents: HereDocuments;
  readonly #statements = new Statements();
  readonly #names = new Set<string>();
  readonly #shared = new Map<string, string>();
  readonly #subs = new Set<string>();
  readonly #comments: number[] = [];
  #package = "main";
  /** Whether no line from here on ends POD. */
  #endlessPod = false;
  #result: Pick<ScannedProgram, "end" | "data"> | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#documents = new HereDocuments(text);
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
      comments: this.#comments,
    };
  }

  #step(): void {
    const char = this.#text[this.#at] ?? "";
    if (char === "\n") {
      this.#at = this.#documents.skip(this.#at + 1);
      this.#lineStart();
    } else if (/\s/.test(char)) this.#at++;
    else if (char === "#") this.#comment();
    else if (char === "\x04" || char === "\x1a") this.#result = { end: this.#at };
    else this.#token(char);
  }

  #comment(): void {
    const newline = this.#text.indexOf("\n", this.#at);
    const start = this.#text.lastIndexOf("\n", this.#at - 1) + 1;
    if (this.#text.slice(start, this.#at).trim() === "") this.#comments.push(this.#at);
    this.#at = newline < 0 ? this.#text.length : newline;
  }

  /**
   * POD begins at the start of a line where a statement may begin; elsewhere `=` is an assignment.
   */
  #lineStart(): void {
    while (this.#result === undefined && this.#beginsPod()) {
      const end = endOfPod(this.#text, this.#at);
      if (end !== undefined) this.#at = end;
      else if (this.#fresh) this.#result = { end: this.#at };
      else return void (this.#endlessPod = true);
    }
  }

  #beginsPod(): boolean {
    const line = this.#text.slice(this.#at, this.#at + 80);
    return /^=[A-Za-z]/.test(line) && (this.#fresh || (!this.#endlessPod && PARAGRAPH.test(line)));
  }

  #token(char: string): void {
    const word = this.#match(QUOTING_WORD) ?? this.#match(WORD);
    if (word !== undefined) return this.#word(word);
    if (this.#open.length === 0 && !/[;})\]]/.test(char)) this.#statements.token(char);
    if (/\d/.test(char) && this.#take(this.#match(NUMBER), true)) return;
    if (this.#variable(char) || this.#quoted(char) || this.#angle(char)) return;
    this.#operator(char);
  }

  #variable(char: string): boolean {
    const sigil = char === "$" || char === "@" ||
      (/[%&*]/.test(char) && (!this.#term || this.#beginsList()));
    if (!sigil) return false;
    if (this.#previous === "->" && this.#take(this.#match(DEREFERENCE), true)) return true;
    const variable = variableAt(this.#text, this.#at);
    // the closing of a prototype is not a variable
    if (variable === "$)" && this.#open.at(-1)?.char === "(") return false;
    if (!this.#take(variable, true)) return false;
    this.#subscribable = true;
    return true;
  }

  /**
   * Whether `%`, `&` or `*` begins the list of the word before it, as in `my %h`, and is not an
   * operator: it has a space before it and none after it.
   */
  #beginsList(): boolean {
    return takesList(this.#previous) && this.#lead !== "->" &&
      /^\s[%&*][\p{L}_:{$]/u.test(this.#text.slice(this.#at - 1, this.#at + 2));
  }

  #quoted(char: string): boolean {
    if (!/["'`]/.test(char) && (char !== "/" || this.#term)) return false;
    let end = endOfDelimited(this.#text, this.#at, this.#documents.bodies);
    if (char === "/") end += matchAt(/[a-z]*/y, this.#text, end)?.length ?? 0;
    this.#quotation(end);
    return true;
  }

  /** Continues after a quotation. Code within it can announce here-documents too. */
  #quotation(end: number): void {
    const text = this.#text.slice(this.#at, end);
    const code = Math.max(startOfCode(text), text.lastIndexOf("\n") + 1);
    for (let at = text.indexOf("<<", code); at >= 0; at = text.indexOf("<<", at + 2)) {
      const here = announcementAt(text, at);
      if (here !== undefined) this.#documents.add({ ...here, end: this.#at + here.end });
    }
    this.#at = end;
    this.#passed('"', true);
  }

  #angle(char: string): boolean {
    if (char !== "<") return false;
    const here = announcementAt(this.#text, this.#at);
    if (here !== undefined && this.#mayAnnounce(here) && this.#documents.add(here)) {
      this.#at = here.end;
      this.#passed('"', true);
      return true;
    }
    return !this.#term && this.#take(this.#match(READLINE), true);
  }

  /**
   * Whether `<<` begins a here-document and is not a shift: where a term is expected; after a word,
   * which may name a subroutine or a file handle; after the variable at the start of a list, if no
   * space separates it from its tag but one precedes it.
   */
  #mayAnnounce({ tag, quoted, spaced }: Announcement): boolean {
    if (!this.#term) return true;
    if (/^[\p{L}_]/u.test(this.#previous)) {
      return this.#lead !== "->" && (quoted || !/^\d/.test(tag));
    }
    const isHandle = this.#previous.startsWith("$") && takesList(this.#lead);
    return isHandle && /\s/.test(this.#text[this.#at - 1] ?? "") && !spaced;
  }

  #operator(char: string): void {
    if (/[)}\]]/.test(char)) return this.#close(char);
    const isFresh = char === "{" || char === ";";
    if (/[({[]/.test(char)) this.#opened(char);
    if (char === ";" && this.#open.length === 0) this.#statements.end();
    const operator = this.#match(OPERATOR) ?? char;
    this.#at += operator.length;
    const increment = operator === "++" || operator === "--";
    this.#passed(operator, increment && this.#term);
    this.#fresh = isFresh && (char === ";" || this.#open.at(-1)?.encloses === "block");
  }

  #opened(char: string): void {
    const subscribable = this.#subscribable && (char !== "(" || /^[)}\]]$/.test(this.#previous));
    const encloses = enclosedBehind(char, this.#previous, subscribable);
    this.#open.push({ char, encloses });
    if (char === "{") this.#braces++;
  }

  #close(char: string): void {
    this.#at++;
    const opened = this.#open.pop();
    if (opened?.char === "{") this.#braces--;
    const isBlock = opened?.encloses === "block";
    this.#passed(char, !isBlock);
    this.#subscribable = opened?.encloses === "subscript";
    this.#fresh = isBlock;
    if (this.#open.length > 0 || opened?.char !== "{") return;
    this.#statements.blockClosed(this.#text.slice(this.#at, this.#at + 400));
    if (!this.#statements.atStart) return;
    this.#term = false;
    this.#fresh = true;
  }

  #word(word: string): void {
    const before = this.#previous;
    const start = this.#at;
    const rest = this.#text.slice(start + word.length, start + word.length + 200);
    const isKey = /^\s*=>/.test(rest) || before === "->" ||
      (before === "{" && /^\s*\}/.test(rest));
    if (!isKey && this.#special(word, before)) return;
    if (!isKey && this.#fresh && /^\s*:(?!:)/.test(rest)) return this.#label(start);
    if (this.#open.length === 0) this.#statements.token(word);
    this.#at = start + word.length;
    this.#passed(word, isKey || !expectsTerm(word));
    if (isKey) return;
    if (word === "my" || word === "state" || word === "our") this.#declared(word);
    if (word === "sub") this.#prototype();
  }

  #label(start: number): void {
    this.#at = this.#text.indexOf(":", start) + 1;
    this.#passed(";", false);
    this.#fresh = true;
  }

  /**
   * Handles words that end the program, begin a quotation, or name a package. Returns true when the
   * word was handled.
   */
  #special(word: string, before: string): boolean {
    const after = this.#at + word.length;
    const isName = before === "sub" || before === "method" || before === "&";
    if ((word === "__END__" || word === "__DATA__") && !isName) {
      const reader = word === "__END__" ? "main" : this.#package;
      this.#result = {
        end: this.#at,
        data: { start: nextLine(this.#text, after), package: reader },
      };
      return true;
    }
    if (isQuoteWord(word) && !isName) {
      const end = endOfQuoteLike(this.#text, word, after, this.#documents.bodies);
      if (end === undefined) return false;
      if (this.#open.length === 0) this.#statements.token(word);
      this.#quotation(end);
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
    if (this.#braces > 0 || this.#statements.isCompound) return;
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
      this.#previous = name.trim();
    }
    this.#at += this.#match(PROTOTYPE)?.length ?? 0;
    this.#term = false;
  }

  #match(pattern: RegExp): string | undefined {
    return matchAt(pattern, this.#text, this.#at);
  }

  #take(token: string | undefined, term: boolean): boolean {
    if (token === undefined || token === "") return false;
    this.#at += token.length;
    this.#passed(token, term);
    return true;
  }

  /** Records a token. `term`: an operator is expected after it. */
  #passed(token: string, term: boolean): void {
    if (this.#previous !== "(") this.#lead = this.#previous;
    this.#previous = token;
    this.#term = term;
    this.#subscribable = false;
    this.#fresh = false;
  }
}

/** Reads a file. Takes time in proportion to its length. */
export function scanProgram(text: string): ScannedProgram {
  return new Scanner(text).scan();
}
