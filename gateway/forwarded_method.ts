/**
 * Methods of requests that are made anew to be handed on.
 *
 * @module
 */

/** What no `Request` can be made with (Fetch standard, forbidden methods). */
const FORBIDDEN: readonly string[] = ["CONNECT", "TRACE", "TRACK"];
/** A method that no route has either, so that the answer is the same: 405. */
const UNKNOWN = "UNKNOWN";

/** The method itself, or another that no route has for one that cannot be handed on. */
export function forwardedMethod(method: string): string {
  return FORBIDDEN.includes(method.toUpperCase()) ? UNKNOWN : method;
}
