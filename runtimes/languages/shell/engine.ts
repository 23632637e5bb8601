/**
 * The shell: the crate bashkit behind the `Engine` interface. Each run starts from the baseline. An
 * instance that trapped, or has too much memory to spare, is discarded.
 *
 * A run has no value. It ends with an exit code, which is no error: `grep` without a match has one
 * too.
 *
 * `runtimes/languages/shell/` owns the shell: the engine, the module (`module/`) and how it is
 * compiled (`build/`). Nothing here depends on other languages.
 *
 * @module
 */
import type { Ending, Engine, OutputSink, RunOutcome, RunRequest } from "../../engine/engine.ts";
import { EngineRuns, type ExecutionReport } from "../../engine/engine_runs.ts";
import { Baseline } from "../../engine/baseline.ts";
import type { EngineParts } from "../../engine/built_engine.ts";
import { UNLIMITED_FUEL } from "../../engine/fuel.ts";
import { LastWords } from "../../engine/last_words.ts";
import type { EngineState } from "../../engine/snapshot/engine_state.ts";
import { RunStopped } from "../../files/wasi/errors.ts";
import { WasiHost } from "../../files/wasi/host.ts";
import { WasiState } from "../../files/wasi/wasi_state.ts";
import { WASM_PAGE_BYTES } from "../../../wasm/metering/wasm_page.ts";
import { type ImageHead, Instance, MODULE_STACK_BYTES } from "./host/instance.ts";
import { OpenLines } from "./host/open_lines.ts";

/** Fuel per unit of the host's work: the module executes many short instructions. */
const HOST_FUEL = 8n;

/** The message of Rust when no memory is left. */
const OUT_OF_MEMORY = ["memory allocation of "];

/** Runs commands. */
export class ShellEngine implements Engine {
  readonly language = "shell";
  /** This engine recovers from anything that a guest does. */
  readonly healthy = true;
  readonly state: EngineState;
  readonly #module: WebAssembly.Module;
  readonly #baseline: Baseline<ImageHead>;
  readonly #host: WasiHost;
  readonly #runs: EngineRuns;
  #shell: Instance;
  #directory = "";

  constructor({ module, image, time, random, fileLimits }: EngineParts<ImageHead>) {
    this.#module = module;
    this.#baseline = new Baseline(image);
    this.#host = new WasiHost({
      time,
      random: random.fill,
      charge: (units) => this.#shell.charge(BigInt(Math.ceil(units)) * HOST_FUEL),
      fuelLeft: () => BigInt(this.#shell.fuel.value),
      ...(fileLimits === undefined ? {} : { fileLimits }),
    });
    this.#shell = this.#newInstance();
    this.#runs = new EngineRuns({
      monotonic: () => time.monotonic(),
      random,
      memoryBytes: () => this.#shell.size.bytes,
      restore: (isBroken) => this.#restore(isBroken),
      execute: (request, fuel, output) => this.#execute(request, fuel, output),
    });
    this.state = new WasiState({
      baseline: this.#baseline,
      host: this.#host,
      stackEnd: MODULE_STACK_BYTES,
      firstChunk: image.head.firstChunk,
      guest: () => this.#shell,
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

  #newInstance(): Instance {
    const shell = new Instance(this.#module, this.#host);
    shell.size.bytes = Math.max(this.#baseline.pages * WASM_PAGE_BYTES, shell.size.bytes);
    this.#putBack(shell);
    return shell;
  }

  /** False when the instance has too much memory to spare. */
  #putBack(shell: Instance): boolean {
    if (!this.#baseline.restore(shell.bytes, shell.size)) return false;
    for (const [name, global] of shell.globals) {
      global.value = this.#baseline.head.globals[name] ?? 0;
    }
    shell.fuel.value = UNLIMITED_FUEL;
    return true;
  }

  #restore(isBroken: boolean): void {
    this.#host.reset();
    if (isBroken || !this.#putBack(this.#shell)) this.#shell = this.#newInstance();
  }

  #execute(request: RunRequest, limit: bigint, output: OutputSink): ExecutionReport {
    this.#runs.touch();
    const shell = this.#shell;
    const lines = new OpenLines(output);
    const words = new LastWords(lines.sink, OUT_OF_MEMORY);
    this.#host.startRun(words.sink, request.limits.wallMs, request);
    shell.fuel.value = limit;
    shell.commands.begin(request.commands, words.sink);
    try {
      const { code, env, cwd = "", stdin = new Uint8Array() } = request;
      const exitCode = shell.run({ code, env, stdin, directory: cwd });
      if (request.inContext === true) this.#directory = shell.directory() ?? "";
      shell.clearStack();
      const unterminated = lines.streams();
      return {
        ending: { kind: "none", exitCode, ...(unterminated.length > 0 ? { unterminated } : {}) },
        fuelLeft: BigInt(shell.fuel.value),
      };
    } catch (error) {
      const fuelLeft = BigInt(shell.fuel.value);
      this.#runs.break();
      const isFull = words.hasMessage || shell.outOfStack || error instanceof RangeError;
      return { ending: endingOf(error, fuelLeft, isFull), fuelLeft };
    }
  }
}

/** The meaning of a trap, or of a host exception that passed through the guest. */
function endingOf(error: unknown, fuelLeft: bigint, isFull: boolean): Ending {
  if (error instanceof RunStopped) return { kind: "limit", limit: error.limit, traceback: [] };
  if (fuelLeft < 0n) return { kind: "limit", limit: "fuel", traceback: [] };
  return isFull ? { kind: "limit", limit: "memory", traceback: [] } : { kind: "crash" };
}
