/**
 * Finds the line of a program at which a limit ended it, from the engine's traceback.
 *
 * @module
 */

/** How a language's tracebacks name a line of the submitted code. */
interface Frames {
  readonly pattern: RegExp;
  readonly innermost: "first" | "last";
}

/** JavaScript is missing: its tracebacks only give the start of the innermost function. */
const FRAMES: ReadonlyMap<string, Frames> = new Map([
  ["python", { pattern: /^ {2}File "main\.py", line (\d{1,9})\b/, innermost: "last" }],
  ["perl", { pattern: /\bat main\.pl line (\d{1,9})$/, innermost: "first" }],
  ["ruby", { pattern: /^main\.rb:(\d{1,9}):/, innermost: "first" }],
]);

/** The innermost line in the submitted code, counted from 1; undefined when unknown. */
export function lineOfLimit(language: string, traceback: readonly string[]): number | undefined {
  const frames = FRAMES.get(language);
  if (frames === undefined) return undefined;
  const isFrame = (line: string) => frames.pattern.test(line);
  const found = frames.innermost === "first"
    ? traceback.find(isFrame)
    : traceback.findLast(isFrame);
  const [, line] = frames.pattern.exec(found ?? "") ?? [];
  return line === undefined ? undefined : Number(line);
}
