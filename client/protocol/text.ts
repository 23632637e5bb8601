/**
 * Measuring and quoting text of callers.
 *
 * @module
 */

/** Longest piece of a caller's own text that is put into a message, in characters. */
const MAX_QUOTED = 64;

const encoder = new TextEncoder();

/** Length of a text in bytes of UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/** A caller's text in quotation marks, cut to a length. */
export function quoted(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_QUOTED + 1)];
  if (characters.length <= MAX_QUOTED) return `'${text}'`;
  return `'${characters.slice(0, MAX_QUOTED).join("")}…'`;
}
