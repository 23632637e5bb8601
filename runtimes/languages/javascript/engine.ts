/**
 * The JavaScript engine: QuickJS-ng behind the `Engine` interface. Each run starts from the
 * baseline. An instance that trapped, or has too much memory to spare, is discarded.
 *
 * `runtimes/languages/javascript/` owns JavaScript and TypeScript. It holds the engine, its host
 * services and the preparation of sources (`host/`), and the guest environment (`guest/`). The guest
 * environment is bundled and runs inside QuickJS; host code does not import it. Nothing here depends on other languages.
 *
 * @module
 */
import {
  type Ending,
  type Engine,
  hasInput,
  type OutputSink,
  type RunOutcome,
  type RunRequest,
} from "../../engine/engine.ts";
import type { RunClock } from "../../engine/clock.ts";
import { EngineRuns, type ExecutionReport } from "../../engine/engine_runs.ts";
import type { Stream } from "../../files/devices.ts";
import { callFiles } from "../../files/call_device.ts";
import type { GuestFileSystem } from "../../files/guest_file_system.ts";
import { WORKSPACE } from "../../../client/protocol/paths.ts";
import { GuestHeap } from "../../engine/guest_heap.ts";
import { CHUNK_HEAD_BYTES } from "../../engine/heap_chunks.ts";
import { Baseline } from "../../engine/baseline.ts";
import { growMemory, type MemoryImage } from "../../engine/image.ts";
import { WASM_PAGE_BYTES } from "../../../wasm/metering/wasm_page.ts";
import type { HostServices } from "./host/host_calls.ts";
import {
  type ImageHead,
  Instance,
  type InstanceOptions,
  MODULE_STACK_BYTES,
} from "./host/instance.ts";
import { mapPositions } from "./host/positions.ts";
import { EVAL_GLOBAL } from "./host/quickjs_abi.ts";
import { ForbiddenImportError } from "./host/quickjs_imports.ts";
import { type Program, Run } from "./host/run.ts";
import type { RunRandom } from "../../engine/run_random.ts";
import type { EngineState } from "../../engine/snapshot/engine_state.ts";
import { trimTraceback } from "../../engine/traceback.ts";
import type { Preparer } from "./host/source/prepare.ts";

/** The options of the engine. */
export interface JavaScriptEngineOptions {
  readonly module: WebAssembly.Module;
  readonly image: MemoryImage<ImageHead>;
  /** Bytes of linear memory a guest may have. */
  readonly memoryBytes: number;
  /** Bytes of shadow stack a guest may use. */
  readonly stackBytes: number;
  readonly clock: RunClock;
  /** The guest's files, which the services serve. */
  readonly files: GuestFileSystem;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
  /** The source behind the random bytes of the services. */
  readonly random: Pick<RunRandom, "start">;
  readonly services: HostServices;
  readonly preparer: Preparer;
  /**
   * Called at each reset: services must drop what they keep for a run. `isReplaced`: the instance
   * was discarded, so its memory, up to all that a guest may have, is garbage.
   */
  readonly onReset: (isReplaced: boolean) => void;
}

