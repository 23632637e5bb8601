/**
 * What comes to a run besides its calls: answers, the ends of times, decisions. One addition is one part
 * of the history of a stored run.
 *
 * @module
 */
import type { Decider } from "../client/protocol/journal.ts";
import type { Entry } from "./run_journal.ts";

/** Whether a call may be performed. */
export interface Decision {
  readonly by: Decider;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Of the answer, so that the same one again is known. */
  readonly digest: string;
  /** The reason of a denial; absent: the call is approved. */
  readonly deny?: string;
}

/** An addition to a run. */
export interface Additions {
  readonly entries: readonly Entry[];
  /** Digests of answers, by key. */
  readonly digests: readonly (readonly [key: string, digest: string])[];
  /** By key. An approved call has no entry before it was performed. */
  readonly verdicts?: readonly (readonly [key: string, decision: Decision])[];
  /** Keys of approved calls whose requests go out from now on. */
  readonly started?: readonly string[];
}

/** Of a call that the service has performed, in place of the digest of an answer. */
export const PERFORMED = "performed";
