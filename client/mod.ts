/**
 * The typed client of Belljar, a service that runs untrusted scripts in metered WebAssembly
 * interpreters.
 *
 * What is here so far are the shapes of the service's HTTP answers and its error codes, for
 * programs that call it with `fetch`:
 *
 * ```ts ignore
 * import type { ErrorResponse, ExecutionResult } from "@belljar/client";
 *
 * const response = await fetch("http://127.0.0.1:8000/execute/javascript", {
 *   method: "POST",
 *   headers: { "content-type": "application/json" },
 *   body: JSON.stringify({ code: "[1, 2, 3].map((n) => n * n)" }),
 * });
 * if (response.ok) {
 *   const result: ExecutionResult = await response.json();
 *   console.log(result.results, result.error);
 * } else {
 *   const error: ErrorResponse = await response.json();
 *   console.error(error.code, error.message);
 * }
 * ```
 *
 * `client/` is the published package. It has no dependency and takes nothing from the service
 * but the shapes, paths, limits and error codes of `wire/`.
 *
 * @module
 */
export { ERROR_STATUSES, type ErrorCode, type ErrorStatus } from "../wire/error_codes.ts";
export type {
  ErrorResponse,
  ExecutionContext,
  ExecutionError,
  ExecutionResult,
  InterpreterProbe,
  JsonValue,
  Language,
  LanguageListing,
  Logs,
  PublishedLimits,
  ResultEntry,
  Usage,
} from "../wire/types.ts";
