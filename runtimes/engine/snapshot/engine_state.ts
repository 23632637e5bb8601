/**
 * The state of an engine that is captured and restored for contexts: its linear memory, its mutable
 * globals, its files and its working directory. An instance has no other state.
 *
 * `runtimes/engine/snapshot/` owns the conversion of an idle instance to bytes and back:
 * which pages changed, how they are packed, what is checked before they are used. It must not
 * know the content of a page, nor where the bytes are kept.
 *
 * @module
 */
import type { RunClock } from "../clock.ts";
import type { GuestFileSystem } from "../../files/guest_file_system.ts";
import type { Baseline } from "../baseline.ts";
import type { MemorySpan } from "../image.ts";

/** Values of mutable globals by name, all numbers of 32 bits. */
export type GlobalValues = Readonly<Record<string, number>>;

/** The state of an engine between two runs. */
export interface EngineState {
  /** The base of every snapshot; memory outside its ranges is zero. */
  readonly baseline: Baseline<unknown>;
  readonly files: GuestFileSystem;
  readonly clock: Pick<RunClock, "continueFrom" | "reading">;
  /** The current linear memory. The view is valid until the guest runs again. */
  memory(): Uint8Array<ArrayBuffer>;
  /**
   * The parts of memory that can matter later, in ascending order; the rest (dead stack, memory
   * never used) counts as equal to the baseline.
   */
  liveSpans(): readonly MemorySpan[];
  globals(): GlobalValues;
  setGlobals(values: GlobalValues): void;
  /**
   * Prepares the memory of an engine at its baseline for being overwritten: so many bytes long, a
   * multiple of 64 KiB, and zero where it was added. From here on the engine is no longer
   * pristine. Throws a RangeError when a guest may not have so much, or the baseline has more.
   */
  beginRestore(bytes: number): void;
  /** Closes what the guest left open; files of `/workspace` stay. */
  endRun(): void;
  /** The guest's working directory; arbitrary text if the guest made it so. */
  workingDirectory(): string;
}
