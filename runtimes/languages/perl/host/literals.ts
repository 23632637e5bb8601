/**
 * JSON as a Perl expression, which Perl's own parser reads many times faster than JSON::PP reads JSON.
 *
 * @module
 */

/** Levels of arrays and objects. Perl frees nested values on its stack. */
const MAX_LEVELS = 512;
/** Integers of more digits may not fit in 64 bits. */
const SAFE_DIGITS = 18;

/** The JSON is nested too deeply, or is no JSON. */
class LiteralError extends Error {
  override name = "LiteralError";
}

/** One token of JSON, at the position of the last match. */
const TOKEN =
  /[ \t\n\r]*(?:([[\]{},:])|"([^"\\]*(?:\\.[^"\\]*)*)"|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))/ys;

const WORDS: Readonly<Record<string, string>> = {
  true: "$JSON::PP::true",
  false: "$JSON::PP::false",
  null: "undef",
};
const COLON = "=>";

/**
 * The expression for a JSON text, whose value is what JSON::PP would decode: numbers keep their digits,
 * integers of more than 64 bits are strings, and true and false are JSON::PP's objects. It is text of
 * characters, and holds no line break. Throws {@link LiteralError}.
 */
export function perlLiteral(json: string): string {
  const parts: string[] = [];
  let levels = 0;
  const end = json.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const [token, mark, text, number, word] = TOKEN.exec(json) ?? [];
    if (token === undefined) throw new LiteralError("The text is no JSON");
    if (mark !== undefined) {
      levels += mark === "[" || mark === "{" ? 1 : mark === "]" || mark === "}" ? -1 : 0;
      if (levels > MAX_LEVELS) {
        throw new LiteralError(`The answer has more than ${MAX_LEVELS} levels`);
      }
      // without the sign, Perl might take the brace for the start of a block
      parts.push(mark === ":" ? COLON : mark === "{" ? "+{" : mark);
    } else if (text !== undefined) parts.push(textLiteral(text));
    else if (number !== undefined) parts.push(numberLiteral(number));
    else parts.push(WORDS[word ?? ""] ?? "undef");
  }
  return parts.join("");
}

/** The same for the answer to a call: an expression that dies when there is none. */
export function perlAnswer(json: string): string {
  try {
    return perlLiteral(json);
  } catch (error) {
    if (!(error instanceof LiteralError)) throw error;
    return `die q(${error.message})`;
  }
}

/** The inside of a JSON string as a Perl string. */
function textLiteral(inside: string): string {
  const text = inside.includes("\\") ? String(JSON.parse(`"${inside}"`)) : inside;
  // line breaks and other controls need Perl's own escapes
  if (/\p{Cc}/u.test(text)) return `"${text.replace(/[\p{Cc}"\\$@]/gu, escaped)}"`;
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}

function escaped(character: string): string {
  return `\\x{${character.charCodeAt(0).toString(16)}}`;
}

/** JSON::PP keeps the digits of an integer that is too large for a number. */
function numberLiteral(number: string): string {
  const isLarge = number.length > SAFE_DIGITS && /^-?\d+$/.test(number);
  return isLarge ? `'${number}'` : number;
}
