/**
 * The journal of a run (docs/tools.md#journal).
 *
 * @module
 */

/** How a call ended. `unknown`: the tool may have done its work, and nobody knows. */
export const CALL_OUTCOMES = ["value", "error", "denied", "expired", "unknown"] as const;

/** How a call ended. */
export type CallOutcome = typeof CALL_OUTCOMES[number];

/** Who decides about a call: a caller of the routes, the page, an MCP client, an approving token. */
export const DECIDERS = ["run", "page", "mcp", "approver"] as const;

/** Who decides about a call. */
export type Decider = typeof DECIDERS[number];

/** A decision about a call. Either `approve` or `deny` is present. */
export interface CallDecision {
  /** Who has decided. */
  readonly by: Decider;
  /** When, in ISO-8601. */
  readonly at: string;
  /** The call is approved. */
  readonly approve?: true;
  /** Why the call is denied. */
  readonly deny?: string;
}

/** A call of a program. */
export interface JournalCall {
  /** Names the call in answers. */
  readonly key: string;
  /** The name of the tool. */
  readonly name: string;
  /** Length of the arguments as JSON, in bytes of UTF-8, and their SHA-256 in hexadecimal digits. */
  readonly arguments: { readonly bytes: number; readonly sha256: string };
  /** When the program made the call, in ISO-8601. */
  readonly startedAt: string;
  /** Milliseconds until the outcome, waiting included. */
  readonly ms?: number;
  /** Length of the value or the error as JSON, in bytes of UTF-8. */
  readonly bytes?: number;
  /** Absent where nobody had to decide, or has decided yet. */
  readonly decision?: CallDecision;
  /** Absent while the call is pending. */
  readonly outcome?: CallOutcome;
}

/** The journal of a run. */
export interface RunJournal {
  /** The calls, in the order in which the program made them. */
  readonly calls: readonly JournalCall[];
}
