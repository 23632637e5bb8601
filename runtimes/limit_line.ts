/**
 * Finds the line of a program at which a limit ended it, from the engine's traceback.
 *
 * @module
 */
import type { ByLanguage } from "../shared/languages.ts";
import type { ExecutionError, Language } from "../client/protocol/types.ts";

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
  shell: undefined, // a run that was ended has no traceback
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

/** Whether an error is that of the system: a text that a program makes up gets no note. */
const IS_TOO_LARGE: { readonly [L in Language]: (error: ExecutionError) => boolean } = {
  javascript: ({ message }) => message.startsWith("EFBIG: file too large"),
  python: ({ name, message }) =>
    name === "OSError" && /^\[Errno \d+\] File too large/.test(message),
  perl: ({ message }) => /\bFile too large(?: at |$)/.test(message),
  ruby: ({ name }) => name === "Errno::EFBIG",
  shell: () => false, // a command says it on standard error
};

/** The error, with the limit in its message and in the line of the traceback that shows it. */
export function withFileLimit(
  error: ExecutionError,
  language: Language,
  fileBytes: number,
): ExecutionError {
  if (!IS_TOO_LARGE[language](error)) return error;
  const { message } = error;
  const note = ` (a file has at most ${fileBytes} bytes)`;
  const at = error.traceback.findIndex((line) => line.includes(message));
  return {
    ...error,
    message: message + note,
    traceback: error.traceback.map((line, index) =>
      index === at ? line.split(message).join(message + note) : line
    ),
  };
}
