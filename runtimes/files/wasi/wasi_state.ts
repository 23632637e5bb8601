/**
 * The state between two runs of an engine over WASI, for contexts: memory with a stack at its start
 * and a heap of the C library, mutable globals, and the host's files and clock.
 *
 * @module
 */
import { GuestHeap } from "../../engine/guest_heap.ts";
import type { Baseline } from "../../engine/baseline.ts";
import { growMemory, type MemorySpan } from "../../engine/image.ts";
import type { MemorySize } from "../../engine/memory_size.ts";
import type { EngineState, GlobalValues } from "../../engine/snapshot/engine_state.ts";
import type { WasiHost } from "./host.ts";

/** An instance of the engine. */
interface Guest {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly size: MemorySize;
  readonly globals: ReadonlyMap<string, WebAssembly.Global>;
}

/** The parts of the engine that the state needs. */
export interface WasiStateOptions {
  readonly baseline: Baseline<unknown>;
  readonly host: WasiHost;
  /** End of the stack, which is unused between runs. */
  readonly stackEnd: number;
  /** Address of a chunk of the heap that is never freed. Chunks before it count as used. */
  readonly firstChunk: number;
  /** The instance in use, which is at its baseline when the state is made. */
  guest(): Guest;
  /** The guest's working directory at the end of the last run. */
  directory(): string;
  /** Called before memory differs from the baseline. */
  touch(): void;
}

/** The state of one engine. */
export class WasiState implements EngineState {
  readonly baseline: Baseline<unknown>;
  readonly files: WasiHost["files"];
  readonly clock: WasiHost["clock"];
  readonly #options: WasiStateOptions;
  readonly #heap: GuestHeap;

  constructor(options: WasiStateOptions) {
    this.#options = options;
    this.baseline = options.baseline;
    this.files = options.host.files;
    this.clock = options.host.clock;
    this.#heap = new GuestHeap(options.guest().bytes, options.firstChunk);
  }

  memory(): Uint8Array<ArrayBuffer> {
    const { bytes, size } = this.#options.guest();
    return bytes.subarray(0, size.bytes);
  }

  /** All memory except the stack and the free parts of the heap. */
  liveSpans(): readonly MemorySpan[] {
    const memory = this.memory();
    return this.#heap.spansInUse(memory, { from: this.#options.stackEnd, end: memory.length });
  }

  globals(): GlobalValues {
    const { globals } = this.#options.guest();
    return Object.fromEntries([...globals].map(([name, { value }]) => [name, Number(value)]));
  }

  setGlobals(values: GlobalValues): void {
    for (const [name, global] of this.#options.guest().globals) {
      const value = values[name];
      if (value === undefined) throw new RangeError(`the state has no ${name}`);
      global.value = value;
    }
  }

  beginRestore(bytes: number): void {
    this.#options.touch();
    growMemory(this.#options.guest().size, bytes, Infinity); // the module has a maximum
  }

  endRun(): void {
    this.#options.host.endRun();
  }

  workingDirectory(): string {
    return this.#options.directory();
  }
}
