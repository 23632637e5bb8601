/**
 * An isolate as the pool sees it: it runs programs, one at a time, and can be killed at any moment.
 *
 * @module
 */
import type { Display } from "../../client/protocol/types.ts";
import type { RunListener } from "../../shared/run_listener.ts";
import type { RunRequest } from "../engine/engine.ts";
import type { ContextRunHead } from "../isolate/protocol.ts";
import type { CallMonitor } from "./call_monitor.ts";
import type { CommandMonitor } from "./command_monitor.ts";
import type { RunAnswer } from "./run_answer.ts";

/**
 * Output of a run as bytes, and what it showed, complete up to the point where the run ended or was
 * killed.
 */
export interface RunOutput {
  readonly stdout: Uint8Array<ArrayBuffer>;
  readonly stderr: Uint8Array<ArrayBuffer>;
  readonly displays: readonly Display[];
}

/** The outcome of a run: its answer, or none because the process ended before. */
export interface IsolateRun {
  readonly answer: RunAnswer | undefined;
  /** The engine could not read the snapshot that it had to restore; nothing ran. */
  readonly unreadable: boolean;
  readonly output: RunOutput;
}

/** Additional fields of a run in a context. */
export interface ContextRun {
  readonly head: ContextRunHead;
  /** Segments of the snapshot, then contents of the files, in the order of the head. */
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
}

/** Who observes a run: its listener, and the monitor of its calls. */
export interface RunObservers {
  readonly listener?: RunListener | undefined;
  /** Absent: the program makes no calls. */
  readonly monitor?: CallMonitor | undefined;
  /** Absent: the program starts no programs of other languages. */
  readonly commands?: CommandMonitor | undefined;
}

/** A live isolate. */
export interface Isolate {
  /** False once the isolate was killed, died, or asked to be replaced. */
  readonly usable: boolean;
  /** Whether the process holds the state of a context. */
  readonly holdsContext: boolean;
  /** Whether its last run began on the second baseline. @default {false} */
  readonly preloaded?: boolean;
  /** Runs a program. Never rejects: a process that dies leaves the answer undefined. */
  run(request: RunRequest, context?: ContextRun, observers?: RunObservers): Promise<IsolateRun>;
  /** Kills the process with SIGKILL. */
  kill(): void;
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;
}

/** Starts an isolate and loads its engine. Rejects when that fails or the signal fires. */
export type StartIsolate = (signal: AbortSignal) => Promise<Isolate>;

/** Accepts isolates without a context whose last run began on the same baseline as this one. */
export function hasBaseline(preloaded: boolean): (isolate: Isolate) => boolean {
  return (isolate) => !isolate.holdsContext && (isolate.preloaded ?? false) === preloaded;
}

/** A caller's requirements for an isolate. */
export interface IsolateWish {
  /** Idle isolates that it takes rather than others, the best first. */
  readonly prefers?: readonly ((isolate: Isolate) => boolean)[];
  /** Makes its isolate ready, in the milliseconds that are left of its wait. */
  readonly prepare?: (isolate: Isolate, leftMs: number) => Promise<void>;
}
