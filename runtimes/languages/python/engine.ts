/**
 * The Python engine: CPython behind the engine port. Each run starts from one of two baselines of the
 * same module: the plain one, or one in which packages for data work are imported already. An
 * instance with too much memory to spare is given up after the run.
 *
 * When V8's own stack overflows before Python can raise an exception, the run is reported as the
 * RecursionError that it is, and the baseline is restored. Examples: hashing a tuple nested a
 * hundred thousand deep, source with tens of thousands of chained operators, long chains of
 * `itertools.chain` and `map`.
 *
 * `runtimes/languages/python/` owns Python: the engine, the functions that the module imports
 * (`host/`), the driver that runs inside the interpreter (`driver/`) and the packing of its library
 * (`library/`). It must not know of other languages.
 *
 * @module
 */
import type { TimeSource } from "../../engine/clock.ts";
import {
  type Ending,
  type Engine,
  type GuestError,
  hasInput,
  type OutputSink,
  type RunOutcome,
  type RunRequest,
} from "../../engine/engine.ts";
import { EngineRuns, type ExecutionReport } from "../../engine/engine_runs.ts";
import { pathOf } from "../../files/inode.ts";
import { WORKSPACE } from "../../../client/protocol/paths.ts";
import { GuestHeap } from "../../engine/guest_heap.ts";
import { firstChunk } from "../../engine/heap_chunks.ts";
import { Baseline } from "../../engine/baseline.ts";
import { growMemory, type MemoryImage } from "../../engine/image.ts";
import { RunRandom } from "../../engine/run_random.ts";
import type { EngineState } from "../../engine/snapshot/engine_state.ts";
import { trimTraceback } from "../../engine/traceback.ts";
import { readAnswer } from "./host/answer.ts";
import type { Stop } from "./host/guest_process.ts";
import type { ImageHead } from "./host/image_head.ts";
import { Instance } from "./host/instance.ts";
import type { MachineOptions } from "./host/machine.ts";
import { type LineSource, tracebackOfStop } from "./host/post_mortem.ts";
import { encodeRequest, type RunKind } from "./host/request.ts";

/** The options of the engine. */
export interface PythonEngineOptions extends MachineOptions {
  readonly image: MemoryImage<ImageHead>;
  /** The second baseline: the pages that differ from the first. @default {none} */
  readonly preloaded?: MemoryImage<ImageHead> | undefined;
  readonly time: TimeSource;
  /**
   * Frees the memory of given-up instances. Without it the process asks to be replaced once that
   * memory may be large: V8 frees it late.
   */
  readonly collectGarbage?: (() => void) | undefined;
}

/** Memory of given-up instances that a process may hold, in bytes. */
const MAX_ABANDONED_BYTES = 256 * 1024 * 1024;

const RECURSION: GuestError = {
  name: "RecursionError",
  message: "maximum recursion depth exceeded",
  traceback: [],
};
/** The driver itself failed: the guest used up the memory, or broke the interpreter's own objects. */
const UNDESCRIBED: GuestError = {
  name: "SystemError",
  message: "The result could not be described",
  traceback: [],
};

/** Runs Python. */
export class PythonEngine implements Engine {
  readonly language = "python";
  readonly state: EngineState;
  readonly #options: MachineOptions & Pick<PythonEngineOptions, "collectGarbage">;
  readonly #plain: Baseline<ImageHead>;
  readonly #preloadedImage: MemoryImage<ImageHead> | undefined;
  /** Made at its first use. */
  #preloaded: Baseline<ImageHead> | undefined;
  /** The baseline of the present run, or of the last one. */
  #baseline: Baseline<ImageHead>;
  /** Undefined while a given-up instance is collected. */
  #current: Instance | undefined;
  readonly #runs: EngineRuns;
  #abandonedBytes = 0;

