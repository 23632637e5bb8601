/**
 * The exception of every refused file operation.
 *
 * @module
 */
import { ERRNO, type Errno, ERRNO_NAMES } from "./errno.ts";

const made = new Map<Errno, FileError>();

/**
 * What every refused file operation throws. It names the error only: which call it was and on
 * which path is known to whoever speaks for a language.
 *
 * There is one object for each errno, and its stack tells of no call: a guest can have millions
 * of operations refused, and to make an error takes ten times as long as to throw one.
 */
export class FileError extends Error {
  declare readonly code: Errno;

  constructor(code: Errno) {
    const before = made.get(code);
    if (before !== undefined) return before;
    super(`${code}: ${ERRNO[code].message}`);
    const stack = `FileError: ${this.message}`;
    Object.defineProperties(this, {
      name: { value: "FileError" },
      code: { value: code },
      stack: { value: stack },
    });
    made.set(code, this);
  }
}

// Made at once: an error holds on to what ran when it was made, which would be a guest's memory.
for (const code of ERRNO_NAMES) new FileError(code);
