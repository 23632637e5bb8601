/**
 * A run as it happens: the events of a streamed answer (docs/contract.md#streaming).
 *
 * @module
 */
import type {
  Display,
  ErrorResponse,
  ExecutionResult,
  PendingCall,
  PendingInput,
} from "./types.ts";

/** Media type of a stream with one JSON object a line. */
export const NDJSON = "application/x-ndjson";
/** Media type of a stream of server-sent events. */
export const EVENT_STREAM = "text/event-stream";

/** One event of a run. The first is `start`; the last is `end` or `failed`. */
export type RunEvent =
  | StartEvent
  | OutputEvent
  | DisplayEvent
  | CallEvent
  | InputEvent
  | KeepaliveEvent
  | EndEvent
  | FailedEvent;

/** The position of an event among those of its run; only of runs that can wait. */
export interface EventPosition {
  /** Counts from 1. */
  readonly id?: number;
}

/** The run begins. Everything that refuses it comes before, as an ordinary error. */
export interface StartEvent extends EventPosition {
  readonly type: "start";
  /** Id of the run, if it can wait. */
  readonly run?: string;
}

/** One line of output, without its newline. All of them together are the result's `logs`. */
export interface OutputEvent extends EventPosition {
  readonly type: "stdout" | "stderr";
  readonly text: string;
}

/**
 * One entry of the result's `displays`. Lines that ended before come before it; a line that has
 * begun comes when it ends.
 */
export interface DisplayEvent extends EventPosition {
  readonly type: "display";
  readonly display: Display;
}

/** The program calls a function of its caller, after the lines before it. */
export interface CallEvent extends EventPosition {
  readonly type: "call";
  readonly call: PendingCall;
}

/** The program asks for a line of input, after the lines before it. */
export interface InputEvent extends EventPosition, PendingInput {
  readonly type: "input";
}

/** The events of a program while it runs and waits. */
export type ProgramEvent = StartEvent | OutputEvent | DisplayEvent | CallEvent | InputEvent;

/** One of them, with its position. */
export type NumberedEvent = ProgramEvent & { readonly id: number };

/** No other event for ten seconds; the run continues. */
export interface KeepaliveEvent {
  readonly type: "keepalive";
}

/** The answer. It is authoritative: what was streamed before may have been rolled back. */
export interface EndEvent extends EventPosition {
  readonly type: "end";
  readonly execution: ExecutionResult;
}

/** The run has no result. Comes in place of `end`. */
export interface FailedEvent extends EventPosition {
  readonly type: "failed";
  readonly error: ErrorResponse;
}
