/**
 * The terms of a run, its parts and its end.
 *
 * @module
 */
import type { RunState } from "../client/protocol/calls.ts";
import type { NumberedEvent } from "../client/protocol/run_events.ts";
import type { Language, NotifyTarget } from "../client/protocol/types.ts";
import type { Clock } from "../shared/clock.ts";
import type { OperatorTools, RunCallFields } from "../shared/operator_tools.ts";
import type { RunCalls } from "../shared/run_calls.ts";
import type { RunListener } from "../shared/run_listener.ts";
import type { Timers } from "../shared/timers.ts";
import type { Additions } from "./additions.ts";
import type { CallTable, ShownCall, ShownQuestion } from "./call_table.ts";
import type { RunEvents } from "./run_events.ts";
import type { RunPlace } from "./run_place.ts";

/** The fields of a request that matter to the program. */
export type ProgramFields = Omit<RunCallFields, "notify">;

/** The fixed terms of a run. */
export interface RunTerms {
  readonly id: string;
  readonly tenant: string;
  readonly language: Language;
  /** Name and version of the engine. */
  readonly engine: string;
  readonly code: string;
  readonly calls: ProgramFields;
  /** Where the notifications of a new run go. */
  readonly notify?: NotifyTarget | undefined;
  /** Fuel limit of the run. */
  readonly fuel: number;
  /** 32 secret random bytes. */
  readonly seed: Uint8Array<ArrayBuffer>;
  /** When the run was requested. Its clock begins then, or with its turn. Epoch milliseconds. */
  readonly createdAt: number;
  /** The caller's own start of the clock. */
  readonly clock?: number | undefined;
  /** Milliseconds that a call or question waits for its answer. */
  readonly waitMs: number;
  /** The `Idempotency-Key` of its request, and the digest of that. */
  readonly key?: { readonly key: string; readonly digest: string } | undefined;
  /** The sandbox and the context in which it runs. */
  readonly context?: { readonly sandbox: string; readonly contextId: string } | undefined;
}

/** The next report to the caller. */
export interface NextShown {
  readonly calls: readonly ShownCall[];
  readonly question: ShownQuestion | undefined;
  /** When a program that only sleeps goes on, in epoch milliseconds. */
  readonly until: number | undefined;
  /** The service performs calls meanwhile: the run keeps its turn. */
  readonly performs: boolean;
}

/** Makes a run outlive its process. */
export interface RunStorage {
  /** Commits that the program waits, before that is shown. */
  show(shown: NextShown): Promise<void>;
  /**
   * Commits an addition, and then merges it into the run. False when the run does not accept it any
   * more; nothing is done then.
   */
  append(addition: Additions): Promise<boolean>;
  /** Parts of the history that this process knows. */
  readonly parts: number;
  /** When the run had its turn, if it waited for that in a queue. Epoch milliseconds. */
  readonly startsAt: number | undefined;
  /** Whether no other process has changed the run. */
  isCurrent(): Promise<boolean>;
  /** The program waits without anything new: gives its turn back. */
  rests(): Promise<void>;
  /**
   * The program begins or goes on: waits for its turn. Rejects with a RunOutdated, or the signal's reason.
   */
  resumes(signal: AbortSignal): Promise<void>;
  /**
   * Whether the run goes on later after this failure, in any process: it is stored, and the store did not
   * answer or the turn was lost.
   */
  isLeft(thrown: unknown): boolean;
}

/** Another process has gone on with the run, or ended it. */
export class RunOutdated extends Error {
  override readonly name = "RunOutdated";
}

/** The same for a moment: only answers came in between, and are taken in. */
export class RunMoved extends RunOutdated {}

/** The history of a run that another process began. */
export interface StoredHistory extends Required<Additions> {
  readonly id: string;
  readonly seed: Uint8Array<ArrayBuffer>;
  readonly createdAt: number;
  /** When it had its turn. Absent: when it was created. */
  readonly startsAt?: number | undefined;
  readonly waitMs: number;
  readonly calls: readonly ShownCall[];
  readonly questions: readonly ShownQuestion[];
  /** Whether its program has not reached its first wait. */
  readonly isQueued: boolean;
  readonly end?: RunEnd | undefined;
  readonly endedAt?: number | undefined;
  /** Of a run that has ended. */
  readonly events?: readonly NumberedEvent[] | undefined;
}

/** A run, as its storage sees it. */
export interface WaitingProgram {
  readonly terms: RunTerms;
  readonly calls: Pick<CallTable, "accepts">;
  readonly events: Pick<RunEvents, "whole">;
  /** Takes in an addition that is committed. */
  merge(addition: Additions): void;
}

/** The parts that runs share. */
export interface RunParts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly place: RunPlace;
  readonly tools: OperatorTools;
  /** Absent: the run is lost with the process. */
  readonly storage?: ((run: WaitingProgram) => RunStorage) | undefined;
}

/** The answer to a run. */
export interface RunResult {
  readonly body: string;
  readonly headers: { readonly [name: string]: string };
  /** 200 when absent: the run has a result. */
  readonly status?: number;
}

/** The end of a run: the answer to it, or the error in place of one. */
export type RunEnd = RunResult | { readonly error: unknown };

/** Performs one attempt. Resolves to the end of the run. */
export type Attempt = (
  calls: RunCalls,
  listener: RunListener,
  signal: AbortSignal,
) => Promise<RunEnd>;

/** The run was cancelled by its caller. */
export class RunCancelled extends Error {
  override readonly name = "RunCancelled";
}

/** The state of a run that has ended. */
export function finalState(end: RunEnd, { aborted, reason }: AbortSignal): RunState {
  if (aborted && reason instanceof RunCancelled) return "cancelled";
  return "error" in end || end.status !== undefined ? "failed" : "ended";
}

/** The state of a stored run that has ended. */
export function restoredEnd(end: RunEnd): RunState {
  return "error" in end && end.error instanceof RunCancelled ? "cancelled" : "ended";
}

/** Programs are computed again for at most so many times their fuel limit. */
export const MOST_REPLAYS = 4;

/** Attempts have computed the same again too often. */
export class ReplayLimit extends Error {
  override readonly name = "ReplayLimit";
}
