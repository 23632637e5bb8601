/**
 * What the parent process and an isolate say to each other.
 *
 * Over loopback HTTP: `POST /engine` hands over an engine, `POST /run` runs a program. Bodies
 * and answers are messages: a JSON head and byte parts, each with its length in front; but an
 * engine that cannot be loaded is answered with a line of text that says why.
 * Over the isolate's standard output: frames, which carry the guest's output as it arises, so
 * that it outlives a killed process.
 *
 * The parent treats all that comes from an isolate as untrusted; `pool/` checks it.
 *
 * @module
 */
import type { Language } from "../../client/protocol/types.ts";
import type { ClockReading } from "./clock.ts";
import type { LimitName, RunLimits } from "./engine.ts";
import type { GlobalValues } from "./snapshot/engine_state.ts";

/** Head of `POST /engine`; parts: the metered module, the image, the engine's extras. */
export interface EngineHead {
  readonly language: Language;
  readonly build: string;
  /** Names the metered module and what of it images depend on. */
  readonly engine: string;
  /** Names the baseline image. */
  readonly baseline: string;
  readonly memoryBytes: number;
}

/** A file of a message: its contents are a part of it, in the order of the files. */
export type FileHead = readonly [path: string, mtimeMs: number];

/** A stored state; its segments are parts of the message, oldest first. */
export interface SnapshotHead {
  readonly memoryBytes: number;
  readonly globals: GlobalValues;
  readonly segments: number;
}

/** What a run in a context goes on from. */
export interface ContextRunHead {
  /** Number of the run whose state the isolate holds, to go on from; else it starts afresh. */
  readonly resume?: number | undefined;
  /** What to put back when starting afresh; the baseline when absent. */
  readonly snapshot?: SnapshotHead | undefined;
  readonly cwd: string;
  /** What the guest's clocks showed at the end of the run before; absent at the first. */
  readonly clock?: ClockReading | undefined;
  /** Absolute paths that are removed first. */
  readonly removed: readonly string[];
  /** Absolute paths of directories that are made if they are missing. */
  readonly dirs: readonly string[];
  /** Files that are written. */
  readonly files: readonly FileHead[];
  /** Most bytes that all segments of the state after the run may take. */
  readonly snapshotBytes: number;
}

/** Head of `POST /run`; parts: the code in UTF-8, segments, contents of files. */
export interface RunHead {
  /** Number of the run, which its output frames carry too. */
  readonly run: number;
  readonly env: readonly (readonly [name: string, value: string])[];
  readonly typescript: boolean;
  readonly limits: RunLimits;
  /** Present when the run is one of a context. */
  readonly context?: ContextRunHead | undefined;
}

/** How a run ended, as its answer's head tells it; text and JSON are in the first part. */
export type EndingHead =
  | { readonly kind: "none" | "text" | "json" | "crash" }
  | {
    readonly kind: "error";
    readonly name: string;
    readonly message: string;
    readonly traceback: readonly string[];
    readonly lineNumber?: number | undefined;
  }
  | {
    readonly kind: "limit";
    readonly limit: LimitName;
    readonly traceback: readonly string[];
  };

/** What a run in a context left; the isolate holds on to it. */
export interface ContextAnswerHead {
  readonly memoryBytes: number;
  readonly globals: GlobalValues;
  /** Pages of 4 KiB that differ from the baseline. */
  readonly pages: number;
  /** How many of the oldest segments stay as they are; the new one comes after them. */
  readonly kept: number;
  readonly cwd: string;
  readonly clock: ClockReading;
  /** Absolute paths of all directories below `/workspace`. */
  readonly dirs: readonly string[];
  /** Files made or changed by the run. */
  readonly files: readonly FileHead[];
  /** Absolute paths of files and directories that are gone, but for what has become the other. */
  readonly deleted: readonly string[];
  /** Time it took to capture the state, in milliseconds. */
  readonly captureMs: number;
}

/** Head of the answer to `POST /run`; parts: the value's text, the new segment, contents of files. */
export interface RunAnswerHead {
  readonly run: number;
  readonly ending: EndingHead;
  readonly fuelConsumed: number;
  readonly memoryBytes: number;
  readonly durationMs: number;
  /** Time spent putting the image back before this run, in milliseconds; mostly 0. */
  readonly resetMs: number;
  /** Bytes of output of this run, all of which are in frames. */
  readonly outputBytes: number;
  /** False: this process asks to be replaced. */
  readonly healthy: boolean;
  /** Absent when the run was none of a context, or its state cannot be gone on from. */
  readonly context?: ContextAnswerHead | undefined;
}

/** Status of an answer to `POST /run`: the snapshot is none of this engine's. */
export const UNREADABLE_SNAPSHOT = 422;

/** Longest text of an answer to `POST /engine` that says why the engine could not be loaded. */
export const MAX_LOAD_FAILURE_BYTES = 512;

/** Kinds of frames on standard output: 1 and 2 are the guest's streams. */
export const FRAME_READY = 0;
/** Bytes before a frame's payload: kind, number of the run, length of the payload. */
export const FRAME_HEADER_BYTES = 9;

/** A frame: header and payload in one piece, so that it is written at once. */
export function encodeFrame(
  kind: number,
  run: number,
  payload: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(FRAME_HEADER_BYTES + payload.length);
  const view = new DataView(out.buffer);
  view.setUint8(0, kind);
  view.setUint32(1, run, true);
  view.setUint32(5, payload.length, true);
  out.set(payload, FRAME_HEADER_BYTES);
  return out;
}
