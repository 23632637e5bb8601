/**
 * Limits of runs with calls (docs/calls.md). All are fixed. Sizes are bytes of UTF-8.
 *
 * @module
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** Declarations of tools: the body of a request for them, and their text. */
export const TOOL_DECLARATIONS = { bodyBytes: 96 * KIB, bytes: 16 * KIB } as const;

/** The limits of one run with calls. */
export const CALL_LIMITS = {
  /** Declared tools, and their bytes as JSON. */
  tools: 128,
  toolBytes: 64 * KIB,
  /** Length of a tool's name, in characters. */
  nameLength: 128,
  /** Calls of a run. */
  calls: 1_000,
  /** Calls of a run that have no answer at one time. */
  pending: 64,
  /** Waits of a run, sleeps included. */
  waits: 10_000,
  /** The arguments of one call as JSON, and of all calls. */
  argumentBytes: 64 * KIB,
  allArgumentBytes: 4 * MIB,
  /**
   * An answer as JSON: a larger value is a file of the workspace, a larger line of input or error is
   * refused. And all answers of a run.
   */
  answerBytes: 256 * KIB,
  allAnswerBytes: 8 * MIB,
  /** Brackets, commas and colons of a request's answers, and of the answer of an operator's tool. */
  answerStructure: 400_000,
  /** The question of an interactive run. */
  promptBytes: 4 * KIB,
  /** Longest `timeoutMs` of a tool, in milliseconds. */
  timeoutMs: 30 * 24 * 3_600_000,
  /** A program that only sleeps is shown as waiting after so long, in milliseconds. */
  sleepMs: 5_000,
  /** The runs of a tenant in the memory of one process, with their output, answers and results. */
  memoryBytes: 64 * MIB,
  /** Length of the URL and of the secret of notifications, in characters. */
  notifyUrlLength: 2_048,
  notifySecretLength: 512,
  /** Runs of a tenant that wait at one time. */
  waitingRuns: 1_000,
} as const;
