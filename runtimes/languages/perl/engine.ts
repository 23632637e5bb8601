/**
 * The Perl engine: zeroperl behind the `Engine` interface. Each run starts from the baseline. An
 * instance that trapped, or has too much memory to spare, is discarded.
 *
 * `runtimes/languages/perl/` owns Perl: the engine, the preparation of sources (`source/`), and the
 * driver and modules that run inside it (`guest/`). Nothing here depends on other languages.
 *
 * @module
 */
import { readsItself } from "./host/source/prepare.ts";
import {
  type Ending,
  type Engine,
  hasInput,
  type OutputSink,
  type RunOutcome,
  type RunRequest,
} from "../../engine/engine.ts";
import { EngineRuns, type ExecutionReport } from "../../engine/engine_runs.ts";
import { CHUNK_HEAD_BYTES } from "../../engine/heap_chunks.ts";
import { Baseline } from "../../engine/baseline.ts";
import type { EngineParts } from "../../engine/built_engine.ts";
import { LastWords } from "../../engine/last_words.ts";
import type { EngineState } from "../../engine/snapshot/engine_state.ts";
import { trimTraceback } from "../../engine/traceback.ts";
import { RunStopped } from "../../files/wasi/errors.ts";
import { WasiHost } from "../../files/wasi/host.ts";
import { WasiState } from "../../files/wasi/wasi_state.ts";
import { UNLIMITED_FUEL } from "../../engine/fuel.ts";
import { FIRST_DESCRIPTOR, type ImageHead, Instance, MODULE_STACK_BYTES } from "./host/instance.ts";
import { perlAnswer, perlLiteral } from "./host/literals.ts";
import { DriverLost, executeProgram, OutOfMemory } from "./host/run.ts";
import { type PreparedProgram, prepareProgram } from "./host/source/prepare.ts";
import { withoutPrefix } from "./host/compiler_warnings.ts";
import { LIBRARY_ROOT } from "./host/zeroperl.ts";

/** Fuel for asking a stopped program for its position. */
const POST_MORTEM_FUEL = 200_000_000n;
/** Fuel per unit of the host's work: Perl executes many short instructions. */
const HOST_FUEL = 8n;

/** Perl's message when no memory is left. */
const OUT_OF_MEMORY = ["Out of memory in perl:"];

/** The driver's variable of a run with tools. */
function toolsOf({ calls }: RunRequest): { readonly tools?: string } {
  const tools = calls?.head.tools;
  return tools === undefined ? {} : { tools: perlLiteral(JSON.stringify(tools)) };
}

/** Runs Perl. */
export class PerlEngine implements Engine {
  readonly language = "perl";
  /** This engine recovers from anything that a guest does. */
  readonly healthy = true;
  readonly #options: Omit<EngineParts<ImageHead>, "image" | "library">;
  readonly #baseline: Baseline<ImageHead>;
  readonly #host: WasiHost;
  readonly #runs: EngineRuns;
  readonly state: EngineState;
  #interpreter: Instance;
  #place = "";