  constructor(options: PythonEngineOptions) {
    const random = new RunRandom(options.random);
    const { image, preloaded, ...rest } = options;
    this.#options = { ...rest, random: random.fill };
    this.#plain = new Baseline(image);
    this.#preloadedImage = preloaded;
    this.#baseline = this.#plain;
    this.#current = new Instance(this.#options, this.#baseline);
    this.#runs = new EngineRuns({
      monotonic: () => this.#options.time.monotonic(),
      random,
      memoryBytes: () => this.#interpreter.machine.memory.size.bytes,
      restore: () => this.#restore(),
      execute: (request, fuel, output) => this.#execute(request, fuel, output),
    });
    this.state = this.#createState();
  }

  get #interpreter(): Instance {
    return this.#current ??= new Instance(this.#options, this.#baseline);
  }

  /** False when this process should be replaced: it holds too much unusable memory. */
  get healthy(): boolean {
    return this.#abandonedBytes <= MAX_ABANDONED_BYTES;
  }

  reset(preloaded?: boolean): void {
    const baseline = preloaded === undefined ? this.#baseline : this.#baselineFor(preloaded);
    if (baseline !== this.#baseline) this.#runs.touch();
    this.#baseline = baseline;
    this.#runs.reset();
  }

  #baselineFor(preloaded: boolean): Baseline<ImageHead> {
    if (!preloaded) return this.#plain;
    if (this.#preloadedImage === undefined) throw new RangeError("There is no second baseline");
    return this.#preloaded ??= new Baseline(this.#preloadedImage, this.#plain);
  }

  run(request: RunRequest, output: OutputSink): RunOutcome {
    return this.#runs.run(request, output);
  }

  #restore(): void {
    const abandoned = this.#putBack();
    if (abandoned > 0 && this.#options.collectGarbage !== undefined) this.#options.collectGarbage();
    else this.#abandonedBytes += abandoned;
    this.#current = this.#interpreter;
  }

  /**
   * Puts the instance back to its baseline, or gives it up and returns the size of its memory. It is
   * a separate function so that nothing on the caller's stack refers to the instance when it is
   * collected.
   */
  #putBack(): number {
    const interpreter = this.#interpreter;
    if (interpreter.restore(this.#baseline)) return 0;
    this.#current = undefined;
    return interpreter.machine.memory.bytes.length;
  }

  #execute(request: RunRequest, fuel: bigint, output: OutputSink): ExecutionReport {
    const isFirst = this.#runs.isPristine;
    this.#runs.touch();
    const { machine, lineOf } = this.#interpreter;
    const asked = encodeRequest(request, kindOf(request));
    machine.workingDirectory = machine.files.directory(request.cwd ?? WORKSPACE);
    machine.startRun({
      fuel,
      wallMs: request.limits.wallMs,
      output,
      input: request.stdin,
      hasHome: request.notebook,
      clock: request.clock,
      calls: request.calls,
    });
    const ending = this.#ask(asked, request);
    const fuelLeft = machine.stopped === undefined
      ? BigInt(machine.python.fuel.value)
      : machine.fuelAtStop;
    return {
      ending: this.#withTraceback(ending, request, isFirst ? request : { lineOf }),
      fuelLeft,
    };
  }

  /** The state asks for the present instance each time: a new one can replace it between runs. */
  #createState(): EngineState {
    const machine = () => this.#interpreter.machine;
    // without native modules, the heap begins where the stack does
    const { stackBase, heapBase = stackBase } = this.#baseline.head;
    const heap = new GuestHeap(machine().memory.bytes, firstChunk(heapBase));
    const baseline = () => this.#baseline;
    return {
      get baseline() {
        return baseline();
      },
      get files() {
        return machine().files;
      },
      get clock() {
        return machine().clock;
      },
      memory: () => machine().memory.guestBytes,
      liveSpans: () => this.#interpreter.liveSpans(heap),
      globals: () => this.#interpreter.globals(),
      setGlobals: (values) => this.#interpreter.setGlobals(values),
      beginRestore: (bytes) => {
        this.#runs.touch();
        growMemory(machine().memory.size, bytes, this.#options.maximumPages);
      },
      endRun: () => machine().endRun(),
      workingDirectory: () => pathOf(machine().workingDirectory),
    };
  }

  #ask(asked: Uint8Array, request: RunRequest): Ending {
    const { machine } = this.#interpreter;
    try {
      const answer = this.#interpreter.callDriver(machine.python.newBytes(asked));
      if (machine.stopped !== undefined) {
        this.#runs.break();
        return endingOfStop(machine.stopped);
      }
      if (this.#interpreter.stackOverflowed) {
        this.#runs.break();
        return { kind: "error", error: RECURSION };
      }
      return answer === undefined
        ? { kind: "error", error: UNDESCRIBED }
        : readAnswer(answer, request);
    } catch (error) {
      return this.#endingOfTrap(error);
    }
  }

  /** The meaning of a trap, or of a host exception that passed through the guest. */
  #endingOfTrap(error: unknown): Ending {
    this.#runs.break();
    const { stackOverflowed, machine: { stopped, python } } = this.#interpreter;
    // Python aborts when it notices too late how deep it is
    const tooDeep = stopped?.kind === "crash" && stackOverflowed;
    if (tooDeep) return { kind: "error", error: RECURSION };
    if (stopped !== undefined) return endingOfStop(stopped);
    if (BigInt(python.fuel.value) < 0n) return { kind: "limit", limit: "fuel", traceback: [] };
    // V8's stack overflow. Host calls cause no RangeError that gets here.
    const isOverflow = error instanceof RangeError || stackOverflowed;
    if (isOverflow) return { kind: "error", error: RECURSION };
    return { kind: "crash" };
  }

  /** Adds the position at which the guest was stopped, if it can still be found. */
  #withTraceback(ending: Ending, { limits }: RunRequest, source: LineSource): Ending {
    if (ending.kind !== "limit" || ending.limit === "result") return ending;
    const { machine, threadState } = this.#interpreter;
    const lines = tracebackOfStop(machine, threadState, source);
    return { ...ending, traceback: trimTraceback(lines, limits.tracebackBytes) };
  }
}

function kindOf(request: RunRequest): RunKind {
  if (request.inContext !== true) return "process";
  return hasInput(request) ? "input" : "run";
}

function endingOfStop(stop: Stop): Ending {
  return stop.kind === "limit"
    ? { kind: "limit", limit: stop.limit, traceback: [] }
    : { kind: "crash" };
}
