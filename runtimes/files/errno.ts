/**
 * The errors of file operations: their numbers, from the table of all errors,
 * and the texts of libuv (and so of Node).
 *
 * Emscripten uses WASI's numbers for all errors of these calls, so Python, Perl and Ruby
 * share one column.
 *
 * @module
 */
import { LINUX_ERRORS } from "../engine/linux_errors.ts";

/** libuv's texts. */
const WORDS = {
  EACCES: "permission denied",
  EAGAIN: "resource temporarily unavailable",
  EBADF: "bad file descriptor",
  EBUSY: "resource busy or locked",
  EEXIST: "file already exists",
  EFBIG: "file too large",
  EILSEQ: "illegal byte sequence",
  EINVAL: "invalid argument",
  EIO: "i/o error",
  EISDIR: "illegal operation on a directory",
  EMFILE: "too many open files",
  ENAMETOOLONG: "name too long",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left on device",
  ENOSYS: "function not implemented",
  ENOTDIR: "not a directory",
  ENOTEMPTY: "directory not empty",
  ENOTSUP: "operation not supported on socket",
  ENOTTY: "inappropriate ioctl for device",
  EPERM: "operation not permitted",
  EPIPE: "broken pipe",
  ERANGE: "result too large",
  EROFS: "read-only file system",
  ESPIPE: "invalid seek",
  EXDEV: "cross-device link not permitted",
} as const;

/** Name of an error of file operations. */
export type Errno = keyof typeof WORDS;

/** Numbers and text of one error. */
export interface ErrnoEntry {
  /** The number on Linux; Node shows it negated. */
  readonly linux: number;
  /** The number in WASI preview 1, and in Emscripten. */
  readonly wasi: number;
  /** libuv's text. */
  readonly message: string;
}

function entryOf(name: Errno): ErrnoEntry {
  const error = LINUX_ERRORS.find((one) => one.name === name);
  if (error?.wasi === undefined) throw new TypeError(`WASI has no ${name}`);
  return { linux: error.number, wasi: error.wasi, message: WORDS[name] };
}

/** Every name. */
export const ERRNO_NAMES: readonly Errno[] = Object.keys(WORDS) as Errno[];

/** Every error, by name. */
export const ERRNO: Readonly<Record<Errno, ErrnoEntry>> = Object.fromEntries(
  ERRNO_NAMES.map((name) => [name, entryOf(name)]),
) as Record<Errno, ErrnoEntry>;