  constructor({ image, library, ...options }: EngineParts<ImageHead>) {
    this.#options = options;
    this.#baseline = new Baseline(image);
    this.#host = new WasiHost({
      time: options.time,
      random: options.random.fill,
      charge: (units) => this.#charge(BigInt(units)),
      fuelLeft: () => BigInt(this.#interpreter.perl.fuel.value),
      firstDescriptor: FIRST_DESCRIPTOR,
      slept: (ms) => this.#interpreter.slept(ms),
      answerText: (json) => this.#answerText(json),
      ...(options.fileLimits === undefined ? {} : { fileLimits: options.fileLimits }),
    });
    this.#host.files.addReadOnly(library);
    this.#host.files.unlist(LIBRARY_ROOT);
    this.#interpreter = this.#newInterpreter();
    this.#runs = new EngineRuns({
      monotonic: () => options.time.monotonic(),
      random: options.random,
      memoryBytes: () => this.#interpreter.perl.size.bytes,
      restore: (isBroken) => this.#restore(isBroken),
      execute: (request, fuel, output) => this.#execute(request, fuel, output),
    });
    this.state = new WasiState({
      baseline: this.#baseline,
      host: this.#host,
      stackEnd: MODULE_STACK_BYTES,
      firstChunk: image.head.list - CHUNK_HEAD_BYTES, // the driver's list is never freed
      guest: () => this.#interpreter.perl,
      directory: () => this.#place,
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
    const restored = !isBroken && this.#interpreter.restore(this.#baseline);
    if (!restored) this.#interpreter = this.#newInterpreter();
  }

  /** The instance's current linear memory; for tests of resets. */
  memory(): Uint8Array {
    return this.#interpreter.perl.bytes;
  }

  #newInterpreter(): Instance {
    return new Instance(this.#options.module, this.#host, this.#baseline);
  }

  #execute(request: RunRequest, limit: bigint, output: OutputSink): ExecutionReport {
    this.#runs.touch();
    const interpreter = this.#interpreter;
    const keepsState = request.inContext ?? false;
    const program = prepareProgram(request.code, keepsState);
    const words = new LastWords(withoutPrefix(output), OUT_OF_MEMORY);
    this.#host.startRun(words.sink, request.limits.wallMs, request);
    const { fuel } = interpreter.perl;
    fuel.value = limit;
    try {
      this.#begin(program, request);
      if (!keepsState) fuel.value = limit; // only the driver's code ran before
      const ending = executeProgram({
        interpreter,
        program,
        request,
        keepsState,
        hasInput: hasInput(request),
        outOfMemory: () => words.hasMessage,
      });
      if (keepsState) this.#place = interpreter.place();
      return { ending, fuelLeft: BigInt(fuel.value) };
    } catch (error) {
      const fuelLeft = BigInt(fuel.value);
      this.#runs.break();
      const ending = this.#endingOf(error, fuelLeft, words.hasMessage);
      return { ending: this.#withPlace(ending, request), fuelLeft };
    }
  }

  /** The driver evaluates the text. */
  #answerText(json: string): string {
    this.#interpreter.hideEvaluation();
    return perlAnswer(json);
  }

  #begin(program: PreparedProgram, request: RunRequest): void {
    const interpreter = this.#interpreter;
    const seed = new Uint8Array(4);
    this.#options.random.fill(seed);
    interpreter.assign({
      code: program.code,
      source: readsItself(request.code) ? request.code : "",
      lines: String(program.lines.highest),
      data: program.data,
      data_package: program.dataPackage,
      wants_value: program.hasValue ? "1" : "",
      keeps: request.inContext ? "1" : "",
      ...(request.repr ? { wants_repr: "1" } : {}),
      ...toolsOf(request),
      place: request.cwd ?? "",
      environment: [...request.env].map(([name, value]) => `${name}=${value}`).join("\0"),
      seed: Array.from(seed, (byte) => byte.toString(16).padStart(2, "0")).join(""),
    });
    if (!interpreter.drive("begin")) throw new DriverLost();
    if (request.inContext && hasInput(request)) interpreter.drive("renew_input");
    interpreter.restartEvaluationCounter(request.inContext ? 1 : 0);
  }

  #charge(units: bigint): void {
    const { fuel } = this.#interpreter.perl;
    fuel.value = BigInt(fuel.value) - units * HOST_FUEL;
  }

  /** The meaning of a trap, or of a host exception that passed through the guest. */
  #endingOf(error: unknown, fuelLeft: bigint, saidOutOfMemory: boolean): Ending {
    if (error instanceof RunStopped) return { kind: "limit", limit: error.limit, traceback: [] };
    if (fuelLeft < 0n) return { kind: "limit", limit: "fuel", traceback: [] };
    // with no memory left even Perl's own exit can trap
    const full = saidOutOfMemory || error instanceof OutOfMemory || error instanceof RangeError ||
      (error instanceof WebAssembly.RuntimeError && this.#interpreter.outOfStack);
    return full ? { kind: "limit", limit: "memory", traceback: [] } : { kind: "crash" };
  }

  /** Adds the position at which the program was stopped, if it can still be found. */
  #withPlace(ending: Ending, request: RunRequest): Ending {
    this.#host.endCalls();
    if (ending.kind !== "limit") return ending;
    const interpreter = this.#interpreter;
    try {
      interpreter.perl.fuel.value = UNLIMITED_FUEL;
      if (interpreter.perl.call("asyncify_get_state") !== 0) return ending;
      if (interpreter.outOfStack) interpreter.unwind();
      interpreter.perl.fuel.value = POST_MORTEM_FUEL;
      const told = interpreter.drive("stand") ? interpreter.outcome(1 << 20) : undefined;
      const { tracebackBytes } = request.limits;
      const lines = new TextDecoder().decode(told).split("\n").filter((line) => line !== "");
      return { ...ending, traceback: trimTraceback(lines, tracebackBytes) };
    } catch {
      return ending; // the trap may have left memory in a state that cannot be queried
    }
  }
}
