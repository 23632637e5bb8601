/**
 * Why routes answer with an error: code and status from the table in `wire/error_codes.ts`, the
 * reason, and an answer as an example.
 *
 * @module
 */
import { ERROR_STATUSES, type ErrorCode, type ErrorStatus } from "../../wire/error_codes.ts";
import type { ErrorResponse, JsonValue } from "../../wire/types.ts";

/** One way to fail. */
export interface ErrorCause {
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  /** For people; one sentence. */
  readonly when: string;
  /** A body of such an answer. */
  readonly example: ErrorResponse;
}

interface Details<C extends ErrorCode> {
  readonly status?: ErrorStatus<C>;
  readonly context?: { readonly [key: string]: JsonValue };
  readonly operation?: string;
}

function cause<C extends ErrorCode>(
  code: C,
  when: string,
  message: string,
  { status = ERROR_STATUSES[code][0], context = {}, operation }: Details<C> = {},
): ErrorCause {
  const timestamp = "2026-01-31T09:30:00.000Z";
  const example = { code, message, context, httpStatus: status, timestamp };
  return {
    code,
    status,
    when,
    example: operation === undefined ? example : { ...example, operation },
  };
}

/** Errors that any route may give, the open one too. */
export function commonCauses(): readonly ErrorCause[] {
  return [
    cause(
      "FORBIDDEN",
      "`Host` or `Origin` is not one this service answers to.",
      "This Host is not served",
    ),
    cause(
      "VALIDATION_FAILED",
      "Another method than the path has; `Allow` names those.",
      "The methods of this route are POST, OPTIONS",
      { status: 405 },
    ),
    cause(
      "INTERNAL_ERROR",
      "A failure of the service. The log holds its cause.",
      "The service failed to handle this request",
    ),
  ];
}

/** Of routes that need a token. */
export function tokenCauses(): readonly ErrorCause[] {
  return [cause("UNAUTHORIZED", "No token, or a wrong one.", "A bearer token is needed")];
}

/** Of routes whose path has parameters. */
export function parameterCauses(): readonly ErrorCause[] {
  return [
    cause(
      "VALIDATION_FAILED",
      "A parameter is empty or holds a slash: there is no such path.",
      "There is no such route",
      { status: 404 },
    ),
  ];
}

/** Of routes whose path names a language. */
export function languageCauses(): readonly ErrorCause[] {
  return [
    cause(
      "VALIDATION_FAILED",
      "The path's language is unknown, or not enabled here.",
      "Unsupported language 'cobol'",
    ),
  ];
}

/** Of routes with a body. */
export function bodyCauses(maxBytes: number): readonly ErrorCause[] {
  return [
    cause(
      "VALIDATION_FAILED",
      "The body is no JSON object in UTF-8 or has far more in it than the route takes, a field is " +
        "not valid, or it took longer than 10 s to arrive.",
      "code must not be empty",
    ),
    cause(
      "VALIDATION_FAILED",
      `The body is larger than ${maxBytes} bytes, or a field than its limit.`,
      `The request is larger than ${maxBytes} bytes`,
      { status: 413 },
    ),
    cause(
      "VALIDATION_FAILED",
      "The body is not `application/json` in UTF-8.",
      "Content-Type must be application/json, in utf-8",
      { status: 415 },
    ),
    cause(
      "RATE_LIMITED",
      "Too many bytes of this tenant's requests are being read.",
      "Too many bytes of your requests are being read",
      { context: { limit: "request bytes", retryAfterMs: 1000 } },
    ),
    cause(
      "OVERLOADED",
      "Too many bytes of requests are being read.",
      "Too many bytes of requests are being read",
      { context: { limit: "request bytes", retryAfterMs: 1000 } },
    ),
  ];
}

/** Of routes that run code. */
export function runCauses(): readonly ErrorCause[] {
  return [
    cause(
      "RATE_LIMITED",
      "Too many runs of this tenant wait, or had to be killed.",
      "Too many runs are waiting",
      { context: { limit: "waiting runs", retryAfterMs: 1000 } },
    ),
    cause(
      "OVERLOADED",
      "The run waited too long, too many wait, or the service stops.",
      "The run waited too long for its turn",
      { context: { limit: "wait", retryAfterMs: 1000 } },
    ),
    cause(
      "INTERNAL_ERROR",
      "The runtime could not be called, or its isolate died by itself.",
      "The runtime could not be called",
      { status: 502 },
    ),
  ];
}

