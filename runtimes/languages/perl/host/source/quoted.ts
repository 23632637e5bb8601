/**
 * Finds the end of quoted text in Perl: strings, quote-like operators, POD, formats.
 *
 * @module
 */

const CLOSING: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["<", ">"],
]);

/** Operators with two parts between their delimiters. */
const TWO_PARTS = new Set(["s", "tr", "y"]);
const QUOTE_LIKE = new Set(["q", "qq", "qw", "qr", "qx", "m", "s", "tr", "y"]);

/** Whether a word can begin a quote-like operator. */
export function isQuoteWord(word: string): boolean {
  return QUOTE_LIKE.has(word);
}

/** A part of a text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * The position after the delimiter that closes the one at `open`; the end of the text when none
 * does. `hole` is not part of the text.
 */
export function endOfDelimited(text: string, open: number, hole?: Span): number {
  const opener = text[open] ?? "";
  const closer = CLOSING.get(opener) ?? opener;
  let depth = 1;
  for (let at = open + 1; at < text.length; at++) {
    if (at === hole?.from) at = hole.to;
    const char = text[at];
    if (char === "\\" && opener !== char) at++;
    else if (char === closer) {
      depth--;
      if (depth === 0) return at + 1;
    } else if (char === opener) depth++;
  }
  return text.length;
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}

/**
 * The position after a quote-like operator whose word ends at `from`; undefined when the following
 * text shows that the word is not an operator. `hole` is not part of the text.
 */
export function endOfQuoteLike(
  text: string,
  word: string,
  from: number,
  hole?: Span,
): number | undefined {
  const open = skipSpaces(text, from);
  const delimiter = text[open] ?? "";
  if (delimiter === "" || (delimiter === "=" && text[open + 1] === ">")) return undefined;
  if (delimiter === "#" && open !== from) return undefined;
  let end = endOfDelimited(text, open, hole);
  if (TWO_PARTS.has(word)) {
    end = CLOSING.has(delimiter)
      ? endOfDelimited(text, skipSpaces(text, end), hole)
      : endOfDelimited(text, end - 1, hole);
  }
  while (/[a-z]/.test(text[end] ?? "")) end++;
  return end;
}

/** Where code that is evaluated or interpolated can begin within a quotation; otherwise its end. */
export function startOfCode(quotation: string): number {
  let flags = quotation.length;
  while (/[a-z]/.test(quotation[flags - 1] ?? "")) flags--;
  if (quotation.startsWith("s") && quotation.includes("e", flags)) return 0;
  const block = quotation.search(/[$@]\{/);
  return block < 0 ? quotation.length : block;
}

/** The start of the line after a position; the end of the text when there is none. */
export function nextLine(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline < 0 ? text.length : newline + 1;
}

/**
 * The position after POD that begins at `from`; undefined when nothing ends it. A `=cut` at its
 * start does not end it.
 */
export function endOfPod(text: string, from: number): number | undefined {
  const cut = text.indexOf("\n=cut", from);
  return cut < 0 ? undefined : nextLine(text, cut + 1);
}

/** The position after a format whose picture begins after `from`. */
export function endOfFormat(text: string, from: number): number {
  const dot = /^\.[ \t]*\r?$/m;
  const start = nextLine(text, from);
  const found = dot.exec(text.slice(start));
  return found === null ? text.length : nextLine(text, start + found.index);
}
