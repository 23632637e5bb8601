/**
 * The protocol between the parent process and an isolate.
 *
 * Over loopback HTTP: `POST /engine` hands over an engine, `POST /run` runs a program. Bodies
 * and answers are messages: a JSON head and byte parts, each preceded by its length. An
 * engine that cannot be loaded is answered with a line of text that gives the reason.
 * Over the isolate's standard output: frames, which carry the guest's output as it is written, so
 * that it outlives a killed process. In a run with calls they also carry its calls and its waits;
 * each wait is ended by one delivery on the isolate's standard input (`deliveries.ts`).
 *
 * The parent trusts nothing that comes from an isolate; `pool/` checks it.
 *
 * @module
 */
import type { Language } from "../../client/protocol/types.ts";
import { DISPLAYS } from "../files/devices.ts";
import type { ClockReading } from "../engine/clock.ts";
import type { ProgramCall, ProgramWait, ToolHead } from "../../shared/run_calls.ts";
import type { LimitName, RunLimits } from "../engine/engine.ts";
import type { GlobalValues } from "../engine/snapshot/engine_state.ts";

/** Head of `POST /engine`; parts: the metered module, the image, the engine's extras. */
export interface EngineHead {
  readonly language: Language;
  readonly build: string;
  /** Identifies the metered module and the settings that images depend on. */
  readonly engine: string;
  /** Identifies the baseline. */
  readonly baseline: string;
  /** See `EngineArtifact`. */
  readonly preloads?: readonly string[] | undefined;
  /** See `EngineArtifact`. */
  readonly preloadProblem?: string | undefined;
}

/**
 * Limits of all guests of an isolate, in bytes, and how it starts: JSON in {@link LIMITS_HEADER} of
 * `POST /engine`.
 */
export interface IsolateLimits {
  /** Linear memory. */
  readonly memoryBytes: number;
  /** One file. */
  readonly fileBytes: number;
  /** All files of the workspace, and as many below `/tmp`. */
  readonly workspaceBytes: number;
  /** Whether programs run on the second baseline before the first guest's. @default {false} */
  readonly warmPreloads?: boolean | undefined;
}

/** Header of `POST /engine` with the {@link IsolateLimits}. */
export const LIMITS_HEADER = "x-limits";

/** A file. The message has its contents as a part, in the order of the files. */
export type FileHead = readonly [path: string, mtimeMs: number];

/** A stored state; its segments are parts of the message, oldest first. */
export interface SnapshotHead {
  readonly memoryBytes: number;
  readonly globals: GlobalValues;
  readonly segments: number;
}

/** The state that a run in a context continues. */
export interface ContextRunHead {
  /** Number of the run whose state the isolate holds and the run continues. */
  readonly resume?: number | undefined;
  /** The snapshot to restore when `resume` is absent; without both, the baseline. */
  readonly snapshot?: SnapshotHead | undefined;
  /**
   * The run is a program that the shell started: `/tmp` is a part of its files, all of which the head
   * names, no state is captured, and each language takes it. @default {false}
   */
  readonly isProgram?: boolean | undefined;
  readonly cwd: string;
  /** The guest's clocks at the end of the previous run with real ones; absent without one. */
  readonly clock?: ClockReading | undefined;
  /** Absolute paths that are removed first. */
  readonly removed: readonly string[];
  /** Absolute paths of directories that are created if they are missing. */
  readonly dirs: readonly string[];
  /** Files that are written. */
  readonly files: readonly FileHead[];
  /** Most bytes that all segments of the state after the run may take. */
  readonly snapshotBytes: number;
}

/** The beginning of a run with calls. The part after standard input holds its deliveries. */
export interface RunCallsHead {
  /** Absent: the program has no `tools`. */
  readonly tools?: readonly ToolHead[] | undefined;
  readonly interactive: boolean;
  readonly startMs: number;
  /** 32 bytes, in hexadecimal digits. */
  readonly seed: string;
}

/**
 * Head of `POST /run`; parts: the code in UTF-8, standard input, in a run with calls its deliveries,
 * segments, contents of files.
 */
