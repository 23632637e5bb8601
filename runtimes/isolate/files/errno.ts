/**
 * The one table of error numbers: names as Linux gives them, with the numbers that each
 * engine's C library knows and the words that libuv (and so Node) says.
 *
 * Emscripten uses the WASI numbers, so Python, Perl and Ruby share one column.
 *
 * @module
 */

/** Numbers and words of one error. */
export interface ErrnoEntry {
  /** The number on Linux; Node shows it negated. */
  readonly linux: number;
  /** The number in WASI preview 1, and in Emscripten. */
  readonly wasi: number;
  /** libuv's text. */
  readonly message: string;
}

/** The errors that a file operation can end with. */
export type Errno =
  | "EACCES"
  | "EBADF"
  | "EBUSY"
  | "EEXIST"
  | "EFBIG"
  | "EILSEQ"
  | "EINVAL"
  | "EIO"
  | "EISDIR"
  | "EMFILE"
  | "ENAMETOOLONG"
  | "ENOENT"
  | "ENOSPC"
  | "ENOSYS"
  | "ENOTDIR"
  | "ENOTEMPTY"
  | "ENOTSUP"
  | "ENOTTY"
  | "EPERM"
  | "ERANGE"
  | "EROFS"
  | "ESPIPE"
  | "EXDEV";

/** Every error, by name. */
export const ERRNO: Readonly<Record<Errno, ErrnoEntry>> = {
  EACCES: { linux: 13, wasi: 2, message: "permission denied" },
  EBADF: { linux: 9, wasi: 8, message: "bad file descriptor" },
  EBUSY: { linux: 16, wasi: 10, message: "resource busy or locked" },
  EEXIST: { linux: 17, wasi: 20, message: "file already exists" },
  EFBIG: { linux: 27, wasi: 22, message: "file too large" },
  EILSEQ: { linux: 84, wasi: 25, message: "illegal byte sequence" },
  EINVAL: { linux: 22, wasi: 28, message: "invalid argument" },
  EIO: { linux: 5, wasi: 29, message: "i/o error" },
  EISDIR: { linux: 21, wasi: 31, message: "illegal operation on a directory" },
  EMFILE: { linux: 24, wasi: 33, message: "too many open files" },
  ENAMETOOLONG: { linux: 36, wasi: 37, message: "name too long" },
  ENOENT: { linux: 2, wasi: 44, message: "no such file or directory" },
  ENOSPC: { linux: 28, wasi: 51, message: "no space left on device" },
  ENOSYS: { linux: 38, wasi: 52, message: "function not implemented" },
  ENOTDIR: { linux: 20, wasi: 54, message: "not a directory" },
  ENOTEMPTY: { linux: 39, wasi: 55, message: "directory not empty" },
  ENOTSUP: {
    linux: 95,
    wasi: 58,
    message: "operation not supported on socket",
  },
  ENOTTY: { linux: 25, wasi: 59, message: "inappropriate ioctl for device" },
  EPERM: { linux: 1, wasi: 63, message: "operation not permitted" },
  ERANGE: { linux: 34, wasi: 68, message: "result too large" },
  EROFS: { linux: 30, wasi: 69, message: "read-only file system" },
  ESPIPE: { linux: 29, wasi: 70, message: "invalid seek" },
  EXDEV: { linux: 18, wasi: 75, message: "cross-device link not permitted" },
};
