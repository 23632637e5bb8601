/**
 * The WASI host (preview 1) for the engines that are WASI modules: all that Perl and Ruby
 * import, on the one guest file system, in virtual time.
 *
 * It is written by hand because the existing library, `@bjorn3/browser_wasi_shim`, would have to be
 * replaced piece by piece: it knows no quotas, sleeps by spinning, shows the standard streams
 * as a terminal, has no file times, and its table of descriptors cannot be closed and
 * reopened. The file system, which is most of the code, is shared with the other languages.
 *
 * A host lives as long as its engine and serves one instance at a time. What the guest writes
 * to 1 and 2 reaches the run's sink within the call, as raw bytes; standard input holds what the
 * run was given. Exceptions that no guest can catch end a run from inside a call: `proc_exit`
 * (`ProcessExit`), a limit (`RunStopped`), and imports that are not listed here.
 *
 * `runtimes/files/wasi/` owns preview 1 at the boundary of a module: its calls, their numbers and
 * records, their cost. It must not know which interpreter the module holds.
 *
 * @module
 */
import { RunClock, type TimeSource } from "../../engine/clock.ts";
import type { AnswerText } from "../../engine/call_lines.ts";
import type { LimitName, OutputSink, RunRequest } from "../../engine/engine.ts";
import type { ProgramCalls } from "../../engine/program_calls.ts";
import { callFiles } from "../call_device.ts";
import type { Stream } from "../devices.ts";
import type { FileLimits } from "../file_limits.ts";
import type { GuestFileSystem } from "../guest_file_system.ts";
import { createGuestFileSystem } from "../memory_file_system.ts";
import { WASI_MODULE } from "./abi.ts";
import { descriptorCalls } from "./descriptor_calls.ts";
import { ForbiddenImportError, RunStopped } from "./errors.ts";
import type { MemorySize } from "../../engine/memory_size.ts";
import { GuestMemory } from "./guest_memory.ts";
import { pathCalls } from "./path_calls.ts";
import { systemCalls } from "./system_calls.ts";

/** The options of a host. */
export interface WasiHostOptions {
  readonly time: TimeSource;
  /** Fills at most 64 KiB with random bytes; during a boot, always with the same ones. */
  readonly random: (into: Uint8Array<ArrayBuffer>) => void;
  /** The environment that the C library reads once, when it starts. @default {empty} */
  readonly env?: ReadonlyMap<string, string>;
  /** Charges fuel to the instance that is being served. */
  readonly charge: (units: number) => void;
  /**
   * The lowest descriptor for files that the guest opens. Lower ones are reserved, for a guest
   * whose C library assigns numbers of its own.
   * @default {4}
   */
  readonly firstDescriptor?: number;
  /** Called with the milliseconds of virtual time that the guest slept. */
  readonly slept?: (ms: number) => void;
  /** Sets an alarm of the guest, in seconds; 0 for none. */
  readonly alarm?: (seconds: number) => void;
  /** Fuel that the instance has left; needed for runs with calls. */
  readonly fuelLeft?: () => bigint;
  /** The form in which the driver reads answers to calls. @default {JSON} */
  readonly answerText?: AnswerText;
  /** Limits of the files. */
  readonly fileLimits?: Partial<FileLimits>;
}

/** The parts of a request that concern the host; its limits when it has calls. */
type StartedRun = Partial<Pick<RunRequest, "stdin" | "clock" | "notebook" | "calls" | "limits">>;

/** The first descriptor after the standard streams. */
const PREOPENED = 3;
const FIRST_FREE = PREOPENED + 1;
const MAX_RANDOM_BYTES = 65_536;
const NO_OUTPUT: OutputSink = () => true;

/** The host of one engine. */
export class WasiHost {
  readonly files: GuestFileSystem;
  readonly clock: RunClock;
  /** The calls, for import under the name of preview 1. */
  readonly calls: WebAssembly.ModuleImports;
  readonly #options: WasiHostOptions;
  readonly #memory = new GuestMemory();
  #size: MemorySize | undefined;
  readonly #randomBytes = new Uint8Array(MAX_RANDOM_BYTES);
  #output = NO_OUTPUT;
  #wallMs = Infinity;
  #stopped: LimitName | undefined;
  #calls: ProgramCalls | undefined;

