/**
 * The engine port: what the isolate's server needs from an engine, for every language.
 *
 * The program of the child process (`runtimes/isolate/`) may only listen on loopback. It reads no
 * file, no environment and no KV, and knows nothing of pools, sandboxes or other isolates.
 *
 * @module
 */
import type { Language } from "../../client/protocol/types.ts";
import type { Stream } from "../files/devices.ts";
import type { GuestFileSystem } from "../files/guest_file_system.ts";
import type { ProgramCalls } from "./program_calls.ts";
import type { CommandPort } from "./program_command.ts";
import type { EngineState } from "./snapshot/engine_state.ts";

/** Limits of one run. Bytes are bytes of UTF-8; times are milliseconds. */
export interface RunLimits {
  /** Units of fuel, as counted by the metered module. */
  readonly fuel: number;
  readonly outputBytes: number;
  readonly outputLines: number;
  readonly resultBytes: number;
  readonly tracebackBytes: number;
  readonly displayBytes: number;
  /** Bounds the sum of virtual sleeps; real time is watched by the parent process. */
  readonly wallMs: number;
}

/** One program to run. */
export interface RunRequest {
  readonly code: string;
  /** Names and values of the environment. A map, because names are arbitrary. */
  readonly env: ReadonlyMap<string, string>;
  /** The caller declared the code to be TypeScript. */
  readonly typescript: boolean;
  /**
   * The program is written for a notebook of E2B: `/home/user` is a name of `/workspace`, and
   * Python takes the lines of IPython. @default {false}
   */
  readonly notebook?: boolean;
  /** Whether the program begins on the engine's second baseline. @default {false} */
  readonly preloaded?: boolean | undefined;
  /** Absolute path of an existing directory under `/workspace`. @default {"/workspace"} */
  readonly cwd?: string;
  /** The run continues the state of earlier runs, and later runs continue its state. */
  readonly inContext?: boolean;
  /** Standard input of the program. @default {empty} */
  readonly stdin?: Uint8Array<ArrayBuffer>;
  /** Fixes all random bytes: an integer from 0 to 2^53-1. @default {the process's own} */
  readonly seed?: number;
  /** Epoch milliseconds at which the run's clock stands but for sleeps. @default {real time} */
  readonly clock?: number;
  /** Asks for the own form of the value in its language. @default {false} */
  readonly repr?: boolean;
  /** The program's calls of its caller, inside the isolate. @default {it can make none} */
  readonly calls?: ProgramCalls;
  /** Of the shell: the way to programs of other languages. @default {there are none} */
  readonly commands?: CommandPort;
  readonly limits: RunLimits;
}

/** Whether a run has anything to read from standard input. */
export function hasInput({ stdin, calls }: Pick<RunRequest, "stdin" | "calls">): boolean {
  return calls?.head.interactive === true || (stdin !== undefined && stdin.length > 0);
}

/**
 * Takes a run's output byte by byte, as it is written. Returns false when the output limit
 * is reached: the bytes up to the limit were taken, and the engine must end the run. Displays have
 * limits of their own, at which the run continues.
 */
export type OutputSink = (stream: Stream, bytes: Uint8Array) => boolean;

/** The limits that a run can reach, as messages name them. */
export type LimitName =
  | "fuel"
  | "wall clock"
  | "output"
  | "result"
  | "display"
  | "memory"
  | "snapshot"
  | "calls";

/** An exception of the guest. Untrusted text throughout. */
export interface GuestError {
  readonly name: string;
  readonly message: string;
  readonly traceback: readonly string[];
  readonly lineNumber?: number;
}

/** How a run ended. */
export type Ending =
  /** Of the shell: its exit code, and the streams whose last line has no newline. */
  | {
    readonly kind: "none";
    readonly exitCode?: number;
    readonly unterminated?: readonly ("stdout" | "stderr")[];
  }
  /** `repr`: the value's own form in its language, cut; absent if it was not asked for or failed. */
  | { readonly kind: "text"; readonly text: string; readonly repr?: string }
  /** `json` is JSON text, digits as the guest wrote them. */
  | { readonly kind: "json"; readonly json: string; readonly repr?: string }
  | { readonly kind: "error"; readonly error: GuestError }
  | { readonly kind: "limit"; readonly limit: LimitName; readonly traceback: readonly string[] }
  /** A trap that is not a limit. */
  | { readonly kind: "crash" };

/** The outcome of a run. */
export interface RunOutcome {
  readonly ending: Ending;
  /** Fuel used, at most the limit. */
  readonly fuelConsumed: number;
  /** Linear memory at the end of the run, in bytes. */
  readonly memoryBytes: number;
  /** Time inside the engine in milliseconds, including preparation of the source. */
  readonly durationMs: number;
  /** False when the run stopped in the middle of guest code: only a reset makes it usable. */
  readonly intact: boolean;
}

/** An engine in an isolate. It holds its baseline and runs one program at a time. */
export interface Engine {
  readonly language: Language;
  /** False when the process should be replaced, because a reset cannot repair its state. */
  readonly healthy: boolean;
  /** Runs a program from the state the engine is in. Never throws for anything a guest does. */
  run(request: RunRequest, output: OutputSink): RunOutcome;
  /**
   * Restores a baseline: no byte of earlier runs remains. `preloaded`: the second one, in which modules
   * are imported already; when absent, the one of the last run. Throws a RangeError when the engine
   * has no second one.
   */
  reset(preloaded?: boolean): void;
  /** The files, where there is no {@link state} that has them. */
  readonly files?: GuestFileSystem;
  /** Access to the state that contexts keep. Absent where the language has no contexts. */
  readonly state?: EngineState;
}

/** A built engine: everything an isolate needs to run it, as opaque bytes. */
export interface EngineArtifact {
  readonly language: Language;
  /** Identifies the build: changes whenever the metered module or the image changes. */
  readonly build: string;
  /** The metered WebAssembly module. */
  readonly module: Uint8Array<ArrayBuffer>;
  /** The baseline image, in the engine's own format. */
  readonly image: Uint8Array<ArrayBuffer>;
  /** Further files of the engine, in an order that it defines; may be empty. */
  readonly extras: readonly Uint8Array<ArrayBuffer>[];
  /**
   * Packages by their top-level names: a program that imports one begins on the second baseline.
   * @default {there is one baseline}
   */
  readonly preloads?: readonly string[];
  /**
   * Why there is no second baseline although there are packages for one: the module that cannot be
   * imported, and the reason.
   */
  readonly preloadProblem?: string;
}
