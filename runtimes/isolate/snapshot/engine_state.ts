/**
 * What of an engine is captured and put back for contexts: its linear memory, its mutable
 * globals, its files and its working directory. An interpreter has no other state.
 *
 * `runtimes/isolate/snapshot/` owns the way from an interpreter at rest to bytes and back:
 * which pages changed, how they are packed, what is checked before they are used. It must not
 * know what a page holds, nor where the bytes are kept.
 *
 * @module
 */
import type { RunClock } from "../clock.ts";
import type { GuestFileSystem } from "../files/guest_file_system.ts";
import type { MemoryImage } from "../image.ts";

/** Bytes `[from, to)` of linear memory. */
export type MemorySpan = readonly [from: number, to: number];

/** Values of mutable globals by name, all numbers of 32 bits. */
export type GlobalValues = Readonly<Record<string, number>>;

/** The state of an engine between two runs. */
export interface EngineState {
  /** What every snapshot is a difference to; outside of its ranges memory is zero. */
  readonly baseline: MemoryImage<unknown>;
  readonly files: GuestFileSystem;
  readonly clock: Pick<RunClock, "continueFrom" | "reading">;
  /** Linear memory as it is now. The view is of no use once the guest has run again. */
  memory(): Uint8Array<ArrayBuffer>;
  /**
   * What of the memory can matter later, in ascending order; the rest (dead stack, memory never
   * used) is as good as in the baseline.
   */
  liveSpans(): readonly MemorySpan[];
  globals(): GlobalValues;
  setGlobals(values: GlobalValues): void;
  /**
   * Makes the memory of an engine at its baseline ready to be overwritten: so many bytes long, a
   * multiple of 64 KiB, and zero where it was added. From here on the engine is no longer
   * pristine. Throws a RangeError when a guest may not have so much, or the baseline has more.
   */
  beginRestore(bytes: number): void;
  /** Closes what the guest left open; files of `/workspace` stay. */
  endRun(): void;
  /** The guest's working directory; any text when the guest left it strange. */
  workingDirectory(): string;
}
