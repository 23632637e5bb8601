/**
 * Errors of programs in one line.
 *
 * @module
 */
import type { ExecutionError } from "@belljar/client";

/** The name of the error of a limit. */
export const LIMIT_ERROR = "ExecutionLimitError";

/** An error in one line; a limit has no name, and some errors no message. */
export function errorTitle({ name, message }: ExecutionError): string {
  if (name === LIMIT_ERROR) return message;
  return message === "" ? name : `${name}: ${message}`;
}
