/**
 * The exception of every refused file operation.
 *
 * @module
 */
import { ERRNO, type Errno, ERRNO_NAMES } from "./errno.ts";

const made = new Map<Errno, FileError>();

/**
 * The exception of every refused file operation. It names the error only: the code of each
 * language knows the call and the path.
 *
 * There is one object for each errno, without a stack of the call: a guest can cause millions
 * of refusals, and creating an error takes ten times as long as throwing one.
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

// Created at load: an error retains its stack, which would hold on to a guest's memory.
for (const code of ERRNO_NAMES) new FileError(code);
