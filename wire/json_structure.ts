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

/** Where the string that begins at `start` ends: its last quote, or the end of the text. */
function endOfString(json: Uint8Array, start: number): number {
  for (let end = json.indexOf(QUOTE, start + 1);; end = json.indexOf(QUOTE, end + 1)) {
    if (end < 0) return json.length;
    let escapes = 0;
    while (json[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
}
