/**
 * The state of the Ruby engine between two runs, for contexts.
 *
 * @module
 */
import { spansInUse } from "../heap_chunks.ts";
import type { MemoryImage } from "../image.ts";
import type { EngineState, GlobalValues, MemorySpan } from "../snapshot/engine_state.ts";
import type { WasiHost } from "../wasi/host.ts";
import type { Instance } from "./instance.ts";
import { STACK_TOP } from "./ruby_abi.ts";

/** The parts of the engine that the state needs. */
export interface RubyStateOptions {
  readonly baseline: MemoryImage<unknown>;
  readonly host: WasiHost;
  /** Address of the first chunk of the heap. */
  readonly firstChunk: number;
  /** The interpreter in use. */
  interpreter(): Instance;
  /** The guest's working directory at the end of the last run. */
  directory(): string;
  /** Called before memory differs from the baseline. */
  touch(): void;
}

/** The state of one engine. */
export class RubyState implements EngineState {
  readonly baseline: MemoryImage<unknown>;
  readonly files: WasiHost["files"];
  readonly clock: WasiHost["clock"];
  readonly #options: RubyStateOptions;

  constructor(options: RubyStateOptions) {
    this.#options = options;
    this.baseline = options.baseline;
    this.files = options.host.files;
    this.clock = options.host.clock;
  }

  memory(): Uint8Array<ArrayBuffer> {
    return this.#options.interpreter().vm.bytes;
  }

  /**
   * All memory except the free parts of the heap, and the stack with what is unwound from it: both
   * lie below its top, and are not in use between runs.
   */
  liveSpans(): readonly MemorySpan[] {
    const memory = this.memory();
    const { firstChunk } = this.#options;
    return spansInUse(memory, { from: STACK_TOP, first: firstChunk, end: memory.length });
  }

  globals(): GlobalValues {
    const { globals } = this.#options.interpreter().vm;
    return Object.fromEntries([...globals].map(([name, { value }]) => [name, Number(value)]));
  }

  setGlobals(values: GlobalValues): void {
    for (const [name, global] of this.#options.interpreter().vm.globals) {
      const value = values[name];
      if (value === undefined) throw new RangeError(`the state has no ${name}`);
      global.value = value;
    }
  }

  beginRestore(bytes: number): void {
    this.#options.touch();
    this.#options.interpreter().grow(bytes);
  }

  endRun(): void {
    this.#options.host.endRun();
  }

  workingDirectory(): string {
    return this.#options.directory();
  }
}
