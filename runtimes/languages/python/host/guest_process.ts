/**
 * The state that a kernel would keep about the guest's only process, and the effects that the
 * guest's calls may have on their run.
 *
 * @module
 */
import type { RunClock } from "../../../engine/clock.ts";
import type { LimitName } from "../../../engine/engine.ts";
import type { GuestFileSystem } from "../../../files/guest_file_system.ts";
import type { DirectoryInode } from "../../../files/inode.ts";
import type { Alarm } from "./alarm.ts";
import type { GuestMemory } from "./guest_memory.ts";
import type { Libraries } from "./library_table.ts";

/** The reasons for which the host ends a run. */
export type Stop =
  | { readonly kind: "limit"; readonly limit: LimitName }
  /** The interpreter aborted, was killed by a signal, or made a call that no sealed guest has. */
  | { readonly kind: "crash"; readonly reason: string };

/** Thrown by calls that must not return. The fuel is used up, so no guest code can continue. */
export class StoppedError extends Error {
  override name = "StoppedError";
}

/** The state that the guest's calls use. */
export interface GuestProcess {
  readonly memory: GuestMemory;
  /** The function at an index of the module's table. */
  functionAt(index: number): unknown;
  readonly files: GuestFileSystem;
  readonly clock: RunClock;
  readonly alarm: Alarm;
  readonly maximumPages: number;
  /** Strings `NAME=value` for a boot. A run gets its environment from the driver. */
  readonly environment: readonly string[];
  /** Native modules that the guest can load: they are linked into its module already. */
  readonly libraries: Libraries;
  /** Whether the run asked for more memory than it can have. */
  memoryRefused: boolean;
  workingDirectory: DirectoryInode;
  /** The umask. */
  fileModeMask: number;
  /** Address of the C library's `errno`. */
  errorNumberAt(): number;
  /** Address of the text of an error, for C code to read. */
  errorTextAt: number;
  /** Fills a buffer with random bytes. */
  random(into: Uint8Array<ArrayBuffer>): void;
  /** Charges fuel. */
  charge(units: number): void;
  /** Advances the clocks; ends the run when its sleeps exceed the wall-clock limit. */
  sleep(ms: number): void;
  /** Ends the run at the next fuel check. The first reason is kept. */
  stop(reason: Stop): void;
  /**
   * Allocates memory with the C library's allocator, for data of the host; 0 when there is none left.
   */
  allocate(bytes: number): number;
}

/** Ends the run for good. */
export function stopNow(process: GuestProcess, reason: Stop): never {
  process.stop(reason);
  throw new StoppedError(reason.kind === "crash" ? reason.reason : reason.kind);
}
