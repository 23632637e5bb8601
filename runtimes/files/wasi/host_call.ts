/**
 * The common parts of all calls of the host: their state, their cost, their errors.
 *
 * @module
 */
import { ERRNO } from "../errno.ts";
import { FileError } from "../file_error.ts";
import type { GuestFileSystem } from "../guest_file_system.ts";
import type { RunClock } from "../../engine/clock.ts";
import { EFAULT, SUCCESS } from "./abi.ts";
import { MemoryFault } from "./errors.ts";
import type { GuestMemory } from "./guest_memory.ts";

/** The state that the calls work on. */
export interface CallOptions {
  readonly memory: GuestMemory;
  readonly files: GuestFileSystem;
  readonly clock: RunClock;
  /** Number of the descriptor of `/`, which the guest cannot close. */
  readonly preopened: number;
  /** The guest may not close or replace descriptors from `preopened` to below this. */
  readonly firstDescriptor: number;
  /** Names and values that the guest's C library takes as its environment. */
  readonly env: ReadonlyMap<string, string>;
  /** Fills with secure random bytes. */
  random(into: Uint8Array<ArrayBuffer>): void;
  /** Charges fuel to the guest. */
  charge(units: number): void;
  /** Advances the clocks. Throws `RunStopped` when the run may not sleep that long. */
  sleep(ms: number): void;
}

/** A parameter as WebAssembly passes it: i32 signed, i64 signed. */
export type Param = number | bigint;

/** Fuel for any call: about the cost of crossing the boundary and reading a path. */
const CALL_FUEL = 3_000;
/** Work of the file system that a unit of fuel pays for. */
const WORK_PER_FUEL = 2;

/** Fuel for moving bytes that the file system does not see. */
export function moveFuel(bytes: number): number {
  return Math.ceil(bytes / WORK_PER_FUEL);
}

/**
 * Makes an operation a host call: its errors become an errno, and the work of the file system
 * is charged.
 */
export function hostCall<Args extends readonly Param[]>(
  parts: CallOptions,
  operation: (...args: Args) => void,
): (...args: Args) => number {
  return (...args) => {
    const before = parts.files.work;
    try {
      operation(...args);
      return SUCCESS;
    } catch (error) {
      if (error instanceof FileError) return ERRNO[error.code].wasi;
      if (error instanceof MemoryFault) return EFAULT;
      throw error;
    } finally {
      parts.charge(CALL_FUEL + moveFuel(parts.files.work - before));
    }
  };
}
