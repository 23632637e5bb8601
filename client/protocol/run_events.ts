/**
 * A run as it happens: the events of a streamed answer (docs/contract.md#streaming).
 *
 * @module
 */
import type { Display, ErrorResponse, ExecutionResult } from "./types.ts";

/** Media type of a stream with one JSON object a line. */
export const NDJSON = "application/x-ndjson";
/** Media type of a stream of server-sent events. */
export const EVENT_STREAM = "text/event-stream";

/** One event of a run. The first is `start`; the last is `end` or `failed`. */
export type RunEvent =
  | StartEvent
  | OutputEvent
  | DisplayEvent
  | KeepaliveEvent
  | EndEvent
  | FailedEvent;

/** The run begins. Everything that refuses it comes before, as an ordinary error. */
export interface StartEvent {
  readonly type: "start";
}

/** One line of output, without its newline. All of them together are the result's `logs`. */
export interface OutputEvent {
  readonly type: "stdout" | "stderr";
  readonly text: string;
}

/**
 * One entry of the result's `displays`. Lines that ended before come before it; a line that has
 * begun comes when it ends.
 */
export interface DisplayEvent {
  readonly type: "display";
  readonly display: Display;
}

/** No other event for ten seconds; the run continues. */
export interface KeepaliveEvent {
  readonly type: "keepalive";
}

/** The answer. It is authoritative: what was streamed before may have been rolled back. */
export interface EndEvent {
  readonly type: "end";
  readonly execution: ExecutionResult;
}

/** The run has no result. Comes in place of `end`. */
export interface FailedEvent {
  readonly type: "failed";
  readonly error: ErrorResponse;
}
