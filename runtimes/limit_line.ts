/**
 * The line of a program where a limit ended it, read from the traceback that its engine made.
 *
 * @module
 */

/** Where a language's tracebacks name a line of the submitted code. */
interface Frames {
  readonly pattern: RegExp;
  readonly innermost: "first" | "last";
}

/** JavaScript is not among them: of the innermost function only its beginning is known. */
const FRAMES: ReadonlyMap<string, Frames> = new Map([
  ["python", { pattern: /^ {2}File "main\.py", line (\d{1,9})\b/, innermost: "last" }],
  ["perl", { pattern: /\bat main\.pl line (\d{1,9})$/, innermost: "first" }],
  ["ruby", { pattern: /^main\.rb:(\d{1,9}):/, innermost: "first" }],
]);

/** The innermost line in the submitted code, from 1; undefined when it is not known. */
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
