/**
 * Whether the pieces of a program did what the whole of it does.
 *
 * @module
 */
import type { ExecutionResult } from "../../../client/protocol/types.ts";

/** Which script, and the column: a piece has its statements' lines, but not their columns. */
const PLACES = /\bmain(?:-\d+)?\.js:(\d+)(?::\d+)?/g;

/** Where objects lie in memory. */
const ADDRESSES = /\b0x[0-9a-f]{5,}\b/g;

function withoutPlaces(text: string): string {
  return text.replaceAll(PLACES, "main.js:$1").replaceAll(ADDRESSES, "0x");
}

/** The difference; undefined when there is none. */
export function difference(
  whole: ExecutionResult,
  pieces: readonly ExecutionResult[],
): string | undefined {
  for (const stream of ["stdout", "stderr"] as const) {
    const found = outputDifference(
      withoutPlaces(whole.logs[stream].join("\n")),
      pieces.map(({ logs }) => logs[stream].map(withoutPlaces)),
    );
    if (found !== undefined) return `${stream}: ${found}`;
  }
  const [expected, ended] = [endOf(whole), endOf(pieces.at(-1))];
  return expected === ended ? undefined : `ended with ${ended}, not with ${expected}`;
}

function endOf(result: ExecutionResult | undefined): string {
  const { error, results } = result ?? {};
  if (error === undefined) return withoutPlaces(JSON.stringify(results));
  return `${error.name}: ${withoutPlaces(error.message)}`;
}

/**
 * A piece's last line may go on with the next piece's first one, or be a whole line: the logs
 * do not tell. So all places are followed that the text up to a piece may end at.
 */
function outputDifference(
  whole: string,
  pieces: readonly (readonly string[])[],
): string | undefined {
  let ends = [0];
  for (const [index, lines] of pieces.entries()) {
    if (lines.length === 0) continue;
    const text = lines.join("\n");
    const next = ends.filter((at) => whole.startsWith(text, at)).map((at) => at + text.length);
    if (next.length === 0) {
      const expected = JSON.stringify(whole.slice(ends.at(-1)).slice(0, 300));
      return `piece ${index + 1} wrote ${JSON.stringify(text.slice(0, 300))} for ${expected}`;
    }
    ends = next.flatMap((at) => whole[at] === "\n" ? [at, at + 1] : [at]);
  }
  if (ends.includes(whole.length)) return undefined;
  return `missing at the end: ${JSON.stringify(whole.slice(ends.at(-1)).slice(0, 300))}`;
}
