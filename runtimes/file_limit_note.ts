/**
 * A program's own error for a file that is too large names the limit, which no language's message
 * has room for: those are the texts of `strerror` and of Node.
 *
 * @module
 */
import type { ExecutionError, Language } from "../client/protocol/types.ts";
import { WORKSPACE_LIMITS } from "../shared/limits.ts";

const NOTE = ` (a file has at most ${WORKSPACE_LIMITS.fileBytes} bytes)`;

/** Whether an error is that of the system: a text that a program makes up gets no note. */
const IS_TOO_LARGE: { readonly [L in Language]: (error: ExecutionError) => boolean } = {
  javascript: ({ message }) => message.startsWith("EFBIG: file too large"),
  python: ({ name, message }) =>
    name === "OSError" && /^\[Errno \d+\] File too large/.test(message),
  perl: ({ message }) => /\bFile too large(?: at |$)/.test(message),
  ruby: ({ name }) => name === "Errno::EFBIG",
};

/** The error, with the limit in its message and in the line of the traceback that shows it. */
export function withFileLimit(error: ExecutionError, language: Language): ExecutionError {
  if (!IS_TOO_LARGE[language](error)) return error;
  const { message } = error;
  const at = error.traceback.findIndex((line) => line.includes(message));
  return {
    ...error,
    message: message + NOTE,
    traceback: error.traceback.map((line, index) =>
      index === at ? line.split(message).join(message + NOTE) : line
    ),
  };
}
