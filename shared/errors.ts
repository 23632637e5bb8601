/**
 * Errors of the service as values: one class whose code, status and shape come from the table
 * in `error_codes.ts`, and one mapping of anything thrown to such a value.
 *
 * A {@link ServiceError} is an `Error` so that it can be thrown through a framework that requires
 * one; it may also be returned. Its message is sent to the caller, so it contains no path, stack,
 * dependency name or secret.
 *
 * @module
 */
import {
  ERROR_STATUSES,
  type ErrorCode,
  type ErrorStatus,
} from "../client/protocol/error_codes.ts";
import { quoted } from "../client/protocol/text.ts";
import type { ErrorResponse, JsonValue } from "../client/protocol/types.ts";
import { type Clock, isoTimestamp } from "./clock.ts";
import { jsonResponse } from "./responses.ts";

/** Options of an error, besides code and message. */
export interface ErrorDetails<C extends ErrorCode> {
  /** A status of the code other than the first. */
  readonly status?: ErrorStatus<C>;
  /** Details of the error; empty when absent. */
  readonly context?: ErrorResponse["context"];
  /** For example `file.read`. */
  readonly operation?: string;
  /** Headers of the answer, such as `Allow` and `Retry-After`. */
  readonly headers?: { readonly [name: string]: string };
}

/** An error with a code of the table: the content of every answer that is not a success. */
export class ServiceError<C extends ErrorCode = ErrorCode> extends Error {
  /** The name of the class. */
  override readonly name = "ServiceError";
  /** One of the codes of the table. */
  readonly code: C;
  /** The HTTP status of the answer. */
  readonly status: ErrorStatus<C>;
  /** Details of the error. */
  readonly context: ErrorResponse["context"];
  /** For example `file.read`. */
  readonly operation: string | undefined;
  /** Headers of the answer. */
  readonly headers: { readonly [name: string]: string };

  /** The message is for the caller. */
  constructor(code: C, message: string, details: ErrorDetails<C> = {}) {
    super(message);
    this.code = code;
    this.status = details.status ?? ERROR_STATUSES[code][0];
    this.context = details.context ?? {};
    this.operation = details.operation;
    this.headers = details.headers ?? {};
  }

  /** The body of the answer (docs/contract.md#errorresponse). */
  toBody(clock: Clock): ErrorResponse {
    return {
      code: this.code,
      message: this.message,
      context: this.context,
      httpStatus: this.status,
      timestamp: isoTimestamp(clock),
      ...(this.operation === undefined ? {} : { operation: this.operation }),
    };
  }
}

/** Answers with an error. */
export function errorResponse(error: ServiceError, clock: Clock): Response {
  return jsonResponse(error.toBody(clock), {
    status: error.status,
    headers: error.headers,
  });
}

/** Converts anything thrown to an error to answer with; an unexpected one gets a fixed message. */
export function toServiceError(thrown: unknown): ServiceError {
  return thrown instanceof ServiceError ? thrown : internalError();
}

/** The request is not acceptable; 400 unless another status is given. */
export function validationFailed(
  message: string,
  status: ErrorStatus<"VALIDATION_FAILED"> = 400,
  headers: { readonly [name: string]: string } = {},
): ServiceError<"VALIDATION_FAILED"> {
  return new ServiceError("VALIDATION_FAILED", message, { status, headers });
}

/** A failure of the service itself. The message is fixed; the cause belongs in the log. */
export function internalError(): ServiceError<"INTERNAL_ERROR"> {
  return new ServiceError(
    "INTERNAL_ERROR",
    "The service failed to handle this request",
  );
}

/** A runtime could not be called, or its isolate died by itself: 502. */
export function runtimeUnavailable(): ServiceError<"INTERNAL_ERROR"> {
  return new ServiceError("INTERNAL_ERROR", "The runtime could not be called", {
    status: 502,
  });
}

/** Resources that can be exhausted for a moment, by the name in `context.limit`. */
export type OverloadLimit =
  | "changes"
  | "isolates"
  | "killed seconds"
  | "kills"
  | "request bytes"
  | "shutdown"
  | "store"
  | "wait"
  | "waiting calls"
  | "waiting runs";

/** Kinds of work that wait: runs, and calls that run no code. */
export type WaitKind = "runs" | "calls";

/** Default delay before a retry, in milliseconds. */
const RETRY_AFTER_MS = 1_000;

/**
 * A limit is exceeded: of this tenant (`RATE_LIMITED`) or of the service (`OVERLOADED`). `limit`
 * names the exhausted limit. The answer contains the delay in milliseconds and, rounded up to
 * seconds, as `Retry-After`.
 */
export function overload<C extends "RATE_LIMITED" | "OVERLOADED">(
  code: C,
  message: string,
  limit: OverloadLimit,
  retryAfterMs: number = RETRY_AFTER_MS,
): ServiceError<C> {
  return new ServiceError(code, message, {
    context: { limit, retryAfterMs },
    headers: retryAfter(retryAfterMs),
  });
}

/** The `Retry-After` header: whole seconds, at least one. */
export function retryAfter(ms: number): { readonly "retry-after": string } {
  return { "retry-after": String(Math.max(1, Math.ceil(ms / 1000))) };
}

