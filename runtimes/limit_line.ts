/**
 * Finds the line of a program at which a limit ended it, from the engine's traceback.
 *
 * @module
 */

import type { ByLanguage } from "../shared/languages.ts";
import type { Language } from "../client/protocol/types.ts";

/** Where a language's tracebacks name a line of the submitted code. */
interface Frames {
  readonly pattern: RegExp;
  readonly innermost: "first" | "last";
}

/** Undefined where tracebacks of limits name no line that can be trusted. */
const FRAMES: ByLanguage<Frames | undefined> = {
  javascript: undefined, // of the innermost function only its beginning is known
  python: { pattern: /^ {2}File "main\.py", line (\d{1,9})\b/, innermost: "last" },
  perl: { pattern: /\bat main\.pl line (\d{1,9})$/, innermost: "first" },
  ruby: { pattern: /^main\.rb:(\d{1,9}):/, innermost: "first" },
};

/** The innermost line in the submitted code, from 1; undefined when it is not known. */
export function lineOfLimit(
  language: Language,
  traceback: readonly string[],
): number | undefined {
  const frames = FRAMES[language];
  if (frames === undefined) return undefined;
  const isFrame = (line: string) => frames.pattern.test(line);
  const found = frames.innermost === "first"
    ? traceback.find(isFrame)
    : traceback.findLast(isFrame);
  const [, line] = frames.pattern.exec(found ?? "") ?? [];
  return line === undefined ? undefined : Number(line);
}
