/**
 * The errors that calls of the client end with, and the one table that says which class a code
 * of the service becomes (docs/contract.md#client-errors).
 *
 * @module
 */
import { ERROR_STATUSES, type ErrorCode } from "./protocol/error_codes.ts";
import type { JsonValue } from "./protocol/types.ts";

/** What a {@link SandboxError} is about; its keys depend on the code. */
export interface ErrorContext {
  /** For example `contextId`, `path`, `limit`. */
  readonly [key: string]: JsonValue;
}

/** What a {@link SandboxError} is made from, beside its message. */
export interface SandboxErrorDetails {
  /** One of the service's codes. */
  readonly code: string;
  /** HTTP status of the answer. */
  readonly httpStatus: number;
  /** What the error is about; `{}` when absent. */
  readonly context?: ErrorContext;
  /** ISO-8601 in UTC; the time of the client when absent. */
  readonly timestamp?: string;
  /** For example `file.read`. */
  readonly operation?: string;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** What lies beneath, such as the error of a failed connection. */
  readonly cause?: unknown;
}

/**
 * Base of all errors of the client, and itself the class of every code that has none of its
 * own. A guest's error never becomes one: it is `result.error`.
 *
 * A `httpStatus` of 502 with code `INTERNAL_ERROR` is also what a binding that could not be
 * called gives, and an answer that is not of the expected shape.
 */
export class SandboxError extends Error {
  /** The name of the class. */
  override readonly name: string = "SandboxError";
  /** One of the service's codes, see `ErrorCode`. */
  readonly code: string;
  /** What the error is about; its keys depend on the code. */
  readonly context: ErrorContext;
  /** HTTP status of the answer; the status it would have had when the client refused. */
  readonly httpStatus: number;
  /** ISO-8601 in UTC, with milliseconds. */
  readonly timestamp: string;
  /** For example `file.read`; undefined when the service named none. */
  readonly operation: string | undefined;
  /** How long the service asked to wait, in milliseconds; undefined when it did not. */
  readonly retryAfterMs: number | undefined;

  /** Made by the client; applications have no need to. */
  constructor(message: string, details: SandboxErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.context = details.context ?? {};
    this.httpStatus = details.httpStatus;
    this.timestamp = details.timestamp ?? new Date().toISOString();
    this.operation = details.operation;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** True when the call was refused before it began, so that it may be made again. */
  get retryable(): boolean {
    return this.code === "RATE_LIMITED" || this.code === "OVERLOADED";
  }
}

/** The call is not acceptable; `message` says why. */
export class ValidationFailedError extends SandboxError {
  /** The name of the class. */
  override readonly name = "ValidationFailedError";
}

/** The sandbox has no context of that id. */
export class ContextNotFoundError extends SandboxError {
  /** The name of the class. */
  override readonly name = "ContextNotFoundError";
}

/** A call of `sandbox.files` failed; base of the classes for the more common reasons. */
export class FileSystemError extends SandboxError {
  /** The name of the class. */
  override readonly name: string = "FileSystemError";
}

/** There is no such file or directory. */
export class FileNotFoundError extends FileSystemError {
  /** The name of the class. */
  override readonly name = "FileNotFoundError";
}

/** There is something already. */
export class FileExistsError extends FileSystemError {
  /** The name of the class. */
  override readonly name = "FileExistsError";
}

/** The path lies outside `/workspace`, or may not be changed. */
export class PermissionDeniedError extends FileSystemError {
  /** The name of the class. */
  override readonly name = "PermissionDeniedError";
}

/** The file would be larger than files may be. */
export class FileTooLargeError extends FileSystemError {
  /** The name of the class. */
  override readonly name = "FileTooLargeError";
}

type SandboxErrorClass = new (message: string, details: SandboxErrorDetails) => SandboxError;

/** Code → class. */
const CLASSES: { readonly [C in ErrorCode]: SandboxErrorClass } = {
  VALIDATION_FAILED: ValidationFailedError,
  UNAUTHORIZED: SandboxError,
  FORBIDDEN: SandboxError,
  CONTEXT_NOT_FOUND: ContextNotFoundError,
  FILE_NOT_FOUND: FileNotFoundError,
  FILE_EXISTS: FileExistsError,
  PERMISSION_DENIED: PermissionDeniedError,
  IS_DIRECTORY: FileSystemError,
  NOT_DIRECTORY: FileSystemError,
  FILE_TOO_LARGE: FileTooLargeError,
  NO_SPACE: FileSystemError,
  FILESYSTEM_ERROR: FileSystemError,
  SNAPSHOT_INCOMPATIBLE: SandboxError,
  SNAPSHOT_CORRUPT: SandboxError,
  CONFLICT: SandboxError,
  RATE_LIMITED: SandboxError,
  OVERLOADED: SandboxError,
  INTERNAL_ERROR: SandboxError,
};

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUSES, code);
}

/** An error of the class that its code has in the table; of the base for a code not in it. */
export function sandboxError(message: string, details: SandboxErrorDetails): SandboxError {
  const ErrorClass = isErrorCode(details.code) ? CLASSES[details.code] : SandboxError;
  return new ErrorClass(message, details);
}

/** What the client itself refuses, as the service would. */
export function validationFailed(message: string, httpStatus = 400): ValidationFailedError {
  return new ValidationFailedError(message, { code: "VALIDATION_FAILED", httpStatus });
}

/** A binding that could not be called, or answered with what cannot be understood. */
export function bindingFailure(
  message: string,
  details: { readonly context?: ErrorContext; readonly cause?: unknown } = {},
): SandboxError {
  return new SandboxError(message, { code: "INTERNAL_ERROR", httpStatus: 502, ...details });
}
