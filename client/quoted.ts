/**
 * A caller's own text in the messages of errors.
 *
 * @module
 */

/** Longest piece that is put into a message, in characters; the service's own. */
const MAX_QUOTED = 64;

/** A text in quotation marks, cut to a length. */
export function quoted(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_QUOTED + 1)];
  if (characters.length <= MAX_QUOTED) return `'${text}'`;
  return `'${characters.slice(0, MAX_QUOTED).join("")}…'`;
}
