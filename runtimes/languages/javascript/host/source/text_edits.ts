/**
 * Edits of a text, collected first and applied together.
 *
 * @module
 */

/** Replaces `start` to `end` by `text`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that do not overlap. Insertions at the same position keep their order. */
export function applyEdits(source: string, edits: readonly TextEdit[]): string {
  const ordered = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text } of ordered) {
    parts.push(source.slice(at, start), text);
    at = end;
  }
  parts.push(source.slice(at));
  return parts.join("");
}

const NOT_LINE_BREAK = /[^\n\r\u2028\u2029]+/g;

/** Only the line breaks of a text. */
export function lineBreaksOf(text: string): string {
  return text.replace(NOT_LINE_BREAK, "");
}

/** A text of spaces, as long as the given one and with its line breaks. */
export function blanksFor(text: string): string {
  return text.replace(NOT_LINE_BREAK, (run) => " ".repeat(run.length));
}

const TRIVIA = /(?:\s+|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/)*/y;

/**
 * Index of the first character at or after `offset` that is neither white space nor part of a
 * comment.
 */
export function skipTrivia(source: string, offset: number): number {
  TRIVIA.lastIndex = offset;
  return offset + (TRIVIA.exec(source)?.[0].length ?? 0);
}