export interface RunHead {
  /** Number of the run. Its output frames carry it too. */
  readonly run: number;
  readonly env: readonly (readonly [name: string, value: string])[];
  readonly typescript: boolean;
  /** Whether the program is written for a notebook. */
  readonly notebook?: boolean | undefined;
  /** Whether the program, or the context that the snapshot is of, began on the second baseline. */
  readonly preloaded?: boolean | undefined;
  readonly limits: RunLimits;
  readonly seed?: number | undefined;
  /** Epoch milliseconds at which the caller sets the clock. */
  readonly clock?: number | undefined;
  /** Whether the own form of the value is wanted. */
  readonly repr?: boolean | undefined;
  /** Whether a frame announces the moment when the program begins. */
  readonly announced?: boolean | undefined;
  /** Present for a run with calls. */
  readonly calls?: RunCallsHead | undefined;
  /** Whether the program may start programs of other languages. */
  readonly commands?: boolean | undefined;
  /** Present for a run in a context. */
  readonly context?: ContextRunHead | undefined;
}

/** How a run ended, in the head of its answer; text and JSON are in the first part. */
export type EndingHead =
  | { readonly kind: "crash" }
  /** Of the shell: its exit code, and the streams whose last line has no newline. */
  | {
    readonly kind: "none";
    readonly exitCode?: number | undefined;
    readonly unterminated?: readonly ("stdout" | "stderr")[] | undefined;
  }
  /** `repr`: the value's own form. */
  | { readonly kind: "text" | "json"; readonly repr?: string | undefined }
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

/** Numbers of calls and waits of a run. */
export interface CallCounts {
  readonly calls: number;
  readonly waits: number;
}

/** The state after a run in a context; the isolate keeps holding it. */
export interface ContextAnswerHead {
  readonly memoryBytes: number;
  readonly globals: GlobalValues;
  /** Pages of 4 KiB that differ from the baseline. */
  readonly pages: number;
  /** How many of the oldest segments the new state uses; the new one follows them. */
  readonly reusedSegments: number;
  readonly cwd: string;
  readonly clock: ClockReading;
  /** Absolute paths of all directories below `/workspace`; absent when they are as before. */
  readonly dirs?: readonly string[] | undefined;
  /** Files that the run created or changed. */
  readonly files: readonly FileHead[];
  /** Absolute paths that no longer exist, without files that became directories or the reverse. */
  readonly deleted: readonly string[];
  /** Time spent capturing the state, in milliseconds. */
  readonly captureMs: number;
}

/**
 * Head of the answer to `POST /run`; parts: the value's text, the new segment, contents of files.
 */
export interface RunAnswerHead {
  readonly run: number;
  readonly ending: EndingHead;
  readonly fuelConsumed: number;
  readonly memoryBytes: number;
  readonly durationMs: number;
  /** Time spent restoring the baseline before this run, in milliseconds; usually 0. */
  readonly resetMs: number;
  /** Bytes of output of this run. All of them are in frames. */
  readonly outputBytes: number;
  /** Bytes of JSON of this run's displays. All of them are in frames. */
  readonly displayBytes: number;
  /** Calls and waits of a run with calls. All of them are in frames. */
  readonly calls?: CallCounts | undefined;
  /** False: this process asks to be replaced. */
  readonly healthy: boolean;
  /** Absent when the run was not in a context, or its state cannot be continued. */
  readonly context?: ContextAnswerHead | undefined;
}

/** Status of an answer to `POST /run`: the snapshot does not belong to this engine. */
export const UNREADABLE_SNAPSHOT = 422;

/** Longest text with the reason why an engine could not be loaded. */
export const MAX_LOAD_FAILURE_BYTES = 512;

/** Kinds of frames on standard output: 1 and 2 are the guest's streams. */
export const FRAME_READY = 0;
/** The program begins. Comes before its output, if the head of the run asks for it. */
export const FRAME_BEGUN = 3;
/** The JSON of one display. 4 is not used here: between runtime and gateway it is an answer. */
export const FRAME_DISPLAY = DISPLAYS;
/**
 * A call of the program: a line of JSON (a {@link CallFrame}), a newline, and the JSON of its
 * arguments.
 */
export const FRAME_CALL = 6;
/** The program waits for a delivery: the JSON of a {@link WaitFrame}. */
export const FRAME_WAIT = 7;
/**
 * A command of another language: pieces of a message (`command_messages.ts`), the last one with its
 * own kind. The program waits for the outcome.
 */
export const FRAME_COMMAND_PART = 8;
export const FRAME_COMMAND = 9;
/** Bytes before a frame's payload: kind, number of the run, length of the payload. */
export const FRAME_HEADER_BYTES = 9;

/** The head of a call. */
export type CallFrame = Omit<ProgramCall, "arguments">;

/** A wait. `recorded`: a delivery of an earlier attempt ends it, and no other is expected. */
export interface WaitFrame extends Omit<ProgramWait, "prompt"> {
  readonly input: boolean;
  readonly recorded: boolean;
}

/** A frame: header and payload in one buffer, so that one call writes it. */
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
