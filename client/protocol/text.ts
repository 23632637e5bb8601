/**
 * Measures and quotes text of callers.
 *
 * @module
 */

/** Maximum length of a caller's text in a message, in characters. */
const MAX_QUOTED = 64;

const encoder = new TextEncoder();

/** Length of a text in bytes of UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/** Names as one text: `A, B or C`. */
export function listed(names: readonly string[]): string {
  return names.join(", ").replace(/, ([^,]*)$/, " or $1");
}

/** A caller's text in quotation marks, truncated. */
export function quoted(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_QUOTED + 1)];
  if (characters.length <= MAX_QUOTED) return `'${text}'`;
  return `'${characters.slice(0, MAX_QUOTED).join("")}…'`;
}
