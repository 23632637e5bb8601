/**
 * The machine that a guest runs on: an instance of the interpreter with its memory, files, clock
 * and the state of the current run.
 *
 * @module
 */
import { RunClock, type TimeSource } from "../../../engine/clock.ts";
import type { OutputSink } from "../../../engine/engine.ts";
import type { PackedFile } from "../../../engine/packed_library.ts";
import type { ProgramCalls } from "../../../engine/program_calls.ts";
import { callFiles } from "../../../files/call_device.ts";
import type { Stream } from "../../../files/devices.ts";
import type { FileLimits } from "../../../files/file_limits.ts";
import type { GuestFileSystem } from "../../../files/guest_file_system.ts";
import type { DirectoryInode } from "../../../files/inode.ts";
import { createGuestFileSystem } from "../../../files/memory_file_system.ts";
import { CPython } from "./cpython.ts";
import { Alarm, type AlarmClock } from "./alarm.ts";
import { GuestMemory } from "./guest_memory.ts";
import type { GuestProcess, Stop } from "./guest_process.ts";
import { hostImports } from "./imports.ts";
import { type Libraries, NO_LIBRARIES } from "./library_table.ts";
import { addTrampoline } from "./trampoline.ts";

/** A file that the guest can read. */
export type ReadOnlyFile = readonly [path: string, bytes: Uint8Array];

/** The options of a machine. */
export interface MachineOptions {
  /** The metered interpreter. */
  readonly module: WebAssembly.Module;
  /** The helper of `trampoline.ts`. */
  readonly trampoline: WebAssembly.Module;
  readonly maximumPages: number;
  readonly time: TimeSource;
  /** Fills a buffer with secure random bytes. */
  random(target: Uint8Array): void;
  readonly readOnlyFiles: readonly PackedFile[];
  /** Native modules that are linked into the module. @default {none} */
  readonly libraries?: Libraries;
  /** Strings `NAME=value` of the C library's environment at a boot. */
  readonly environment?: readonly string[];
  readonly fileLimits?: Partial<FileLimits>;
}

/** How a run is bounded, what it reads and where its output goes. */
export interface RunBounds {
  readonly fuel: bigint;
  readonly wallMs: number;
  readonly output: OutputSink;
  /** The content of standard input. @default {nothing} */
  readonly input?: Uint8Array | undefined;
  /** Whether `/home/user` is a name of the workspace. @default {false} */
  readonly hasHome?: boolean | undefined;
  /** Epoch milliseconds at which the clock stands but for sleeps. @default {real time} */
  readonly clock?: number | undefined;
  /** The calls of the program. @default {it can make none} */
  readonly calls?: ProgramCalls | undefined;
}

const NO_OUTPUT: OutputSink = () => true;
/** Fuel for a byte of output: each byte goes through a pipe. */
const FUEL_PER_OUTPUT_BYTE = 16;
const RANDOM_PIECE_BYTES = 65_536;
const MS_PER_SECOND = 1000;
const DEFAULT_FILE_MODE_MASK = 0o022;
const FILE_TIME_MS = Date.UTC(2025, 0, 1);

/** One instance and its run. */
export class Machine implements GuestProcess {
  readonly memory: GuestMemory = new GuestMemory();
  readonly python: CPython;
  readonly files: GuestFileSystem;
  readonly clock: RunClock;
  readonly alarm: Alarm;
  readonly maximumPages: number;
  readonly environment: readonly string[];
  readonly libraries: Libraries;
  memoryRefused = false;
  /** Index of the helper in the function table. */
  readonly trampoline: number;
  workingDirectory: DirectoryInode;
  fileModeMask: number = DEFAULT_FILE_MODE_MASK;
  errorTextAt = 0;
  /** Why the host stopped the run, if it did. */
  stopped: Stop | undefined;
  /** Fuel that was left when the host stopped the run. */
  fuelAtStop = 0n;
  readonly #random: MachineOptions["random"];
  #output: OutputSink = NO_OUTPUT;
  #wallMs = Infinity;
  #calls: ProgramCalls | undefined;

