/**
 * The errors of client calls, and the only table that maps the service's codes to classes
 * (docs/contract.md#client-errors).
 *
 * @module
 */
import { ERROR_STATUSES, type ErrorCode } from "./protocol/error_codes.ts";
import type { JsonValue } from "./protocol/types.ts";

/** Details of a {@link SandboxError}; the keys depend on the code. */
export interface ErrorContext {
  /** For example `contextId`, `path`, `limit`. */
  readonly [key: string]: JsonValue;
}

/** The options of a {@link SandboxError}, besides its message. */
export interface SandboxErrorDetails {
  /** One of the service's codes. */
  readonly code: string;
  /** HTTP status of the answer. */
  readonly httpStatus: number;
  /** Details of the error; `{}` when absent. */
  readonly context?: ErrorContext;
  /** ISO-8601 in UTC; the client's time when absent. */
  readonly timestamp?: string;
  /** For example `file.read`. */
  readonly operation?: string;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The underlying error, for example that of a failed connection. */
  readonly cause?: unknown;
}

/**
 * Base class of all errors of the client, and the class of every code without its own class. A
 * guest's error is never thrown: it is `result.error`.
 *
 * A `httpStatus` of 502 with code `INTERNAL_ERROR` also means that a binding could not be called,
 * or that an answer does not have the expected shape. `UNREACHABLE` is the client's own code: the
 * connection to the service could not be opened, or it broke. The message names the reason;
 * `context` has the `address` and whether anything was `sent`.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox, SandboxError } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * try {
 *   await sandbox.files.read("missing.txt");
 * } catch (error) {
 *   if (!(error instanceof SandboxError)) throw error;
 *   console.assert(error.code === "FILE_NOT_FOUND" && error.httpStatus === 404);
 *   console.assert(!error.retryable);
 * }
 * ```
 */
export class SandboxError extends Error {
  /** The name of the class. */
  override readonly name: string = "SandboxError";
  /** One of the service's codes, see `ErrorCode`, or `UNREACHABLE`. */
  readonly code: string;
  /** Details of the error; the keys depend on the code. */
  readonly context: ErrorContext;
  /** HTTP status of the answer, or the corresponding status if the client refused the call. */
  readonly httpStatus: number;
  /** ISO-8601 in UTC, with milliseconds. */
  readonly timestamp: string;
  /** For example `file.read`; undefined when the service named none. */
  readonly operation: string | undefined;
  /** How long the service asked to wait, in milliseconds; undefined when it did not. */
  readonly retryAfterMs: number | undefined;

  /** Created by the client; applications need not do so. */
  constructor(message: string, details: SandboxErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.context = details.context ?? {};
    this.httpStatus = details.httpStatus;
    this.timestamp = details.timestamp ?? new Date().toISOString();
    this.operation = details.operation;
    this.retryAfterMs = details.retryAfterMs;
  }

  /** Whether the call never started, so that it may be retried: refused, or not sent. */
  get retryable(): boolean {
    return this.code === "RATE_LIMITED" || this.code === "OVERLOADED" ||
      (this.code === "UNREACHABLE" && this.context["sent"] === false);
  }
}

/**
 * The call is not acceptable; `message` says why.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox, ValidationFailedError } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * const error = await sandbox.interpreter.runCode("1 + 1").catch((thrown: unknown) => thrown);
 * console.assert(error instanceof ValidationFailedError);
 * ```
 */
export class ValidationFailedError extends SandboxError {
  /** The name of the class. */
  override readonly name = "ValidationFailedError";
}

/**
 * The sandbox has no context with that id.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox, ContextNotFoundError } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * const error = await sandbox.interpreter.deleteCodeContext("unknown").catch((thrown: unknown) => thrown);
 * console.assert(error instanceof ContextNotFoundError);
 * ```
 */
export class ContextNotFoundError extends SandboxError {
  /** The name of the class. */
  override readonly name = "ContextNotFoundError";
}

