/**
 * Runs whose programs can wait, and the answers to their calls and questions (docs/calls.md).
 *
 * @module
 */
import type { ExecutionResult, JsonSchema, JsonValue, Language, Waiting } from "./types.ts";

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
  }
  | {
    readonly key: string;
    /** The service performs the call: it is one of the operator's tools. */
    readonly approve: true;
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
  /** Present while it waits; in a listing only in that of runs that wait. */
  readonly waiting?: Waiting;
}

/** A run. */
export interface RunInfo extends RunSummary {
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

/** Whether calls of a tool of the operator need an approval. */
export const APPROVALS = ["never", "always"] as const;

/** A tool of the operator. */
export interface AvailableTool {
  /** Identifiers joined by dots. */
  readonly name: string;
  /** The purpose of the tool, for people and models. */
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonSchema;
  /** JSON Schema of the result. */
  readonly outputSchema?: JsonSchema;
  /** `always`: each call waits until somebody approves it. */
  readonly approval: typeof APPROVALS[number];
  /** Whether repeating a call has no further effect. */
  readonly idempotent: boolean;
}

/** The operator's tools of a tenant. */
export interface ToolList {
  /** The tools. */
  readonly tools: readonly AvailableTool[];
}
