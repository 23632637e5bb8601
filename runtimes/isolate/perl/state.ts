/**
 * The state of the Perl engine between two runs, for contexts.
 *
 * @module
 */
import { CHUNK_HEAD_BYTES, spansInUse } from "../heap_chunks.ts";
import type { MemoryImage } from "../image.ts";
import type { EngineState, GlobalValues, MemorySpan } from "../snapshot/engine_state.ts";
import type { WasiHost } from "../wasi/host.ts";
import { type Instance, MODULE_STACK_BYTES } from "./instance.ts";

/** The parts of the engine that the state needs. */
export interface PerlStateOptions {
  readonly baseline: MemoryImage<unknown>;
  readonly host: WasiHost;
  /** An early block of the heap, which is never freed. */
  readonly firstBlock: number;
  /** The interpreter in use. */
  interpreter(): Instance;
  /** The guest's working directory at the end of the last run. */
  place(): string;
  /** Called before memory differs from the baseline. */
  touch(): void;
}

/** The state of one engine. */
export class PerlState implements EngineState {
  readonly baseline: MemoryImage<unknown>;
  readonly files: WasiHost["files"];
  readonly clock: WasiHost["clock"];
  readonly #options: PerlStateOptions;

  constructor(options: PerlStateOptions) {
    this.#options = options;
    this.baseline = options.baseline;
    this.files = options.host.files;
    this.clock = options.host.clock;
  }

  memory(): Uint8Array<ArrayBuffer> {
    return this.#options.interpreter().perl.bytes;
  }

  /** All memory except the stack, which is unused between runs, and the free parts of the heap. */
  liveSpans(): readonly MemorySpan[] {
    const memory = this.memory();
    const first = this.#options.firstBlock - CHUNK_HEAD_BYTES;
    return spansInUse(memory, { from: MODULE_STACK_BYTES, first, end: memory.length });
  }

  globals(): GlobalValues {
    const { globals } = this.#options.interpreter().perl;
    return Object.fromEntries([...globals].map(([name, { value }]) => [name, Number(value)]));
  }

  setGlobals(values: GlobalValues): void {
    for (const [name, global] of this.#options.interpreter().perl.globals) {
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
    return this.#options.place();
  }
}
