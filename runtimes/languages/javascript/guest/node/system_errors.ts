/**
 * Numbers and names of the system errors that guests can meet, as on Linux.
 *
 * @module
 */

/** Negative number → name and meaning. */
export const SYSTEM_ERRORS: ReadonlyMap<number, readonly [name: string, meaning: string]> = new Map(
  [
    [-1, ["EPERM", "operation not permitted"]],
    [-2, ["ENOENT", "no such file or directory"]],
    [-5, ["EIO", "i/o error"]],
    [-9, ["EBADF", "bad file descriptor"]],
    [-11, ["EAGAIN", "resource temporarily unavailable"]],
    [-12, ["ENOMEM", "not enough memory"]],
    [-13, ["EACCES", "permission denied"]],
    [-16, ["EBUSY", "resource busy or locked"]],
    [-17, ["EEXIST", "file already exists"]],
    [-18, ["EXDEV", "cross-device link not permitted"]],
    [-20, ["ENOTDIR", "not a directory"]],
    [-21, ["EISDIR", "illegal operation on a directory"]],
    [-22, ["EINVAL", "invalid argument"]],
    [-24, ["EMFILE", "too many open files"]],
    [-27, ["EFBIG", "file too large"]],
    [-28, ["ENOSPC", "no space left on device"]],
    [-29, ["ESPIPE", "invalid seek"]],
    [-30, ["EROFS", "read-only file system"]],
    [-36, ["ENAMETOOLONG", "name too long"]],
    [-38, ["ENOSYS", "function not implemented"]],
    [-39, ["ENOTEMPTY", "directory not empty"]],
    [-40, ["ELOOP", "too many symbolic links encountered"]],
    [-95, ["ENOTSUP", "operation not supported on socket"]],
  ],
);

/** `os.constants.errno`: name → positive number. */
export function errorNumbers(): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const [number, [name]] of SYSTEM_ERRORS) numbers[name] = -number;
  return numbers;
}
