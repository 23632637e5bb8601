/**
 * The engine port: what the isolate's server asks of an interpreter, whatever its language.
 *
 * `runtimes/isolate/` is the program that runs in a child process with nothing but the right
 * to listen on loopback: its server, the engines behind this port, metering, images, the guest
 * file system. It imports only `wire/` and itself, reads no file, no environment and no KV, and
 * knows nothing of pools, sandboxes or other isolates.
 *
 * @module
 */
import type { Language } from "../../client/protocol/types.ts";
import type { EngineState } from "./snapshot/engine_state.ts";

/** Limits of one run. Bytes are bytes of UTF-8; times are milliseconds. */
export interface RunLimits {
  /** Units of fuel, as counted by the metered module. */
  readonly fuel: number;
  readonly outputBytes: number;
  readonly outputLines: number;
  readonly resultBytes: number;
  readonly tracebackBytes: number;
  /** Bounds the sum of virtual sleeps; real time is watched by the parent process. */
  readonly wallMs: number;
}

/** One program to run. */
export interface RunRequest {
  readonly code: string;
  /** Names and values of the environment; names are arbitrary, so a map and no object. */
  readonly env: ReadonlyMap<string, string>;
  /** The caller said that the code is TypeScript. */
  readonly typescript: boolean;
  /** Absolute path of an existing directory under `/workspace`; that itself when absent. */
  readonly cwd?: string;
  /** The run goes on from what earlier runs left, and leaves its state to later ones. */
  readonly inContext?: boolean;
  readonly limits: RunLimits;
}

/** 1 is standard output, 2 is standard error. */
export type Stream = 1 | 2;

/**
 * Where a run's output goes, byte by byte, as it arises. Returns false when the output limit
 * is reached: the bytes up to the limit were taken, and the engine must end the run.
 */
export type OutputSink = (stream: Stream, bytes: Uint8Array) => boolean;

/** The limits a run can hit, by the words used in messages. */
export type LimitName =
  | "fuel"
  | "wall clock"
  | "output"
  | "result"
  | "memory"
  | "snapshot";

/** An exception of the guest. Untrusted text throughout. */
export interface GuestError {
  readonly name: string;
  readonly message: string;
  readonly traceback: readonly string[];
  readonly lineNumber?: number;
}

/** How a run ended. */
export type Ending =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  /** `json` is JSON text, digits as the guest wrote them. */
  | { readonly kind: "json"; readonly json: string }
  | { readonly kind: "error"; readonly error: GuestError }
  | { readonly kind: "limit"; readonly limit: LimitName; readonly traceback: readonly string[] }
  /** A trap that is no limit. */
  | { readonly kind: "crash" };

/** What came of a run. */
export interface RunOutcome {
  readonly ending: Ending;
  /** Fuel used, at most the limit. */
  readonly fuelConsumed: number;
  /** Linear memory at the end of the run, in bytes. */
  readonly memoryBytes: number;
  /** Time inside the engine in milliseconds, preparation of the source included. */
  readonly durationMs: number;
  /** False when the interpreter was left in the middle of things: only a reset leads on. */
  readonly intact: boolean;
}

/** An interpreter that holds its baseline image and runs one program at a time. */
export interface Engine {
  readonly language: Language;
  /** False when the process should be replaced: it holds, or has met, what a reset does not mend. */
  readonly healthy: boolean;
  /** Runs a program from the state the engine is in. Never throws for anything a guest does. */
  run(request: RunRequest, output: OutputSink): RunOutcome;
  /** Puts the baseline back: not a byte of earlier runs is left. */
  reset(): void;
  /** What contexts are made of. Absent where the language has none. */
  readonly state?: EngineState;
}

/** A built engine: everything an isolate needs to run it, as opaque bytes. */
export interface EngineArtifact {
  readonly language: Language;
  /** Names the build: changes whenever the metered module or the image changes. */
  readonly build: string;
  /** The metered WebAssembly module. */
  readonly module: Uint8Array<ArrayBuffer>;
  /** The baseline image, in the engine's own format. */
  readonly image: Uint8Array<ArrayBuffer>;
  /** What else the engine wants, in an order it knows; may be none. */
  readonly extras: readonly Uint8Array<ArrayBuffer>[];
}