  constructor(parts: MachineOptions) {
    this.maximumPages = parts.maximumPages;
    this.environment = parts.environment ?? [];
    this.libraries = parts.libraries ?? NO_LIBRARIES;
    this.clock = new RunClock(parts.time);
    this.alarm = new Alarm(this.#alarmClock());
    this.#random = parts.random;
    this.files = createGuestFileSystem({
      now: () => this.#fileTime(),
      stands: () => this.clock.stands,
      streams: { output: (stream, bytes) => this.#write(stream, bytes) },
      random: (into) => this.#fillRandom(into),
      ...(parts.fileLimits === undefined ? {} : { limits: parts.fileLimits }),
    });
    this.files.addReadOnly(parts.readOnlyFiles, FILE_TIME_MS);
    this.workingDirectory = this.files.workspace;
    this.python = new CPython(parts.module, hostImports(parts.module, this), this.memory);
    this.trampoline = addTrampoline(parts.trampoline, this.memory.memory, this.python.table);
  }

  /** Receives output outside of runs. */
  listen(output: OutputSink): void {
    this.#output = output;
  }

  /** Begins a run: starts the clock, directs output to the sink, sets the fuel. */
  startRun(bounds: RunBounds): void {
    this.stopped = undefined;
    this.memoryRefused = false;
    this.#output = bounds.output;
    this.#wallMs = bounds.wallMs;
    this.#beginCalls(bounds);
    this.clock.start(bounds.clock, bounds.calls);
    this.alarm.forget();
    const calls = bounds.calls && callFiles(bounds.calls, this.files);
    this.files.beginRun(bounds.input, bounds.hasHome, calls);
    this.python.fuel.value = bounds.fuel;
  }

  #beginCalls({ calls, fuel }: RunBounds): void {
    this.#endCalls();
    this.#calls = calls;
    calls?.begin({
      clock: this.clock,
      fuelUsed: () => Number(fuel - BigInt(this.python.fuel.value)),
      memoryBytes: () => this.memory.size.bytes,
      stop: (limit) => this.stop({ kind: "limit", limit }),
    });
  }

  #endCalls(): void {
    this.#calls?.end();
    this.#calls = undefined;
  }

  /** Allows reading the position of a stopped guest. Drops its output from now on. */
  beginPostMortem(fuel: bigint): void {
    this.#endCalls();
    this.stopped = undefined;
    this.#output = NO_OUTPUT;
    this.#wallMs = Infinity;
    this.python.fuel.value = fuel;
  }

  /** Forgets the run on the host's side: files, descriptors, directory, mask. */
  forgetRun(): void {
    this.#endCalls();
    this.stopped = undefined;
    this.#output = NO_OUTPUT;
    this.#wallMs = Infinity;
    this.files.reset();
    this.workingDirectory = this.files.workspace;
    this.fileModeMask = DEFAULT_FILE_MODE_MASK;
  }

  /** Ends a run but keeps its files. Resets the rest of the process's state. */
  endRun(): void {
    this.#endCalls();
    this.#output = NO_OUTPUT;
    this.#wallMs = Infinity;
    this.files.endRun();
    this.fileModeMask = DEFAULT_FILE_MODE_MASK;
  }

  errorNumberAt(): number {
    return this.python.fn.__errno_location() >>> 0;
  }

  random(into: Uint8Array<ArrayBuffer>): void {
    this.#random(into);
  }

  charge(units: number): void {
    if (this.stopped !== undefined) return;
    const { fuel } = this.python;
    fuel.value = BigInt(fuel.value) - BigInt(units);
  }

  sleep(ms: number): void {
    this.clock.sleep(ms);
    this.#checkSkipped();
  }

  /** Advances the clock, which takes no real time in any run. */
  #skip(ms: number): void {
    this.clock.skip(ms);
    this.#checkSkipped();
  }

  #checkSkipped(): void {
    if (this.clock.skipped > this.#wallMs) this.stop({ kind: "limit", limit: "wall clock" });
  }

  stop(reason: Stop): void {
    if (this.stopped !== undefined) return;
    this.stopped = reason;
    this.fuelAtStop = BigInt(this.python.fuel.value);
    this.python.fuel.value = -1n;
  }

  allocate(bytes: number): number {
    return this.python.fn.malloc(bytes) >>> 0;
  }

  functionAt(index: number): unknown {
    return index < this.python.table.length ? this.python.table.get(index) : undefined;
  }

  #alarmClock(): AlarmClock {
    const fuel = () => BigInt(this.python.fuel.value);
    return {
      clock: this.clock,
      get fuel() {
        return fuel();
      },
      charge: (units) => this.charge(units),
      sleep: (ms) => this.#skip(ms),
      askForSignals: (isWanted) =>
        this.memory.setU32(this.python.address("signalHandling"), Number(isWanted)),
    };
  }

  /**
   * The time for a file, in milliseconds. It is never a whole second: imports read the times of
   * directories, and a whole second would cost them less fuel than other times.
   */
  #fileTime(): number {
    const now = this.clock.epoch();
    return Math.floor(now) % MS_PER_SECOND === 0 ? now + 1 : now;
  }

  #write(stream: Stream, bytes: Uint8Array): void {
    this.charge(bytes.length * FUEL_PER_OUTPUT_BYTE);
    if (this.stopped === undefined && !this.#output(stream, bytes)) {
      this.stop({ kind: "limit", limit: "output" });
    }
  }

  /**
   * Fills a read of a random device. The file system charges it. Works in pieces, so that a large
   * read takes no memory of the host.
   */
  #fillRandom(into: Uint8Array): void {
    const piece = new Uint8Array(Math.min(into.length, RANDOM_PIECE_BYTES));
    for (let at = 0; at < into.length; at += piece.length) {
      this.#random(piece);
      into.set(piece.subarray(0, into.length - at), at);
    }
  }
}
