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
   * Milliseconds until the call ends with a `DOMException` named `TimeoutError`, including waits,
   * retries and callbacks. By default there is no timeout.
   */
  readonly timeout?: number | undefined;
  /**
   * How to retry a call that the service refused before it started, and a run with an
   * `idempotencyKey` whose connection broke; `false`: never.
   */
  readonly retry?: RetryOptions | false | undefined;
}
