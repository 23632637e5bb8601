/**
 * The codes of the service's errors, each with its possible HTTP statuses.
 *
 * This is the only table. The types {@link ErrorCode} and {@link ErrorStatus} are derived from it,
 * so a code without a status, or a status that its code does not have, does not compile. It has no
 * dependency, so the published client can use it.
 *
 * @module
 */

/**
 * Code → statuses; the first one is the default.
 *
 * @example
 * ```ts ignore
 * import { ERROR_STATUSES } from "@belljar/client";
 *
 * console.assert(ERROR_STATUSES.CONFLICT.includes(409));
 * ```
 */
export const ERROR_STATUSES = {
  /**
   * The request is not acceptable. Includes unknown routes (404), methods, sizes, content types and
   * ranges.
   */
  VALIDATION_FAILED: [400, 404, 405, 413, 415, 416],
  /** No token, or a wrong one. */
  UNAUTHORIZED: [401],
  /** The service does not accept the `Host` or `Origin` of the request. */
  FORBIDDEN: [403],
  CONTEXT_NOT_FOUND: [404],
  CHECKPOINT_NOT_FOUND: [404],
  RUN_NOT_FOUND: [404],
  /** The run has no such call or question, or its program went on without the answer. */
  CALL_NOT_FOUND: [404],
  /** The call has another answer already. */
  CALL_ANSWERED: [409],
  /** The context has a run that waits for answers. */
  RUN_WAITING: [409],
  FILE_NOT_FOUND: [404],
  FILE_EXISTS: [409],
  PERMISSION_DENIED: [403],
  IS_DIRECTORY: [400],
  NOT_DIRECTORY: [400],
  FILE_TOO_LARGE: [413],
  NO_SPACE: [507],
  FILESYSTEM_ERROR: [400],
  /** Another engine saved the stored state of the context. */
  SNAPSHOT_INCOMPATIBLE: [409],
  SNAPSHOT_CORRUPT: [500],
  /**
   * The sandbox or context was deleted during the run, its lease was lost, or its `Idempotency-Key`
   * is that of another request.
   */
  CONFLICT: [409],
  PRECONDITION_FAILED: [412],
  /** This tenant exceeds its share; comes with `Retry-After`. */
  RATE_LIMITED: [429],
  /** The service as a whole is busy or stopping; comes with `Retry-After`. */
  OVERLOADED: [503],
  /** 502 when a runtime could not be called or its isolate died by itself. */
  INTERNAL_ERROR: [500, 502],
} as const;

/** A code of the table. */
export type ErrorCode = keyof typeof ERROR_STATUSES;

/** The statuses of a code. */
export type ErrorStatus<C extends ErrorCode = ErrorCode> = (typeof ERROR_STATUSES)[C][number];
