/**
 * Failures of outgoing requests, as values.
 *
 * @module
 */

/**
 * Why there is no answer. `invalid`: the request itself; `refused`: by the rules for addresses;
 * `unreachable`: no connection, or no valid certificate; `busy`: the target has too many requests;
 * `open`: the circuit of the target is open; `timeout`: the signal aborted with a `TimeoutError`;
 * `cancelled`: it aborted with another reason, or the service closes; `broken`: the
 * answer is not HTTP, or is not whole; `large`: the body is longer than its limit.
 */
export type FailureReason =
  | "invalid"
  | "refused"
  | "unreachable"
  | "busy"
  | "open"
  | "timeout"
  | "cancelled"
  | "broken"
  | "large";

/** A request without an answer. */
export interface OutgoingFailure {
  readonly reason: FailureReason;
  /** Whether the target may have got the request. If not, it is safe to send it again. */
  readonly sent: boolean;
}

export function failed(
  reason: FailureReason,
  sent: boolean,
): { readonly failure: OutgoingFailure } {
  return { failure: { reason, sent } };
}

/** Why a signal aborted. */
export function abortReason({ reason }: AbortSignal): "timeout" | "cancelled" {
  return reason instanceof DOMException && reason.name === "TimeoutError" ? "timeout" : "cancelled";
}
