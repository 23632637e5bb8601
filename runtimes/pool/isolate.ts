/**
 * An isolate as the pool sees it: something that runs programs, one at a time, and can be
 * killed at any moment.
 *
 * @module
 */
import type { RunRequest } from "../isolate/engine.ts";
import type { RunAnswer } from "./run_answer.ts";

/** Output of a run as bytes, complete up to where the run ended or was killed. */
export interface RunOutput {
  readonly stdout: Uint8Array<ArrayBuffer>;
  readonly stderr: Uint8Array<ArrayBuffer>;
}

/** What came of a run: its answer, or none because the process ended before. */
export interface IsolateRun {
  readonly answer: RunAnswer | undefined;
  readonly output: RunOutput;
}

/** A live isolate. */
export interface Isolate {
  /** False once it was killed, died, or asked to be replaced. */
  readonly usable: boolean;
  /** Runs a program. Never rejects: a process that dies gives no answer. */
  run(request: RunRequest): Promise<IsolateRun>;
  /** SIGKILL. */
  kill(): void;
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;
}

/** Starts an isolate with its engine loaded. Rejects when that fails. */
export type StartIsolate = () => Promise<Isolate>;
