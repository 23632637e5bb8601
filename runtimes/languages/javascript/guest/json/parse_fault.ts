/**
 * Describes the error in a text that is not JSON, in V8's words. The engine's parser only
 * reports that it is wrong; this code finds the position and words the message.
 *
 * @module
 */
import {
  createList,
  type List,
  StringPrototypeCharCodeAt,
  StringPrototypeSlice,
} from "../primordials.ts";

const CONTEXT_CHARS = 10;
const SHORT_CHARS = 2 * CONTEXT_CHARS + 1;
const END_OF_INPUT = "Unexpected end of JSON input";
const LAST_CONTROL = 0x1f;
const UNICODE_DIGITS = 4;

/** Thrown only inside this module: the message of the first fault. */
class Fault {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

function isDigit(char: string): boolean {
  return char >= "0" && char <= "9" && char.length === 1;
}

function isHex(char: string): boolean {
  return isDigit(char) || (char >= "a" && char <= "f") || (char >= "A" && char <= "F");
}

function isSpecial(text: string): boolean {
  return text === "undefined" || text === "NaN" || text === "Infinity" ||
    text === "[object Object]";
}

/** The message for an unexpected token, with some of the text around it. */
function unexpectedToken(text: string, at: number): string {
  if (isSpecial(text)) return `"${text}" is not valid JSON`;
  const token = text[at] ?? "";
  if (text.length < SHORT_CHARS) return `Unexpected token '${token}', "${text}" is not valid JSON`;
  const isStart = at < CONTEXT_CHARS;
  const isEnd = !isStart && at >= text.length - CONTEXT_CHARS;
  const from = isStart ? 0 : at - CONTEXT_CHARS;
  const to = isEnd ? text.length : at + CONTEXT_CHARS;
  const around = `"${StringPrototypeSlice(text, from, to)}"`;
  const part = `${isStart ? "" : "..."}${around}${isEnd ? "" : "..."}`;
  return `Unexpected token '${token}', ${part} is not valid JSON`;
}

/** Reads a text up to its first fault. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Throws the first fault; returns when there is none. */
  read(): void {
    this.#values();
    this.#space();
    if (this.#at < this.#text.length) {
      this.#fail("Unexpected non-whitespace character", "after JSON");
    }
  }

  #char(): string {
    return this.#text[this.#at] ?? "";
  }

  #fail(what: string, where = "in JSON"): never {
    throw new Fault(`${what} ${where} at position ${this.#at}`);
  }

  /** Throws at a token that cannot begin a value here. */
  #unexpected(): never {
    const char = this.#char();
    if (char === "") throw new Fault(END_OF_INPUT);
    if (char === '"') this.#fail("Unexpected string");
    if (isDigit(char) || char === "-") this.#fail("Unexpected number");
    throw new Fault(unexpectedToken(this.#text, this.#at));
  }

  #space(): void {
    for (;;) {
      const char = this.#char();
      if (char !== " " && char !== "\n" && char !== "\r" && char !== "\t") return;
      this.#at++;
    }
  }

  /** Reads a value with everything in it. `open` holds the brackets that have to be closed. */
  #values(): void {
    const open: List<string> = createList<string>();
    for (;;) {
      this.#space();
      const char = this.#char();
      if (char === "[" || char === "{") {
        this.#at++;
        if (this.#begins(char)) {
          open[open.length] = char;
          continue;
        }
      } else {
        this.#scalar();
      }
      if (!this.#closes(open)) return;
    }
  }

  /** Whether there is something between the brackets. */
  #begins(bracket: string): boolean {
    this.#space();
    if (this.#char() === (bracket === "[" ? "]" : "}")) {
      this.#at++;
      return false;
    }
    if (bracket === "{") this.#key(true);
    return true;
  }

  /** Reads a name and its colon; V8 has a separate message for the first name of an object. */
  #key(isFirst: boolean): void {
    if (this.#char() !== '"') {
      this.#fail(
        isFirst ? "Expected property name or '}'" : "Expected double-quoted property name",
      );
    }
    this.#string();
    this.#space();
    if (this.#char() !== ":") {
      if (!isFirst) this.#unexpected();
      this.#fail("Expected ':' after property name");
    }
    this.#at++;
  }

  /** Continues after a value; false when all brackets are closed. */
  #closes(open: List<string>): boolean {
    while (open.length > 0) {
      const isArray = open[open.length - 1] === "[";
      this.#space();
      const char = this.#char();
      if (char === ",") {
        this.#at++;
        this.#space();
        if (!isArray) this.#key(false);
        return true;
      }
      if (char !== (isArray ? "]" : "}")) {
        this.#fail(
          isArray
            ? "Expected ',' or ']' after array element"
            : "Expected ',' or '}' after property value",
        );
      }
      this.#at++;
      open.length--;
    }
    return false;
  }

  #scalar(): void {
    const char = this.#char();
    if (char === '"') this.#string();
    else if (char === "-" || isDigit(char)) this.#number();
    else if (char === "t") this.#word("true");
    else if (char === "f") this.#word("false");
    else if (char === "n") this.#word("null");
    else this.#unexpected();
  }

  #word(word: string): void {
    for (let i = 0; i < word.length; i++) {
      if (this.#char() !== word[i]) this.#unexpected();
      this.#at++;
    }
  }

  #digits(): boolean {
    const start = this.#at;
    while (isDigit(this.#char())) this.#at++;
    return this.#at > start;
  }

  #number(): void {
    if (this.#char() === "-") {
      this.#at++;
      if (!isDigit(this.#char())) this.#fail("No number after minus sign");
    }
    if (this.#char() === "0") {
      this.#at++;
      if (isDigit(this.#char())) this.#fail("Unexpected number");
    } else {
      this.#digits();
    }
    if (this.#char() === ".") {
      this.#at++;
      if (!this.#digits()) this.#fail("Unterminated fractional number");
    }
    if (this.#char() === "e" || this.#char() === "E") {
      this.#at++;
      if (this.#char() === "+" || this.#char() === "-") this.#at++;
      if (!this.#digits()) this.#fail("Exponent part is missing a number");
    }
  }

  #string(): void {
    this.#at++;
    for (;;) {
      const char = this.#char();
      if (char === "") this.#fail("Unterminated string");
      if (StringPrototypeCharCodeAt(char, 0) <= LAST_CONTROL) {
        this.#fail("Bad control character in string literal");
      }
      this.#at++;
      if (char === '"') return;
      if (char === "\\") this.#escape();
    }
  }

  #escape(): void {
    const char = this.#char();
    if (char === "") this.#fail("Unterminated string");
    if (char === "u") {
      this.#at++;
      for (let i = 0; i < UNICODE_DIGITS; i++) {
        if (!isHex(this.#char())) this.#fail("Bad Unicode escape");
        this.#at++;
      }
      return;
    }
    switch (char) {
      case '"':
      case "\\":
      case "/":
      case "b":
      case "f":
      case "n":
      case "r":
      case "t":
        this.#at++;
        return;
      default:
        this.#fail("Bad escaped character");
    }
  }
}

/** The message for the first error in `text`; undefined when it is JSON. */
export function parseFault(text: string): string | undefined {
  try {
    new Reader(text).read();
    return undefined;
  } catch (fault) {
    if (fault instanceof Fault) return fault.message;
    throw fault;
  }
}
