/**
 * The JavaScript engine: QuickJS-ng behind the engine port. Each run starts from the image; a
 * run that trapped, or whose memory grew, gives its instance up.
 *
 * @module
 */
import type { Ending, Engine, OutputSink, RunOutcome, RunRequest, Stream } from "../engine.ts";
import type { RunClock } from "../clock.ts";
import type { MemoryImage } from "../image.ts";
import type { HostServices } from "./host_calls.ts";
import { type ImageHead, Interpreter, type InterpreterParts } from "./interpreter.ts";
import { EVAL_GLOBAL } from "./quickjs_abi.ts";
import { Run } from "./run.ts";
import { mapPositions } from "./guest_error.ts";
import { trimTraceback } from "../traceback.ts";
import type { PreparedSource, Preparer } from "./source/prepare.ts";

/** What the engine is made of. */
export interface JavaScriptEngineParts {
  readonly module: WebAssembly.Module;
  readonly image: MemoryImage<ImageHead>;
  /** Bytes of linear memory a guest may have. */
  readonly memoryBytes: number;
  /** Bytes of shadow stack a guest may use. */
  readonly stackBytes: number;
  readonly clock: RunClock;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
  readonly services: HostServices;
  readonly preparer: Preparer;
  /**
   * Told at each reset: what the services keep of a run must go. `isReplaced`: the instance was
   * given up, and its memory is garbage, up to all that a guest may have.
   */
  readonly onReset: (isReplaced: boolean) => void;
  /** Told of each script before it runs, as the engine gets it. */
  readonly onRun: (script: string) => void;
}

const PAGE_BYTES = 65_536;
/** For asking a stopped guest where it stood. */
const POST_MORTEM_FUEL = 2_000_000n;

interface Measured {
  readonly ending: Ending;
  readonly fuelConsumed: number;
}

/** Runs JavaScript and TypeScript. */
export class JavaScriptEngine implements Engine {
  readonly language = "javascript";
  readonly #parts: InterpreterParts;
  readonly #image: MemoryImage<ImageHead>;
  readonly #preparer: Preparer;
  readonly #monotonic: () => number;
  readonly #onReset: (isReplaced: boolean) => void;
  readonly #onRun: (script: string) => void;
  #interpreter: Interpreter;
  #pristine = true;
  #broken = false;

  constructor(parts: JavaScriptEngineParts) {
    this.#parts = {
      module: parts.module,
      maximumPages: Math.floor(parts.memoryBytes / PAGE_BYTES),
      stackBytes: parts.stackBytes,
      clock: parts.clock,
      services: parts.services,
    };
    this.#image = parts.image;
    this.#preparer = parts.preparer;
    this.#monotonic = parts.monotonic;
    this.#onReset = parts.onReset;
    this.#onRun = parts.onRun;
    this.#interpreter = new Interpreter(this.#parts, parts.image);
  }

  /** False when this process should be replaced: what prepares sources has trapped. */
  get healthy(): boolean {
    return this.#preparer.healthy;
  }

  /** The guest's linear memory. */
  get memory(): WebAssembly.Memory {
    return this.#interpreter.js.memory;
  }

  /** Output of the current run that comes through the guest's files. */
  write(stream: Stream, bytes: Uint8Array): void {
    this.#interpreter.write(stream, bytes);
  }

  reset(): void {
    if (this.#pristine) return;
    const restored = !this.#broken && this.#interpreter.restore(this.#image);
    if (!restored) this.#interpreter = new Interpreter(this.#parts, this.#image);
    this.#preparer.reset();
    this.#onReset(!restored);
    this.#broken = false;
    this.#pristine = true;
  }

  run(request: RunRequest, output: OutputSink): RunOutcome {
    const started = this.#monotonic();
    const { ending, fuelConsumed } = this.#prepareAndRun(request, output);
    return {
      ending,
      fuelConsumed,
      memoryBytes: this.#interpreter.js.memory.buffer.byteLength,
      durationMs: this.#monotonic() - started,
    };
  }

  #prepareAndRun(request: RunRequest, output: OutputSink): Measured {
    const prepared = this.#preparer.prepare(request.code, { typescript: request.typescript });
    if (!prepared.ok) {
      return { ending: { kind: "error", error: prepared.error }, fuelConsumed: 0 };
    }
    this.#pristine = false;
    this.#onRun(prepared.source.code);
    const interpreter = this.#interpreter;
    interpreter.startRun(output, request.limits.wallMs);
    this.#begin(request);
    const limit = BigInt(request.limits.fuel);
    interpreter.js.fuel.value = limit;
    const ending = this.#execute(prepared.source, request);
    const left = interpreter.stopped === undefined
      ? BigInt(interpreter.js.fuel.value)
      : interpreter.fuelAtStop;
    const used = left < 0n ? limit : limit - left;
    const final = this.#broken ? this.#postMortem(ending, prepared.source, request) : ending;
    return { ending: final, fuelConsumed: Number(used) };
  }

  #begin(request: RunRequest): void {
    const { js, driver } = this.#interpreter;
    const setup = js.newString(JSON.stringify({ env: [...request.env], cwd: "/workspace" }));
    const result = js.call(driver.begin, [setup]);
    js.release(setup);
    js.release(result);
  }

  #execute(source: PreparedSource, request: RunRequest): Ending {
    try {
      return new Run(this.#interpreter, source, request.limits).execute();
    } catch (error) {
      this.#broken = true;
      return this.#endingOf(error);
    }
  }

  /** What a trap, or an exception of the host that passed through the guest, means. */
  #endingOf(error: unknown): Ending {
    const { stopped, js } = this.#interpreter;
    if (stopped !== undefined) return { kind: "limit", limit: stopped, traceback: [] };
    if (BigInt(js.fuel.value) < 0n) return { kind: "limit", limit: "fuel", traceback: [] };
    if (!(error instanceof RangeError)) return { kind: "crash" };
    if (error.message === "out of memory") {
      return { kind: "limit", limit: "memory", traceback: [] };
    }
    return {
      kind: "error",
      error: { name: "RangeError", message: "Maximum call stack size exceeded", traceback: [] },
    };
  }

  /** Adds where the guest stood when it was stopped, as far as it can still be told. */
  #postMortem(ending: Ending, source: PreparedSource, request: RunRequest): Ending {
    if (ending.kind !== "limit") return ending;
    const interpreter = this.#interpreter;
    const { js } = interpreter;
    interpreter.stopped = undefined;
    try {
      js.fuel.value = POST_MORTEM_FUEL;
      interpreter.openReserve();
      const stack = js.evaluate("new Error().stack", "belljar:stop", EVAL_GLOBAL);
      const text = js.exception(stack) === 0 ? js.text(stack) ?? "" : "";
      const lines = text.split("\n").filter((line) => line.includes("main.js:"));
      const { tracebackBytes } = request.limits;
      const mapped = mapPositions(lines, { lineOf: (n) => source.lineOf(n), tracebackBytes });
      return { ...ending, traceback: trimTraceback(mapped, tracebackBytes) };
    } catch {
      return ending; // memory as the trap left it can be beyond asking
    }
  }
}