/** Name of the script of a guest's first run. */
const FIRST_SCRIPT = "main.js";
/** A frame in one of the guest's scripts. */
const SCRIPT_LINE = /\bmain(?:-\d+)?\.js:\d/;
/** A script that asks for the last match of any regular expression. */
const LAST_MATCH =
  /\bRegExp\s*(?:\.\s*(?:\$[1-9_]|lastMatch|lastParen|leftContext|rightContext|input\b)|\[\s*["'`]\$)/;
/** Evaluated in a stopped guest to find where it stopped. */
const POST_MORTEM_FUEL = 2_000_000n;

/** Runs JavaScript and TypeScript. */
export class JavaScriptEngine implements Engine {
  readonly language = "javascript";
  readonly state: EngineState;
  readonly #options: InstanceOptions;
  readonly #baseline: Baseline<ImageHead>;
  readonly #preparer: Preparer;
  readonly #runs: EngineRuns;
  readonly #onReset: (isReplaced: boolean) => void;
  #interpreter: Instance;

  constructor(parts: JavaScriptEngineOptions) {
    this.#options = {
      module: parts.module,
      maximumPages: Math.floor(parts.memoryBytes / WASM_PAGE_BYTES),
      stackBytes: parts.stackBytes,
      clock: parts.clock,
      services: parts.services,
    };
    this.#baseline = new Baseline(parts.image);
    this.#preparer = parts.preparer;
    this.#runs = new EngineRuns({
      monotonic: parts.monotonic,
      random: parts.random,
      memoryBytes: () => this.#interpreter.js.size.bytes,
      restore: (isBroken) => this.#restore(isBroken),
      execute: (request, fuel, output) => this.#prepareAndRun(request, fuel, output),
    });
    this.#onReset = parts.onReset;
    this.#interpreter = new Instance(this.#options, this.#baseline);
    this.state = this.#createState(parts.files);
  }

  /** False when this process should be replaced because the source preparer has trapped. */
  get healthy(): boolean {
    return this.#preparer.healthy;
  }

  /** Receives the current run's output that is written through the guest's files. */
  write(stream: Stream, bytes: Uint8Array): void {
    this.#interpreter.write(stream, bytes);
  }

  reset(): void {
    this.#runs.reset();
  }

  run(request: RunRequest, output: OutputSink): RunOutcome {
    return this.#runs.run(request, output);
  }

  #restore(isBroken: boolean): void {
    const restored = !isBroken && this.#interpreter.restore(this.#baseline);
    if (!restored) this.#interpreter = new Instance(this.#options, this.#baseline);
    this.#preparer.reset();
    this.#onReset(!restored);
  }

  /** Between runs, the stack pointer (the only other mutable global) has its baseline value. */
  #createState(files: GuestFileSystem): EngineState {
    const heap = new GuestHeap(
      this.#interpreter.js.bytes,
      this.#baseline.head.stackPointer - MODULE_STACK_BYTES - CHUNK_HEAD_BYTES,
    );
    return {
      baseline: this.#baseline,
      files,
      clock: this.#options.clock,
      memory: () => this.#interpreter.js.guestBytes,
      liveSpans: () => this.#interpreter.liveSpans(heap),
      globals: () => ({}),
      setGlobals: () => undefined,
      beginRestore: (bytes) => {
        this.#runs.touch();
        growMemory(this.#interpreter.js.size, bytes, this.#options.maximumPages);
      },
      endRun: () => files.endRun(),
      workingDirectory: () => this.#interpreter.workingDirectory,
    };
  }

  #prepareAndRun(request: RunRequest, fuel: bigint, output: OutputSink): ExecutionReport {
    const prepared = this.#preparer.prepare(request.code, request);
    if (!prepared.ok) {
      return { ending: { kind: "error", error: prepared.error }, fuelLeft: fuel };
    }
    this.#runs.touch();
    const interpreter = this.#interpreter;
    let program: Program = { source: prepared.source, scriptName: FIRST_SCRIPT };
    const ending = this.#guarded(() => {
      interpreter.startRun(output, request);
      const { stdin, notebook, calls } = request;
      const { files } = this.state;
      files.beginRun(stdin, notebook, calls && callFiles(calls, files));
      interpreter.js.fuel.value = fuel;
      const hasOwnClock = request.inContext === true && request.clock !== undefined;
      if (hasOwnClock) this.#setClock("begin");
      program = { ...program, scriptName: this.#begin(request) };
      const ended = new Run(interpreter, program, request).execute();
      if (hasOwnClock) this.#setClock("end");
      return ended;
    });
    const fuelLeft = interpreter.stopped === undefined
      ? BigInt(interpreter.js.fuel.value)
      : interpreter.fuelAtStop;
    const { isBroken } = this.#runs;
    return { ending: isBroken ? this.#postMortem(ending, program, request) : ending, fuelLeft };
  }

  /**
   * Lets the driver begin a run, which may find state that earlier runs left. Returns the script's
   * name.
   */
  #begin(request: RunRequest): string {
    const { js, driver } = this.#interpreter;
    const setup = js.newString(JSON.stringify({
      env: [...request.env],
      cwd: request.cwd ?? WORKSPACE,
      notesMatches: LAST_MATCH.test(request.code),
      ...(hasInput(request) ? { hasInput: true } : {}),
      ...(request.repr ? { wantsRepr: true } : {}),
      ...(request.calls === undefined ? {} : { calls: { tools: request.calls.head.tools } }),
    }));
    const result = js.call(driver.begin, [setup]);
    const error = js.exception(result);
    const scriptName = error === undefined ? js.text(result) : undefined;
    for (const value of [setup, result]) js.release(value);
    if (error !== undefined) js.release(error);
    return scriptName ?? FIRST_SCRIPT;
  }

  #setClock(moment: "begin" | "end"): void {
    const { js, driver: { setClock } } = this.#interpreter;
    const text = js.newString(moment);
    for (const value of [js.call(setClock, [text]), text]) js.release(value);
  }

  /** Runs the guest and returns the result; a trap becomes a result too. */
  #guarded(run: () => Ending): Ending {
    try {
      return run();
    } catch (error) {
      this.#runs.break();
      return this.#endingOf(error);
    }
  }

  /** Translates a trap, or a host exception that passed through the guest, into an ending. */
  #endingOf(error: unknown): Ending {
    const { stopped, js } = this.#interpreter;
    if (stopped !== undefined) return { kind: "limit", limit: stopped, traceback: [] };
    if (BigInt(js.fuel.value) < 0n) return { kind: "limit", limit: "fuel", traceback: [] };
    if (error instanceof ForbiddenImportError && this.#interpreter.memoryExhausted) {
      // when memory runs out in the middle of QuickJS's own work, one of its assertions fails
      return { kind: "limit", limit: "memory", traceback: [] };
    }
    if (!(error instanceof RangeError)) return { kind: "crash" };
    if (error.message === "out of memory") {
      return { kind: "limit", limit: "memory", traceback: [] };
    }
    return {
      kind: "error",
      error: { name: "RangeError", message: "Maximum call stack size exceeded", traceback: [] },
    };
  }

  /** Adds the position at which the guest was stopped, if it can still be found. */
  #postMortem(ending: Ending, { source, scriptName }: Program, request: RunRequest): Ending {
    this.#interpreter.endCalls();
    if (ending.kind !== "limit") return ending;
    const interpreter = this.#interpreter;
    const { js } = interpreter;
    interpreter.stopped = undefined;
    try {
      js.fuel.value = POST_MORTEM_FUEL;
      interpreter.openReserve();
      const stack = js.evaluate("new Error().stack", "belljar:stop", EVAL_GLOBAL);
      const text = js.text(stack) ?? "";
      const lines = text.split("\n").filter((line) => SCRIPT_LINE.test(line));
      const { tracebackBytes } = request.limits;
      const mapped = mapPositions(lines, { name: scriptName, lineOf: (n) => source.lineOf(n) });
      return { ...ending, traceback: trimTraceback(mapped, tracebackBytes) };
    } catch {
      return ending; // the trap may have left memory in a state that cannot be queried
    }
  }
}
