/**
 * Keeps tracebacks within their limit (docs/contract.md#rulings): cut in the middle, with a
 * line that says so.
 *
 * @module
 */

const encoder = new TextEncoder();
/** Room for the line that says what was left out. */
const NOTE_BYTES = 64;
/** When not everything fits, one line may take this part of the limit. */
const LONGEST_PER_LIMIT = 4;

function sizeOf(text: string): number {
  return encoder.encode(text).length;
}

/** At most `bytes` bytes of UTF-8 from the start of a text, whole characters only. */
export function cutText(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || sizeOf(text) <= bytes) return text;
  const buffer = new Uint8Array(Math.max(0, bytes));
  const { read } = encoder.encodeInto(text, buffer);
  return text.slice(0, read);
}

function takeWhile(lines: Iterable<string>, bytes: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const line of lines) {
    used += sizeOf(line) + 1;
    if (used > bytes) break;
    taken.push(line);
  }
  return taken;
}

/** A line number that the guest's side reported: a whole number from 1, or undefined. */
export function lineNumberOf(said: unknown): number | undefined {
  return typeof said === "number" && Number.isSafeInteger(said) && said > 0 ? said : undefined;
}

function totalOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + sizeOf(line) + 1, 0);
}

/** At most so many bytes of UTF-8 from the end of a text, whole characters only. */
function endOf(text: string, bytes: number): string {
  let end = text.slice(-bytes);
  while (sizeOf(end) > bytes) end = end.slice(Math.ceil((sizeOf(end) - bytes) / 3));
  return /^[\uDC00-\uDFFF]/.test(end) ? end.slice(1) : end;
}

/** A line, cut in the middle when it is longer than so many bytes. */
function cutLine(line: string, bytes: number): string {
  const size = sizeOf(line);
  if (size <= bytes) return line;
  const half = Math.max(0, Math.floor((bytes - NOTE_BYTES) / 2));
  const [head, tail] = [cutText(line, half), endOf(line, half)];
  return `${head} ... ${size - sizeOf(head) - sizeOf(tail)} bytes omitted ... ${tail}`;
}

/**
 * Lines whose UTF-8 bytes, newlines included, stay within `limit`: long lines
 * are cut first, then lines are left out.
 */
export function trimTraceback(given: readonly string[], limit: number): readonly string[] {
  if (totalOf(given) <= limit) return given;
  const lines = given.map((line) => cutLine(line, Math.floor(limit / LONGEST_PER_LIMIT)));
  if (totalOf(lines) <= limit) return lines;
  const half = Math.floor((limit - NOTE_BYTES) / 2);
  const head = takeWhile(lines, half);
  const tail = takeWhile(lines.toReversed(), half).reverse();
  const omitted = lines.length - head.length - tail.length;
  return [...head, `    ... ${omitted} lines omitted ...`, ...tail];
}