/** Of routes that reach a runtime without running code. */
export function runtimeCauses(): readonly ErrorCause[] {
  return runCauses().filter(({ status }) => status === 502);
}

/** Of all routes of a sandbox. */
export function sandboxCauses(): readonly ErrorCause[] {
  return [
    cause(
      "VALIDATION_FAILED",
      "The sandbox id is not valid, or `x-sandbox-id` names another.",
      "Invalid sandbox id '-': it is 1 to 63 letters, digits, dots, underscores and hyphens, " +
        "no hyphen at either end, and not '.' or '..'",
    ),
    cause(
      "OVERLOADED",
      "Too many change the sandbox at the same time, or the service stops.",
      "Too many change this sandbox at the same time",
      { context: { limit: "changes", retryAfterMs: 1000 } },
    ),
  ];
}

/** Of routes that may add to what is kept of a tenant. */
export function quotaCauses(): readonly ErrorCause[] {
  return [
    cause(
      "NO_SPACE",
      "A quota of the tenant is used up.",
      "This tenant keeps as many bytes as it may",
      { context: { limit: "bytes" } },
    ),
  ];
}

/** Of routes that name a context. */
export function contextCauses(): readonly ErrorCause[] {
  return [
    cause("CONTEXT_NOT_FOUND", "There is no such context.", "There is no context '7'", {
      context: { contextId: "7" },
    }),
  ];
}

/** Of runs in a context. */
export function contextRunCauses(): readonly ErrorCause[] {
  const context = { contextId: "7" };
  return [
    cause(
      "CONFLICT",
      "The sandbox or context was deleted during the run, or its lease was lost.",
      "The context was deleted during the run",
      { context },
    ),
    cause(
      "SNAPSHOT_INCOMPATIBLE",
      "The context was saved by another engine; its files stay.",
      "The context was saved by another engine (python-1) than this one (python-2)",
      { context: { ...context, stored: "python-1", present: "python-2" } },
    ),
    cause(
      "SNAPSHOT_CORRUPT",
      "The stored state of the context is not what was written.",
      "The stored state of the context cannot be read",
      { context },
    ),
  ];
}

/** Of contexts to be created. */
export function contextLimitCauses(): readonly ErrorCause[] {
  return [
    cause(
      "VALIDATION_FAILED",
      "The language has no contexts, `cwd` is no directory, or the sandbox has 8 contexts.",
      "A sandbox holds at most 8 contexts",
    ),
  ];
}

/** Of operations on files. */
export function fileCauses(): readonly ErrorCause[] {
  const fault = (
    code: ErrorCode,
    errno: string,
    text: string,
    when: string,
    op: string,
    sizes = {},
  ) =>
    cause(code, when, `${errno}: ${text}, ${op} 'a'`, {
      context: { path: "a", operation: op, errno, ...sizes },
      operation: `file.${op}`,
    });
  return [
    fault(
      "FILE_NOT_FOUND",
      "ENOENT",
      "no such file or directory",
      "There is no such file or directory.",
      "read",
    ),
    fault("FILE_EXISTS", "EEXIST", "file already exists", "There is one already.", "mkdir"),
    fault(
      "PERMISSION_DENIED",
      "EACCES",
      "permission denied",
      "The path leaves `/workspace`, or is its root.",
      "write",
    ),
    fault(
      "IS_DIRECTORY",
      "EISDIR",
      "is a directory",
      "A file is needed, and this is a directory.",
      "read",
    ),
    fault(
      "NOT_DIRECTORY",
      "ENOTDIR",
      "not a directory",
      "A directory is needed, and this is a file.",
      "list",
    ),
    fault(
      "FILE_TOO_LARGE",
      "EFBIG",
      "file too large",
      "The file is larger than a file may be.",
      "write",
      { maxSize: 4194304, actualSize: 5000000 },
    ),
    fault(
      "NO_SPACE",
      "ENOSPC",
      "no space left in the workspace",
      "The workspace is full.",
      "write",
      { maxSize: 16777216, actualSize: 17000000 },
    ),
    fault(
      "FILESYSTEM_ERROR",
      "ENOTEMPTY",
      "directory not empty",
      "Any other failure; `errno` says which.",
      "rename",
    ),
  ];
}
