import { ERRNO, type Errno } from "./errno.ts";

/**
 * What every refused file operation throws. It names the error only: which call it was and on
 * which path is known to whoever speaks for a language.
 */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly code: Errno;

  constructor(code: Errno) {
    super(`${code}: ${ERRNO[code].message}`);
    this.code = code;
  }
}
