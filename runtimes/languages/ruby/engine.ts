/**
 * The Ruby engine: CRuby behind the `Engine` interface. Each run starts from the baseline. An
 * instance that trapped, or has too much memory to spare, is discarded.
 *
 * Ruby raises a SystemStackError when the stack is too deep. A stack that is unwound into a buffer
 * of fixed size (a C jump buffer, or a fiber's) can be too deep earlier. The module then traps, and
 * the host ends the run with the same error.
 *
 * `runtimes/languages/ruby/` owns Ruby: the engine, and the driver and library that run inside it
 * (`guest/`). Nothing here depends on other languages.
 *
 * @module
 */
import type {
  Ending,
  Engine,
  OutputSink,
  RunLimits,
  RunOutcome,
  RunRequest,
} from "../../engine/engine.ts";
import { WORKSPACE } from "../../../client/protocol/paths.ts";
import { EngineRuns, type ExecutionReport } from "../../engine/engine_runs.ts";
import type { OpenFile } from "../../files/open_file.ts";
import { Baseline } from "../../engine/baseline.ts";
import type { EngineParts } from "../../engine/built_engine.ts";
import { LastWords } from "../../engine/last_words.ts";
import type { EngineState } from "../../engine/snapshot/engine_state.ts";
import { trimTraceback } from "../../engine/traceback.ts";
import { ProcessExit, RunStopped } from "../../files/wasi/errors.ts";
import { WasiHost } from "../../files/wasi/host.ts";
import type { GuestFileSystem } from "../../files/guest_file_system.ts";
import { WasiState } from "../../files/wasi/wasi_state.ts";
import { advanceAlarm, setAlarm } from "./host/alarm.ts";
import { exitEnding, readAnswer } from "./host/answer.ts";
import { stackError } from "./host/guest_error.ts";
import { DriverError, type ImageHead, Instance, type InstanceOptions } from "./host/instance.ts";
import { LIBRARY_ROOT, STACK_TOP } from "./host/ruby_abi.ts";

/** Fuel per unit of the host's work: Ruby executes many short instructions. */
const HOST_FUEL = 16n;

/** Ruby's messages when no memory is left even for an exception. */
const OUT_OF_MEMORY = [
  "failed to allocate memory",
  // memory ran out while recording a jump target, which the resulting exception then needs
  "Assertion failed: env->state == JMP_BUF_STATE_CAPTURED",
];

/** Runs Ruby. */
export class RubyEngine implements Engine {
  readonly language = "ruby";
  /** This engine recovers from whatever a guest does. */
  readonly healthy = true;
  readonly #runs: EngineRuns;
  readonly #host: WasiHost;
  readonly #options: InstanceOptions;
  readonly state?: EngineState;
  readonly files: GuestFileSystem;
  #interpreter: Instance;
  #directory = "";

