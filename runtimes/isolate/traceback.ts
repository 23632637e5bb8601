/**
 * Keeps tracebacks within their limit (decisions, Small rulings): cut in the middle, with a
 * line that says so.
 *
 * @module
 */

const encoder = new TextEncoder();

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

/** Lines whose UTF-8 bytes, newlines counted, stay within `limit`. */
export function trimTraceback(lines: readonly string[], limit: number): readonly string[] {
  const total = lines.reduce((sum, line) => sum + sizeOf(line) + 1, 0);
  if (total <= limit) return lines;
  const [only] = lines;
  if (lines.length === 1 && only !== undefined) return [cutText(only, limit - 1)];
  const half = Math.floor((limit - 64) / 2);
  const head = takeWhile(lines, half);
  const tail = takeWhile(lines.toReversed(), half).reverse();
  const omitted = lines.length - head.length - tail.length;
  return [...head, `    ... ${omitted} lines omitted ...`, ...tail];
}