  constructor(options: WasiHostOptions) {
    this.#options = options;
    this.clock = new RunClock(options.time);
    this.files = createGuestFileSystem({
      now: () => this.clock.epoch(),
      streams: { output: (stream, bytes) => this.#write(stream, bytes) },
      random: (into) => this.#randomDevice(into),
      ...(options.alarm === undefined ? {} : { alarm: options.alarm }),
      ...(options.fileLimits === undefined ? {} : { limits: options.fileLimits }),
    });
    const parts = {
      memory: this.#memory,
      files: this.files,
      clock: this.clock,
      preopened: PREOPENED,
      firstDescriptor: this.#firstDescriptor,
      env: options.env ?? new Map<string, string>(),
      random: (into: Uint8Array<ArrayBuffer>) => this.#random(into),
      charge: options.charge,
      sleep: (ms: number) => this.#sleep(ms),
    };
    this.calls = { ...descriptorCalls(parts), ...pathCalls(parts), ...systemCalls(parts) };
    this.#openRoot();
  }

  /** The limit that ended the run, if it is one that the host enforces. */
  get stopped(): LimitName | undefined {
    return this.#stopped;
  }

  /**
   * An import object for a module: these calls, those of `more`, and for all other imports of the
   * module a function that ends the run (`ForbiddenImportError`).
   */
  imports(
    module: WebAssembly.Module,
    more: Readonly<Record<string, WebAssembly.ModuleImports>> = {},
  ): WebAssembly.Imports {
    const given: Readonly<Record<string, WebAssembly.ModuleImports>> = {
      ...more,
      [WASI_MODULE]: this.calls,
    };
    const imports: Record<string, WebAssembly.ModuleImports> = {};
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
      const value = given[from]?.[name] ??
        (kind === "function" ? forbidden(from, name) : undefined);
      if (value === undefined) throw new TypeError(`The module imports a ${kind}: ${from} ${name}`);
      (imports[from] ??= {})[name] = value;
    }
    return imports;
  }

  /** Sets the instance to serve from now on. */
  attach(memory: WebAssembly.Memory, size: MemorySize): void {
    this.#memory.attach(memory, size);
    this.#size = size;
  }

  /**
   * Begins a run: the clock starts, sleeps are counted, output goes to the sink. Standard input
   * holds what the run got.
   */
  startRun(
    output: OutputSink,
    wallMs: number,
    { stdin, clock, notebook, calls, limits }: StartedRun = {},
  ): void {
    this.#output = output;
    this.#wallMs = wallMs;
    this.#stopped = undefined;
    this.endCalls();
    this.#calls = calls;
    const { fuelLeft = () => 0n, answerText } = this.#options;
    const fuel = BigInt(limits?.fuel ?? 0);
    calls?.begin({
      clock: this.clock,
      fuelUsed: () => Number(fuel - fuelLeft()),
      memoryBytes: () => this.#size?.bytes ?? 0,
      stop: (limit) => {
        throw this.#stop(limit);
      },
      moved: (ms) => this.#options.slept?.(ms),
    });
    this.clock.start(clock, calls);
    this.files.beginRun(stdin, notebook, calls && callFiles(calls, this.files, answerText));
  }

  /** From now on the program makes no calls and waits for nothing. */
  endCalls(): void {
    this.#calls?.end();
    this.#calls = undefined;
  }

  /** Ends a run whose files are kept: descriptors are closed, `/tmp` is emptied. */
  endRun(): void {
    this.endCalls();
    this.#output = NO_OUTPUT;
    this.files.endRun();
    this.#openRoot();
  }

  /** Removes everything that earlier runs left. */
  reset(): void {
    this.#output = NO_OUTPUT;
    this.#stopped = undefined;
    this.endCalls();
    this.files.reset();
    this.#openRoot();
  }

  get #firstDescriptor(): number {
    return this.#options.firstDescriptor ?? FIRST_FREE;
  }

  #openRoot(): void {
    const opened = this.files.open("/", { read: true, directory: true });
    if (opened !== PREOPENED) throw new TypeError("The root is not the first descriptor opened");
    for (let next = opened + 1; next < this.#firstDescriptor; next++) {
      this.files.descriptors.duplicate(opened);
    }
  }

  #random(into: Uint8Array<ArrayBuffer>): void {
    for (let at = 0; at < into.length; at += MAX_RANDOM_BYTES) {
      this.#options.random(into.subarray(at, at + MAX_RANDOM_BYTES));
    }
  }

  /** Uses one buffer, so that neither a long read nor many short ones take memory of the host. */
  #randomDevice(into: Uint8Array): void {
    for (let at = 0; at < into.length; at += MAX_RANDOM_BYTES) {
      const portion = this.#randomBytes.subarray(0, into.length - at);
      this.#options.random(portion);
      into.set(portion, at);
    }
  }

  #write(stream: Stream, bytes: Uint8Array): void {
    if (!this.#output(stream, bytes.slice())) throw this.#stop("output");
  }

  #sleep(ms: number): void {
    this.clock.sleep(ms);
    if (this.clock.skipped > this.#wallMs) throw this.#stop("wall clock");
    if (this.#calls === undefined) this.#options.slept?.(ms);
  }

  #stop(limit: LimitName): RunStopped {
    this.#stopped ??= limit;
    return new RunStopped(limit);
  }
}

function forbidden(module: string, name: string): () => never {
  return () => {
    throw new ForbiddenImportError(`${module} ${name}`);
  };
}
