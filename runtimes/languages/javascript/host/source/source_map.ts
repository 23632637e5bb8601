/**
 * Line numbers from a source map (revision 3): the line of the original in which a generated line
 * begins. Columns and names are skipped.
 *
 * @module
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const DIGITS = new Map([...ALPHABET].map((char, digit) => [char.charCodeAt(0), digit]));
const CONTINUES = 32;
const DIGIT_BITS = 5;
const COMMA = 0x2c;
const SEMICOLON = 0x3b;
/** Field of a segment that holds the original line, relative to the segment before. */
const LINE_FIELD = 2;

/**
 * For each generated line, in order, the line of the original in which it begins. Both count from
 * 1; index 0 is not used. A line without a mapping gets the previous line's.
 */
export function readLineMap(mappings: string): readonly number[] {
  const lines = [1];
  let original = 0;
  let first: number | undefined;
  let field = 0;
  let shift = 0;
  let value = 0;
  const endLine = () => lines.push(first === undefined ? lines.at(-1) ?? 1 : first + 1);
  for (let at = 0; at < mappings.length; at++) {
    const code = mappings.charCodeAt(at);
    if (code === COMMA || code === SEMICOLON) {
      field = 0;
      if (code === COMMA) continue;
      endLine();
      first = undefined;
      continue;
    }
    const digit = DIGITS.get(code) ?? 0;
    value |= (digit & ~CONTINUES) << shift;
    shift += DIGIT_BITS;
    if ((digit & CONTINUES) !== 0) continue;
    if (field === LINE_FIELD) {
      original += (value & 1) === 0 ? value >>> 1 : -(value >>> 1);
      first ??= original;
    }
    field++;
    shift = 0;
    value = 0;
  }
  endLine();
  return lines;
}

/** Reads the `mappings` of a map in JSON; undefined when it has none. */
export function parseMappings(map: string): string | undefined {
  const parsed: unknown = JSON.parse(map);
  if (typeof parsed !== "object" || parsed === null || !("mappings" in parsed)) return undefined;
  return typeof parsed.mappings === "string" ? parsed.mappings : undefined;
}
