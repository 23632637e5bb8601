/**
 * The reasons for errors of routes of files.
 *
 * @module
 */
import type { ErrorCode } from "../../client/protocol/error_codes.ts";
import { conditionsOf, preconditionFailed } from "../../sandbox/file_conditions.ts";
import { type Errno, type FaultSizes, fileError, FileFault } from "../../sandbox/file_fault.ts";
import { unsatisfiable } from "../../sandbox/file_headers.ts";
import { gap } from "../../sandbox/upload_pieces.ts";
import { validationFailed } from "../../shared/errors.ts";
import { BODY_DEADLINE_MS } from "../../shared/limits.ts";
import type { RequestedPaths } from "../../shared/sandbox_types.ts";
import { budgetCauses, cause, type ErrorCause, refusal } from "./error_cause.ts";
import type { RequestLimits } from "./request_schemas.ts";

/** Errors of operations on files. */
export function file(
  { workspace: { fileBytes, totalBytes } }: RequestLimits,
): readonly ErrorCause[] {
  return [
    fileCause("There is no such file or directory.", "ENOENT", { op: "read", path: "a" }),
    fileCause("The path exists already.", "EEXIST", { op: "mkdir", path: "a" }),
    fileCause(
      "The path leaves `/workspace`, or is its root.",
      "EACCES",
      { op: "write", path: "../a" },
    ),
    fileCause("A file is required, and this is a directory.", "EISDIR", { op: "read", path: "a" }),
    fileCause("A directory is required, and this is a file.", "ENOTDIR", { op: "list", path: "a" }),
    fileCause(
      "The file exceeds the maximum size of a file.",
      "EFBIG",
      { op: "write", path: "a" },
      { maxSize: fileBytes, actualSize: fileBytes + 1 },
    ),
    fileCause(
      "The workspace is full.",
      "ENOSPC",
      { op: "write", path: "a" },
      { maxSize: totalBytes, actualSize: totalBytes + 1 },
    ),
    fileCause(
      "Any other failure; `errno` says which.",
      "ENOTEMPTY",
      { op: "rename", path: "a", newPath: "b" },
    ),
  ];
}

/** Errors of the bytes of files. */
export function fileBytes(limits: RequestLimits): readonly ErrorCause[] {
  const all: readonly ErrorCode[] = [
    "FILE_NOT_FOUND",
    "FILESYSTEM_ERROR",
    "IS_DIRECTORY",
    "NOT_DIRECTORY",
    "PERMISSION_DENIED",
  ];
  return [
    ...file(limits).filter(({ code }) => all.includes(code)),
    cause(
      "The path or a condition is malformed.",
      refusal(() => conditionsOf(new Headers({ "if-match": "abc" }))),
    ),
    cause(
      "The file is not as `If-Match` or `If-None-Match` requires.",
      preconditionFailed("a", "write"),
    ),
  ];
}

/** Errors of the reading of a part of a file. */
export function range(): readonly ErrorCause[] {
  return [cause("No byte of the file is in the range.", unsatisfiable(10))];
}

/** Errors of the storing of the bytes of a file. */
export function upload(limits: RequestLimits): readonly ErrorCause[] {
  const stored: readonly ErrorCode[] = ["FILE_TOO_LARGE", "NO_SPACE"];
  return [
    ...file(limits).filter(({ code }) => stored.includes(code)),
    cause(
      `The body is incomplete after ${BODY_DEADLINE_MS / 1_000} s.`,
      validationFailed("The request body is incomplete"),
    ),
    cause(
      "`Content-Range` leaves a gap, names another length than the pieces before, or another request " +
        "goes on with the upload.",
      gap(65_536),
    ),
    cause("The body is compressed.", validationFailed("Content-Encoding is not supported", 415)),
    ...budgetCauses(),
  ];
}

function fileCause(
  when: string,
  errno: Errno,
  request: RequestedPaths,
  sizes?: FaultSizes,
): ErrorCause {
  return cause(when, fileError(new FileFault(errno, sizes), request));
}
