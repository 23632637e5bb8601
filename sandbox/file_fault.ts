/**
 * Why an operation on files failed: Linux error numbers, and their codes in an answer
 * (docs/contract.md#error-codes).
 *
 * @module
 */
import type { ErrorCode } from "../client/protocol/error_codes.ts";
import { WORKSPACE } from "../client/protocol/paths.ts";
import { quoted } from "../client/protocol/text.ts";
import { ServiceError } from "../shared/errors.ts";
import type { RequestedPaths } from "../shared/sandbox_types.ts";

/** The errors of operations on files. */
export type Errno =
  | "EACCES"
  | "EEXIST"
  | "EFBIG"
  | "EILSEQ"
  | "EINVAL"
  | "EISDIR"
  | "ENAMETOOLONG"
  | "ENOENT"
  | "ENOSPC"
  | "ENOTDIR"
  | "ENOTEMPTY";

interface ErrnoEntry {
  readonly code: ErrorCode;
  readonly text: string;
}

const ERRNO: Readonly<Record<Errno, ErrnoEntry>> = {
  EACCES: { code: "PERMISSION_DENIED", text: "permission denied" },
  EEXIST: { code: "FILE_EXISTS", text: "file already exists" },
  EFBIG: { code: "FILE_TOO_LARGE", text: "file too large" },
  EILSEQ: { code: "FILESYSTEM_ERROR", text: "illegal byte sequence" },
  EINVAL: { code: "FILESYSTEM_ERROR", text: "invalid argument" },
  EISDIR: { code: "IS_DIRECTORY", text: "is a directory" },
  ENAMETOOLONG: { code: "FILESYSTEM_ERROR", text: "name too long" },
  ENOENT: { code: "FILE_NOT_FOUND", text: "no such file or directory" },
  ENOSPC: { code: "NO_SPACE", text: "no space left in the workspace" },
  ENOTDIR: { code: "NOT_DIRECTORY", text: "not a directory" },
  ENOTEMPTY: { code: "FILESYSTEM_ERROR", text: "directory not empty" },
};

/** The requested and the maximum size, for EFBIG and ENOSPC. */
export interface FaultSizes {
  readonly maxSize: number;
  readonly actualSize: number;
}

/** An operation on files failed like a system call. */
export class FileFault extends Error {
  override readonly name = "FileFault";
  readonly errno: Errno;
  readonly sizes: FaultSizes | undefined;

  constructor(errno: Errno, sizes?: FaultSizes) {
    super(errno);
    this.errno = errno;
    this.sizes = sizes;
  }
}

/**
 * Converts a fault to an error answer: `context` names path, operation and error number. The
 * message of an operation on two paths shows both, because either may be the cause.
 */
export function fileError(
  fault: FileFault,
  request: RequestedPaths,
): ServiceError {
  const { code, text } = ERRNO[fault.errno];
  const most = fault.sizes === undefined ? "" : ` (at most ${fault.sizes.maxSize} bytes)`;
  const { op: operation, path, newPath = "" } = request;
  const isOfTwo = operation === "rename" || operation === "move";
  const paths = isOfTwo ? `${quoted(path)} -> ${quoted(newPath)}` : quoted(path);
  const hint = fault.errno === "EACCES" && !path.startsWith(WORKSPACE)
    ? `: files are in ${WORKSPACE}`
    : "";
  return new ServiceError(code, `${fault.errno}: ${text}${most}, ${operation} ${paths}${hint}`, {
    context: { path, operation, errno: fault.errno, ...fault.sizes },
    operation: `file.${operation}`,
  });
}