  /** No closure holds the options: without contexts nothing needs the image after the baseline. */
  constructor({ module, image, library, time, random, fileLimits }: EngineParts<ImageHead>) {
    this.#host = new WasiHost({
      time,
      random: random.fill,
      charge: (units) => this.#charge(BigInt(units)),
      fuelLeft: () => BigInt(this.#interpreter.vm.fuel.value),
      alarm: (seconds) => setAlarm(this.#interpreter.vm, seconds),
      slept: (ms) => advanceAlarm(this.#interpreter.vm, ms),
      ...(fileLimits === undefined ? {} : { fileLimits }),
    });
    this.files = this.#host.files;
    this.files.addReadOnly(library);
    this.#host.files.unlist(LIBRARY_ROOT);
    const baseline = new Baseline(image);
    this.#options = { module, head: image.head, pages: image.pages, baseline };
    this.#interpreter = new Instance(this.#options, this.#host);
    this.#runs = new EngineRuns({
      monotonic: () => time.monotonic(),
      random,
      memoryBytes: () => this.#interpreter.vm.size.bytes,
      restore: (isBroken) => this.#restore(isBroken),
      execute: (request, fuel, output) => this.#execute(request, fuel, output),
    });
    const { contexts } = image.head;
    if (contexts === undefined) return;
    this.state = new WasiState({
      baseline,
      host: this.#host,
      stackEnd: STACK_TOP,
      firstChunk: contexts.firstChunk,
      guest: () => this.#interpreter.vm,
      directory: () => this.#directory,
      touch: () => this.#runs.touch(),
    });
  }

  reset(): void {
    this.#runs.reset();
  }

  run(request: RunRequest, output: OutputSink): RunOutcome {
    return this.#runs.run(request, output);
  }

  #restore(isBroken: boolean): void {
    this.#host.reset();
    const restored = !isBroken && this.#interpreter.restore();
    if (!restored) this.#interpreter = new Instance(this.#options, this.#host);
  }

  #execute(request: RunRequest, limit: bigint, output: OutputSink): ExecutionReport {
    this.#runs.touch();
    const { limits } = request;
    const { vm } = this.#interpreter;
    const words = new LastWords(output, OUT_OF_MEMORY);
    this.#host.startRun(words.sink, limits.wallMs, request);
    try {
      return request.inContext ? this.#continue(request, limit) : this.#runOnce(request, limit);
    } catch (error) {
      const fuelLeft = BigInt(vm.fuel.value);
      this.#runs.break();
      const ending =
        this.#endingOf(error, { outOfFuel: fuelLeft < 0n, outOfMemory: words.hasMessage }) ??
          this.#tooDeep(limits);
      if (ending.kind !== "limit") return { ending, fuelLeft };
      return { ending: { ...ending, traceback: this.#frames(limits) }, fuelLeft };
    }
  }

  #runOnce(request: RunRequest, limit: bigint): ExecutionReport {
    const { code, env, limits, calls } = request;
    const interpreter = this.#interpreter;
    const { vm } = interpreter;
    interpreter.prepare(code, env, limits.resultBytes);
    if (request.repr) interpreter.askRepr();
    if (calls?.head.tools !== undefined) interpreter.beginCalls(calls.head.tools);
    vm.fuel.value = limit;
    const files = this.#openFiles();
    const answer = interpreter.run();
    if (!vm.unwinding && !this.#openFiles().isSubsetOf(files)) interpreter.flushFiles();
    const fuelLeft = BigInt(vm.fuel.value);
    const ending = vm.unwinding ? this.#tooDeep(limits) : readAnswer(answer, request);
    return { ending, fuelLeft };
  }

  /** A run of a context. All that a guest could have changed before consumes its fuel. */
  #continue(request: RunRequest, limit: bigint): ExecutionReport {
    const interpreter = this.#interpreter;
    const { vm } = interpreter;
    const { code, env, limits, cwd, calls } = request;
    const { resultBytes } = limits;
    vm.fuel.value = limit;
    const files = this.#openFiles();
    interpreter.prepareContext({
      code,
      environment: env,
      resultBytes,
      directory: cwd ?? WORKSPACE,
    });
    if (request.repr) interpreter.askRepr();
    if (calls?.head.tools !== undefined) interpreter.beginCalls(calls.head.tools);
    const answer = interpreter.runContext();
    if (vm.unwinding) {
      const fuelLeft = BigInt(vm.fuel.value);
      this.#runs.break();
      return { ending: this.#tooDeep(limits), fuelLeft };
    }
    this.#host.files.beginRun(); // what is left of standard input ends with the run
    const directory = interpreter.finishContext(!this.#openFiles().isSubsetOf(files));
    if (answer === undefined || directory === undefined) {
      throw new DriverError("the driver is lost");
    }
    this.#directory = directory;
    return { ending: readAnswer(answer, request), fuelLeft: BigInt(vm.fuel.value) };
  }

  #openFiles(): ReadonlySet<OpenFile> {
    const { descriptors } = this.#host.files;
    return new Set(descriptors.numbers().map((number) => descriptors.get(number)));
  }

  /**
   * The frames of a program that was stopped. The code that lists them gets no output and no time.
   */
  #frames({ tracebackBytes }: RunLimits): readonly string[] {
    this.#host.startRun(() => true, 0);
    return trimTraceback(this.#interpreter.stoppedAt(), tracebackBytes);
  }

  /** The ending of a run whose stack could not be unwound. */
  #tooDeep(limits: RunLimits): Ending {
    return { kind: "error", error: stackError(this.#frames(limits)) };
  }

  #charge(units: bigint): void {
    const { fuel } = this.#interpreter.vm;
    fuel.value = BigInt(fuel.value) - units * HOST_FUEL;
  }

  /**
   * Translates a trap, or a host exception that passed through the guest, into an ending; undefined
   * for a stack that was too deep.
   */
  #endingOf(
    error: unknown,
    { outOfFuel, outOfMemory }: { readonly outOfFuel: boolean; readonly outOfMemory: boolean },
  ): Ending | undefined {
    if (error instanceof RunStopped) return { kind: "limit", limit: error.limit, traceback: [] };
    if (outOfFuel) return { kind: "limit", limit: "fuel", traceback: [] };
    if (outOfMemory) return { kind: "limit", limit: "memory", traceback: [] };
    if (error instanceof ProcessExit) return exitEnding(error.status);
    const { vm } = this.#interpreter;
    const tooDeep = error instanceof RangeError || vm.outOfStack || vm.unwinding ||
      vm.unwoundTooFar;
    return tooDeep ? undefined : { kind: "crash" };
  }
}
