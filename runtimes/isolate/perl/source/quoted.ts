/**
 * Where things in quotes end in Perl: strings, quote-like operators, here-documents, POD.
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
const QUOTE_LIKE = new Set(["q", "qq", "qw", "qr", "m", "s", "tr", "y"]);

/** Whether a word can begin a quote-like operator. */
export function isQuoteWord(word: string): boolean {
  return QUOTE_LIKE.has(word);
}

/** The place behind the delimiter that closes what opens at `open`; the end when none does. */
export function endOfDelimited(text: string, open: number): number {
  const opener = text[open] ?? "";
  const closer = CLOSING.get(opener) ?? opener;
  let depth = 1;
  for (let at = open + 1; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
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
 * The place behind a quote-like operator whose word ends at `from`; undefined when what follows
 * shows that the word is no operator. `matching`: `=~` or `!~` stands before it.
 */
export function endOfQuoteLike(
  text: string,
  word: string,
  from: number,
  matching: boolean,
): number | undefined {
  const open = skipSpaces(text, from);
  const delimiter = text[open] ?? "";
  if (delimiter === "" || /[\w;)]/.test(delimiter)) return undefined;
  if (delimiter === "#" && open !== from) return undefined;
  if (delimiter === "," && !matching) return undefined;
  if (delimiter === "=" && (text[open + 1] === ">" || !matching)) return undefined;
  let end = endOfDelimited(text, open);
  if (TWO_PARTS.has(word)) {
    end = CLOSING.has(delimiter)
      ? endOfDelimited(text, skipSpaces(text, end))
      : endOfDelimited(text, end - 1);
  }
  while (/[a-z]/.test(text[end] ?? "")) end++;
  return end;
}

/** A here-document that was announced on a line. */
export interface HereDocument {
  readonly tag: string;
  readonly indented: boolean;
}

const HERE = /<<(~?)(?:\s*"([^"\n]*)"|\s*'([^'\n]*)'|\\?([A-Za-z_]\w*))/y;

/** A here-document's announcement at a place, and where it ends. */
export function hereDocumentAt(
  text: string,
  at: number,
): { readonly document: HereDocument; readonly end: number } | undefined {
  HERE.lastIndex = at;
  const match = HERE.exec(text);
  if (match === null) return undefined;
  const tag = match[2] ?? match[3] ?? match[4] ?? "";
  return { document: { tag, indented: match[1] === "~" }, end: HERE.lastIndex };
}

/** The start of the line behind a place; the end when there is none. */
export function nextLine(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline < 0 ? text.length : newline + 1;
}

/** The place behind the bodies of here-documents, the first of which begins at `from`. */
export function endOfHereDocuments(
  text: string,
  from: number,
  documents: readonly HereDocument[],
): number {
  let at = from;
  for (const { tag, indented } of documents) {
    for (let closed = false; !closed && at < text.length;) {
      const next = nextLine(text, at);
      const line = text.slice(at, next).replace(/\r?\n$/, "");
      closed = (indented ? line.trimStart() : line) === tag;
      at = next;
    }
  }
  return at;
}

/** The place behind POD that begins at `from`; undefined when nothing ends it. */
export function endOfPod(text: string, from: number): number | undefined {
  const cut = text.indexOf("\n=cut", from - 1);
  return cut < 0 ? undefined : nextLine(text, cut + 1);
}

/** The place behind a format, the picture of which begins behind `from`. */
export function endOfFormat(text: string, from: number): number {
  const dot = /^\.[ \t]*\r?$/m;
  const start = nextLine(text, from);
  const found = dot.exec(text.slice(start));
  return found === null ? text.length : nextLine(text, start + found.index);
}
