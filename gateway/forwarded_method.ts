/**
 * Methods of requests that are rebuilt and forwarded.
 *
 * @module
 */

/** Methods that `Request` refuses (Fetch standard, forbidden methods). */
const FORBIDDEN: readonly string[] = ["CONNECT", "TRACE", "TRACK"];
/** A method that no route has either, so the answer is the same: 405. */
const UNKNOWN = "UNKNOWN";

/** The method itself, or one that no route has if the method cannot be forwarded. */
export function forwardedMethod(method: string): string {
  return FORBIDDEN.includes(method.toUpperCase()) ? UNKNOWN : method;
}