/**
 * A call of `sandbox.files` failed. Base class for the more common reasons.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox, FileSystemError } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * const error = await sandbox.files.read("/workspace").catch((thrown: unknown) => thrown);
 * console.assert(error instanceof FileSystemError);
 * ```
 */
export class FileSystemError extends SandboxError {
  /** The name of the class. */
  override readonly name: string = "FileSystemError";
}

/**
 * There is no such file or directory.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox, FileNotFoundError } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * const error = await sandbox.files.stat("missing.txt").catch((thrown: unknown) => thrown);
 * console.assert(error instanceof FileNotFoundError);
 * ```
 */
export class FileNotFoundError extends FileSystemError {
  /** The name of the class. */
  override readonly name = "FileNotFoundError";
}

/**
 * The path exists already.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox, FileExistsError } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * await sandbox.files.mkdir("data");
 * const error = await sandbox.files.mkdir("data").catch((thrown: unknown) => thrown);
 * console.assert(error instanceof FileExistsError);
 * ```
 */
export class FileExistsError extends FileSystemError {
  /** The name of the class. */
  override readonly name = "FileExistsError";
}

/**
 * The path is outside `/workspace`, or may not be changed.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox, PermissionDeniedError } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * const error = await sandbox.files.read("/etc/passwd").catch((thrown: unknown) => thrown);
 * console.assert(error instanceof PermissionDeniedError);
 * ```
 */
export class PermissionDeniedError extends FileSystemError {
  /** The name of the class. */
  override readonly name = "PermissionDeniedError";
}

/**
 * The file would exceed the maximum size.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox, FileTooLargeError } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * const content = new Uint8Array(5 * 1024 * 1024);
 * const error = await sandbox.files.upload("large", content).catch((thrown: unknown) => thrown);
 * console.assert(error instanceof FileTooLargeError);
 * ```
 */
export class FileTooLargeError extends FileSystemError {
  /** The name of the class. */
  override readonly name = "FileTooLargeError";
}

/**
 * A binding could not be called, or the connection broke before the answer was whole. Whether the
 * call was done is not known. Callers see a {@link SandboxError}.
 */
export class ConnectionError extends SandboxError {
  constructor(message: string, details: Partial<SandboxErrorDetails> = {}) {
    super(message, { code: "INTERNAL_ERROR", httpStatus: 502, ...details });
  }
}

/** The connection broke during an answer. */
export class BrokenAnswer extends ConnectionError {}

type SandboxErrorClass = new (message: string, details: SandboxErrorDetails) => SandboxError;

/** Code → class. */
const CLASSES: { readonly [C in ErrorCode]: SandboxErrorClass } = {
  VALIDATION_FAILED: ValidationFailedError,
  UNAUTHORIZED: SandboxError,
  FORBIDDEN: SandboxError,
  CONTEXT_NOT_FOUND: ContextNotFoundError,
  CHECKPOINT_NOT_FOUND: SandboxError,
  RUN_NOT_FOUND: SandboxError,
  CALL_NOT_FOUND: SandboxError,
  CALL_ANSWERED: SandboxError,
  RUN_WAITING: SandboxError,
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
  PRECONDITION_FAILED: SandboxError,
  RATE_LIMITED: SandboxError,
  OVERLOADED: SandboxError,
  INTERNAL_ERROR: SandboxError,
};

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUSES, code);
}

/** Creates an error of the class for its code; of the base class for an unknown code. */
export function sandboxError(message: string, details: SandboxErrorDetails): SandboxError {
  const ErrorClass = isErrorCode(details.code) ? CLASSES[details.code] : SandboxError;
  return new ErrorClass(message, details);
}

/** A call that the client itself refuses, as the service would. */
export function validationFailed(message: string, httpStatus = 400): ValidationFailedError {
  return new ValidationFailedError(message, { code: "VALIDATION_FAILED", httpStatus });
}

/** An answer is not understandable. */
export function bindingFailure(
  message: string,
  details: { readonly context?: ErrorContext; readonly cause?: unknown } = {},
): SandboxError {
  return new SandboxError(message, { code: "INTERNAL_ERROR", httpStatus: 502, ...details });
}