/** A queue is full: that of the tenant (`RATE_LIMITED`) or that of the language (`OVERLOADED`). */
export function tooManyWaiting<C extends "RATE_LIMITED" | "OVERLOADED">(
  code: C,
  what: WaitKind = "runs",
): ServiceError<C> {
  return overload(code, `Too many ${what} are waiting`, `waiting ${what}`);
}

/** A run or call has waited for the maximum time: for a turn, a place or an isolate. */
export function waitedTooLong(what: WaitKind = "runs"): ServiceError<"OVERLOADED"> {
  const one = what === "runs" ? "run" : "call";
  return overload("OVERLOADED", `The ${one} waited too long for its turn`, "wait");
}

/** The call is aborted because the service stops. */
export function serviceStopping(): ServiceError<"OVERLOADED"> {
  return overload("OVERLOADED", "The service is stopping", "shutdown");
}

/** There is no context with that id. */
export function contextNotFound(contextId: string): ServiceError<"CONTEXT_NOT_FOUND"> {
  return new ServiceError("CONTEXT_NOT_FOUND", `There is no context ${quoted(contextId)}`, {
    context: { contextId },
  });
}

/** There is no checkpoint with that id. */
export function checkpointNotFound(checkpointId: string): ServiceError<"CHECKPOINT_NOT_FOUND"> {
  const message = `There is no checkpoint ${quoted(checkpointId)}`;
  return new ServiceError("CHECKPOINT_NOT_FOUND", message, { context: { checkpointId } });
}

/** There is no run with that id, or it was cancelled. */
export function runNotFound(run: string): ServiceError<"RUN_NOT_FOUND"> {
  return new ServiceError("RUN_NOT_FOUND", `There is no run ${quoted(run)}`, {
    context: { run: run.slice(0, SHOWN_ID) },
  });
}

/** Characters of an id in the context of an error. */
const SHOWN_ID = 256;

/** The run has no open call or question with that key. */
export function callNotFound(key: string): ServiceError<"CALL_NOT_FOUND"> {
  return new ServiceError("CALL_NOT_FOUND", `The run waits for no answer to ${quoted(key)}`, {
    context: { key: key.slice(0, SHOWN_ID) },
  });
}

/** The token, host or origin of the request may not do this. */
export function forbidden(message: string): ServiceError<"FORBIDDEN"> {
  return new ServiceError("FORBIDDEN", message);
}

/** The call or question has another answer already. */
export function callAnswered(key: string): ServiceError<"CALL_ANSWERED"> {
  return new ServiceError("CALL_ANSWERED", `${quoted(key)} has another answer already`, {
    context: { key: key.slice(0, SHOWN_ID) },
  });
}

/** The context has a run that waits for answers. */
export function runWaiting(
  { run, calls }: { readonly run: string; readonly calls: JsonValue },
): ServiceError<"RUN_WAITING"> {
  return new ServiceError("RUN_WAITING", "The context has a run that waits for answers", {
    context: { run, calls },
  });
}

/** The sandbox or context was deleted during the run, or its lease was lost. */
export function conflict(
  message: string,
  contextId?: string,
): ServiceError<"CONFLICT"> {
  return new ServiceError("CONFLICT", message, {
    context: contextId === undefined ? {} : { contextId },
  });
}

/** A quota of the tenant is used up; `limit` names it. */
export function noSpace(message: string, limit: string): ServiceError<"NO_SPACE"> {
  return new ServiceError("NO_SPACE", message, { context: { limit } });
}

/** The change would exceed a quota of the tenant. */
export function quotaUsedUp(
  max: number,
  quota: "sandboxes" | "tenant bytes",
): ServiceError<"NO_SPACE"> {
  return noSpace(`The quota of ${max} ${quota} is used up`, quota);
}

/** Another engine saved the stored state of a context. The names are those of builds. */
export function snapshotIncompatible(
  contextId: string,
  builds: { readonly stored: string; readonly present: string },
): ServiceError<"SNAPSHOT_INCOMPATIBLE"> {
  return new ServiceError(
    "SNAPSHOT_INCOMPATIBLE",
    `The context was saved by another engine (${builds.stored}) than this one (${builds.present})`,
    { context: { contextId, ...builds } },
  );
}

/** The stored memory of a context is larger than the operator's limit is now. */
export function memoryTooLarge(
  contextId: string,
  builds: { readonly stored: string; readonly present: string },
  sizes: { readonly memoryBytes: number; readonly maxBytes: number },
): ServiceError<"SNAPSHOT_INCOMPATIBLE"> {
  return new ServiceError(
    "SNAPSHOT_INCOMPATIBLE",
    `The context has ${sizes.memoryBytes} bytes of memory, and this service allows ${sizes.maxBytes}`,
    { context: { contextId, ...builds } },
  );
}

/** The stored state of a context is damaged. */
export function snapshotCorrupt(contextId: string): ServiceError<"SNAPSHOT_CORRUPT"> {
  return new ServiceError("SNAPSHOT_CORRUPT", "The stored state of the context cannot be read", {
    context: { contextId },
  });
}
