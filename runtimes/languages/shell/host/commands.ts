/**
 * Commands of other languages: the functions of the host that the module imports to run one on the
 * same files while its instance waits. The module is not trusted: what it says is checked here.
 *
 * @module
 */
import {
  COMMAND_LIMITS,
  type CommandOutcome,
  type CommandPort,
  type LiveStreams,
  type LiveWriter,
} from "../../../engine/program_command.ts";
import { FileError } from "../../../files/file_error.ts";
import { RunStopped } from "../../../files/wasi/errors.ts";
import type { GuestFileSystem } from "../../../files/guest_file_system.ts";
import { allFiles, changeFiles } from "../../../files/program_files.ts";

/** Takes output of the run. False when a limit ends the run. */
type TakeOutput = (stream: 1 | 2, bytes: Uint8Array<ArrayBuffer>) => boolean;

/** The parts of the host that the functions use. */
export interface CommandsOptions {
  readonly files: GuestFileSystem;
  /** A copy of bytes of the guest's memory; undefined when they are not in it. */
  bytes(pointer: number, length: number): Uint8Array<ArrayBuffer> | undefined;
  /** Writes to the guest's memory. False when there is no such place. */
  put(pointer: number, bytes: Uint8Array): boolean;
  /** Fuel that is left. */
  fuel(): number;
  /** Charges fuel. */
  charge(units: number): void;
}

const NOTHING = { stdout: new Uint8Array(), stderr: new Uint8Array() };
/** Exit codes of the shell for a command that cannot run, and one that is not there. */
const CANNOT_RUN = 126;
const ABSENT = 127;
/** Fuel of a command itself, and of each byte that crosses. */
const COMMAND_FUEL = 20_000_000;
const BYTE_FUEL = 40;
/** Where output of a program goes while it runs: bits of the last argument of `command`. */
const LIVE_STDOUT = 1;
const LIVE_STDERR = 2;
/** Standard error goes where standard output goes. */
const LIVE_JOINED = 4;
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });
const ENCODER = new TextEncoder();

/** The commands of the runs of one instance. */
export class LanguageCommands {
  /** Where the commands of the run go; absent: there are no other languages. */
  port: CommandPort | undefined;
  readonly #options: CommandsOptions;
  #take: TakeOutput = () => false;
  #commands = 0;
  #written: Pick<CommandOutcome, "stdout" | "stderr"> = NOTHING;

  constructor(options: CommandsOptions) {
    this.#options = options;
  }

  /** Begins a run, whose output `take` gets. */
  begin(port: CommandPort | undefined, take: TakeOutput): void {
    this.port = port;
    this.#take = take;
    this.#commands = 0;
    this.#written = NOTHING;
  }

  /** The functions that the module imports. */
  readonly imports: WebAssembly.ModuleImports = {
    command: (...parts: number[]) => this.#run(parts),
    written_length: (stream: number) => this.#stream(stream).length,
    take_written: (stream: number, to: number) => {
      this.#options.put(to >>> 0, this.#stream(stream));
      this.#written = stream === 1 ? { ...this.#written, stdout: NOTHING.stdout } : NOTHING;
    },
  };

  #stream(stream: number): Uint8Array {
    return stream === 1 ? this.#written.stdout : this.#written.stderr;
  }

  /**
   * Runs a command, given as addresses and lengths of its four parts, and its live streams. Returns its
   * exit code.
   */
  #run(parts: readonly number[]): number {
    const { files, fuel, charge } = this.#options;
    this.#written = NOTHING;
    const [words, variables, directory, input] = [0, 2, 4, 6].map((at) =>
      this.#bytes(parts[at], parts[at + 1])
    );
    if (words === undefined || variables === undefined || directory === undefined) {
      return CANNOT_RUN;
    }
    const order = {
      words: endedByNul(words),
      variables: endedByNul(variables).map(pairOf),
      directory: DECODER.decode(directory),
      input: input ?? new Uint8Array(),
    };
    const name = order.words[0] ?? "";
    if (this.port === undefined) return this.#refuse(name, "is not in this service", ABSENT);
    if (words.length + variables.length > COMMAND_LIMITS.wordBytes) {
      return this.#refuse(name, "Argument list too long", CANNOT_RUN);
    }
    if (order.words.length + order.variables.length > COMMAND_LIMITS.words) {
      return this.#refuse(name, "Argument list too long", CANNOT_RUN);
    }
    if (input === undefined || input.length > COMMAND_LIMITS.inputBytes) {
      const most = COMMAND_LIMITS.inputBytes;
      return this.#refuse(name, `its standard input has more than ${most} bytes`, CANNOT_RUN);
    }
    if (++this.#commands > COMMAND_LIMITS.commands) {
      const most = COMMAND_LIMITS.commands;
      return this.#refuse(name, `a run starts at most ${most} programs`, CANNOT_RUN);
    }
    const all = allFiles(files);
    const bytes = all.files.reduce((sum, file) => sum + file.bytes.length, input.length);
    charge(COMMAND_FUEL + bytes * BYTE_FUEL);
    const left = fuel();
    if (left < 0) return CANNOT_RUN; // the instance traps when it goes on
    const live = liveStreams(parts[8] ?? 0);
    const taken = new TakenOutput(this.#take);
    const outcome = this.port.run({ ...order, fuel: left, live }, all, taken.write);
    charge(outcome.fuel + taken.bytes * BYTE_FUEL);
    if (taken.isFull) throw new RunStopped("output");
    try {
      changeFiles(files, outcome.changes);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return this.#refuse(name, `its files do not fit: ${error.code}`, CANNOT_RUN);
    }
    this.#written = outcome;
    return outcome.exitCode;
  }

  #refuse(name: string, reason: string, exitCode: number): number {
    this.#written = { ...NOTHING, stderr: ENCODER.encode(`${name}: ${reason}\n`) };
    return exitCode;
  }

  #bytes(pointer = 0, length = 0): Uint8Array<ArrayBuffer> | undefined {
    return this.#options.bytes(pointer >>> 0, length >>> 0);
  }
}

/** The output of one program, until the run takes no more. */
class TakenOutput {
  isFull = false;
  bytes = 0;
  readonly #take: TakeOutput;

  constructor(take: TakeOutput) {
    this.#take = take;
  }

  /** Once the run takes no more, the program goes on to its own end: its outcome follows anyway. */
  readonly write: LiveWriter = (stream, bytes) => {
    this.bytes += bytes.length;
    this.isFull ||= !this.#take(stream === "stdout" ? 1 : 2, bytes);
  };
}

function liveStreams(bits: number): LiveStreams {
  const joined = (bits & LIVE_JOINED) === 0 ? "stderr" : "stdout";
  return {
    ...((bits & LIVE_STDOUT) === 0 ? {} : { stdout: "stdout" }),
    ...((bits & LIVE_STDERR) === 0 ? {} : { stderr: joined }),
  };
}

function endedByNul(bytes: Uint8Array): readonly string[] {
  return DECODER.decode(bytes).split("\0").slice(0, -1);
}

function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
