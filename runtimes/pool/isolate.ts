/**
 * An isolate as the pool sees it: something that runs programs, one at a time, and can be
 * killed at any moment.
 *
 * @module
 */
import type { RunRequest } from "../isolate/engine.ts";
import type { ContextRunHead } from "../isolate/protocol.ts";
import type { RunAnswer } from "./run_answer.ts";

/** Output of a run as bytes, complete up to where the run ended or was killed. */
export interface RunOutput {
  readonly stdout: Uint8Array<ArrayBuffer>;
  readonly stderr: Uint8Array<ArrayBuffer>;
}

/** What came of a run: its answer, or none because the process ended before. */
export interface IsolateRun {
  readonly answer: RunAnswer | undefined;
  /** The snapshot that was to be put back is none of the engine's; nothing ran. */
  readonly unreadable: boolean;
  readonly output: RunOutput;
}

/** What makes a run one of a context. */
export interface ContextRun {
  readonly head: ContextRunHead;
  /** Segments of the snapshot, then contents of the files, as the head lists them. */
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
}

/** A live isolate. */
export interface Isolate {
  /** False once it was killed, died, or asked to be replaced. */
  readonly usable: boolean;
  /** Whether the process holds the state that a run in a context left. */
  readonly holdsContext: boolean;
  /** Runs a program. Never rejects: a process that dies gives no answer. */
  run(request: RunRequest, context?: ContextRun): Promise<IsolateRun>;
  /** SIGKILL. */
  kill(): void;
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;
}

/** Starts an isolate with its engine loaded. Rejects when that fails, or when the signal fires. */
export type StartIsolate = (signal: AbortSignal) => Promise<Isolate>;
