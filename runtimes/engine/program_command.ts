/**
 * A command of another language that a program of the shell starts, such as `python x.py`: the order
 * to run it, and its outcome. Both cross between the isolate of the shell and the parent process.
 *
 * @module
 */
/** A file below `/workspace` or `/tmp`. */
export interface ProgramFile {
  /** Absolute. */
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly mtimeMs: number;
  readonly bytes: Uint8Array;
}

/** Changes of files, or all of them. Paths are absolute. */
export interface FileChanges {
  /** Paths that no longer exist, or exist as another kind. */
  readonly removed: readonly string[];
  readonly dirs: readonly string[];
  readonly files: readonly ProgramFile[];
}

/** A stream of output. */
export type OutputStream = "stdout" | "stderr";

/**
 * The streams of a program that go to its run while the program runs, and where each goes. Output of
 * the others comes with the outcome.
 */
export interface LiveStreams {
  readonly stdout?: OutputStream | undefined;
  readonly stderr?: OutputStream | undefined;
}

/** Takes output of a program while it runs. */
export type LiveWriter = (stream: OutputStream, bytes: Uint8Array<ArrayBuffer>) => void;

/** A command. */
export interface CommandOrder {
  /** The name of the program, then its arguments. */
  readonly words: readonly string[];
  readonly variables: readonly (readonly [name: string, value: string])[];
  /** Absolute path. */
  readonly directory: string;
  readonly input: Uint8Array<ArrayBuffer>;
  /** Fuel that is left to the run. */
  readonly fuel: number;
  readonly live: LiveStreams;
}

/** The end of a command. */
export interface CommandOutcome {
  /** 0 to 255. */
  readonly exitCode: number;
  /** Output that was not written live. */
  readonly stdout: Uint8Array<ArrayBuffer>;
  readonly stderr: Uint8Array<ArrayBuffer>;
  /** Fuel that it used. */
  readonly fuel: number;
  readonly changes: FileChanges;
}

/** The way from an engine to the programs of other languages. */
export interface CommandPort {
  /**
   * Runs a command on the given files; blocks until it has ended. `write` gets the output of its live
   * streams meanwhile, and must not throw.
   */
  run(order: CommandOrder, files: FileChanges, write: LiveWriter): CommandOutcome;
}

/** Limits of the commands of one run. */
export const COMMAND_LIMITS = {
  /** Commands. */
  commands: 1_000,
  /** Words of a command, and its variables. */
  words: 10_000,
  /** Bytes of words and variables together. */
  wordBytes: 2 * 1024 * 1024,
  /** Bytes of standard input. */
  inputBytes: 16 * 1024 * 1024,
  /** Bytes of both streams of output together. */
  outputBytes: 8 * 1024 * 1024,
} as const;
