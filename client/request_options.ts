/**
 * Options that every call of the client takes.
 *
 * @module
 */
import type { RetryOptions } from "./retry.ts";

/** Options that every call takes. */
export interface RequestOptions {
  /** Ends the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds until the call ends with a `DOMException` named `TimeoutError`, waits and
   * repeated tries included. By default there is none.
   */
  readonly timeout?: number | undefined;
  /** How a call is made again that the service refused before it began; `false`: never. */
  readonly retry?: RetryOptions | false | undefined;
}
