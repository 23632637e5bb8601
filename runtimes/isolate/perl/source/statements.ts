/**
 * Statements of a Perl file, as they go by: which word each begins with, and so which was the
 * last that could leave a value.
 *
 * @module
 */

/** Statements that end with the block that belongs to them. */
const COMPOUND = new Set([
  "if",
  "unless",
  "while",
  "until",
  "for",
  "foreach",
  "given",
  "when",
  "default",
  "try",
  "defer",
  "{",
]);
/** What carries on a compound statement. */
const CONTINUATION = /^(?:\s|#[^\n]*\n)*(?:else|elsif|continue|catch|finally)\b/;
/** Blocks that run at their own times. */
const PHASES = new Set(["BEGIN", "END", "INIT", "CHECK", "UNITCHECK", "ADJUST"]);
/** Statements that leave the value of the statement before them. */
const DECLARATIONS = new Set(["use", "no", "package", "sub", "method", "class", "format"]);

/** Follows the statements at the level of the file. */
export class Statements {
  #first: string | undefined;
  #named = false;
  #words = 0;
  #last = "";

  /** Whether a statement is about to begin. */
  get atStart(): boolean {
    return this.#first === undefined;
  }

  /** Whether the statement is one with a block, in which what it declares stays. */
  get isCompound(): boolean {
    return COMPOUND.has(this.#first ?? "");
  }

  /** The word, or other character, that the last statement with a value began with. */
  get last(): string {
    return this.#last;
  }

  /** A token at the level of the file. */
  token(text: string): void {
    this.#words++;
    if (this.#first === undefined) {
      this.#first = text;
      this.#words = 0;
    } else if (this.#words === 1) this.#named = /^\w/.test(text);
  }

  /** A label was no statement. */
  label(): void {
    this.#first = undefined;
  }

  /** A block was closed at the level of the file, with `rest` behind it. */
  blockClosed(rest: string): void {
    if (this.#endsWithBlock() && !CONTINUATION.test(rest)) this.end();
  }

  /** The end of a statement. */
  end(): void {
    const first = this.#first;
    this.#first = undefined;
    const named = this.#named;
    this.#named = false;
    if (first === undefined || PHASES.has(first)) return;
    if (DECLARATIONS.has(first) && (first !== "sub" || named)) return;
    this.#last = first;
  }

  #endsWithBlock(): boolean {
    const first = this.#first ?? "";
    if (COMPOUND.has(first) || PHASES.has(first)) return true;
    return this.#named && (first === "sub" || first === "package" || first === "class" ||
      first === "method");
  }
}
