/**
 * Runs whose programs can wait, and the answers to their calls and questions (docs/calls.md).
 *
 * @module
 */
import type { ExecutionResult, JsonValue, Language, Waiting } from "./types.ts";

/** The answer to a call or a question. */
export type CallAnswer =
  | {
    readonly key: string;
    /** The result of the tool; for a question a line, or null for the end of input. */
    readonly value: JsonValue;
  }
  | {
    readonly key: string;
    /** Raises `ToolError` in the program. */
    readonly error: { readonly message: string; readonly data?: JsonValue };
  }
  | {
    readonly key: string;
    /** Raises `ToolDenied` in the program, with this reason. */
    readonly deny: string;
  };

/** The states of a run. The last four are final. */
export const RUN_STATES = [
  "queued",
  "running",
  "waiting",
  "ended",
  "failed",
  "cancelled",
  "expired",
] as const;

/** The state of a run. */
export type RunState = typeof RUN_STATES[number];

/** A run in a listing. Times are ISO-8601. */
export interface RunSummary {
  /** Id of the run. */
  readonly id: string;
  /** Its state. */
  readonly state: RunState;
  /** The language of the program. */
  readonly language: Language;
  /** The context in which it runs; absent for a run without one. */
  readonly contextId?: string;
  /** When it was asked for. */
  readonly createdAt: string;
  /** When its program began. */
  readonly startedAt?: string;
  /** When it ended. */
  readonly endedAt?: string;
}

/** A run. */
export interface RunInfo extends RunSummary {
  /** Present while it waits. */
  readonly waiting?: Waiting;
  /** Its result, once it has ended. */
  readonly execution?: ExecutionResult;
}

/** A page of runs, the newest first. */
export interface RunList {
  /** The runs. */
  readonly runs: readonly RunSummary[];
  /** Where the next page begins; absent on the last page. */
  readonly cursor?: string;
}
