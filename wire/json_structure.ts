/**
 * How much structure a JSON text has, told from its bytes before it is parsed: what is parsed
 * takes a hundred times the room of its text where that is nothing but brackets and commas.
 *
 * @module
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** What begins a value or separates two: `,`, `:`, `[`, `{`. */
const isStructural = new Uint8Array(256);
for (const character of ",:[{") isStructural[character.charCodeAt(0)] = 1;

/**
 * Whether more than `limit` commas, colons and opening brackets stand outside of its strings. Of
 * bytes that are no JSON, any answer.
 */
export function hasMoreStructure(json: Uint8Array, limit: number): boolean {
  if (json.length <= limit) return false;
  let count = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) at = endOfString(json, at);
    else if (isStructural[byte] === 1 && ++count > limit) return true;
  }
  return false;
}

/**
 * Index of the quote that ends a string, or beyond the text where none does. Goes byte by byte: a
 * search for the quote would begin anew at each that is escaped, of which there can be millions.
 */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
