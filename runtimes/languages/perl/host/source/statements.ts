/**
 * Tracks the statements of a Perl file: the word that each begins with, and the last one that can
 * leave a value.
 *
 * @module
 */

/** Statements that end with their block. */
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
/** Words that continue a compound statement. */
const CONTINUATION = /^(?:\s|#[^\n]*\n)*(?:else|elsif|continue|catch|finally)\b/;
/** Blocks that run at their own times. */
const PHASES = new Set(["BEGIN", "END", "INIT", "CHECK", "UNITCHECK", "ADJUST"]);
/** Statements that keep the value of the previous statement. */
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

  /** Whether the statement has a block that limits the scope of its declarations. */
  get isCompound(): boolean {
    return COMPOUND.has(this.#first ?? "");
  }

  /** The word or character that the last statement with a value began with. */
  get last(): string {
    return this.#last;
  }

  /** Records a token at the top level of the file. */
  token(text: string): void {
    this.#words++;
    if (this.#first === undefined) {
      this.#first = text;
      this.#words = 0;
    } else if (this.#words === 1) this.#named = /^\w/.test(text);
  }

  /** Records a label, which is not a statement. */
  label(): void {
    this.#first = undefined;
  }

  /** Records the end of a block at the top level of the file; `rest` follows it. */
  blockClosed(rest: string): void {
    if (this.#endsWithBlock() && !CONTINUATION.test(rest)) this.end();
  }

  /** Records the end of a statement. */
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
