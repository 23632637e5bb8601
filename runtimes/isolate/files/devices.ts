/**
 * The devices in `/dev`, and the standard streams. None of them is a terminal.
 *
 * @module
 */
import { FileError } from "./file_error.ts";
import type { Device } from "./inode.ts";

const EMPTY = new Uint8Array();
/** Cost of making a random byte, in moved bytes. */
const RANDOM_WORK = 8;
/** Cost of a write to the parent process: about 10 µs. */
const OUTPUT_WORK = 32_768;

/** Where the guest's standard output and standard error go. */
export interface StandardStreams {
  /**
   * Takes output as it is written: 1 is standard output, 2 is standard error. Its exceptions pass
   * through the file system unchanged, so that an engine can end a run with one.
   */
  readonly output: (stream: 1 | 2, bytes: Uint8Array) => void;
}

/** Standard input: a pipe that holds all that a run gets, and that nobody writes to any more. */
export class StandardInput implements Device {
  readonly kind = "pipe";
  #left: Uint8Array = EMPTY;

  /** Replaces what is left to read. */
  fill(bytes: Uint8Array = EMPTY): void {
    this.#left = bytes;
  }

  read(into: Uint8Array): number {
    const taken = this.#left.subarray(0, into.length);
    into.set(taken);
    this.#left = this.#left.length === taken.length ? EMPTY : this.#left.subarray(taken.length);
    return taken.length;
  }

  write(): never {
    throw new FileError("EBADF");
  }
}

/** Standard output or standard error. */
export function standardOutput(
  streams: StandardStreams,
  stream: 1 | 2,
): Device {
  return {
    kind: "pipe",
    writeWork: OUTPUT_WORK,
    read: () => 0,
    write: (bytes) => streams.output(stream, bytes),
  };
}

/** `/dev/null`. */
export const NULL_DEVICE: Device = {
  kind: "character",
  read: () => 0,
  write: () => {},
};

/** `/dev/zero`. */
export const ZERO_DEVICE: Device = {
  kind: "character",
  read(into) {
    into.fill(0);
    return into.length;
  },
  write: () => {},
};

/** `/dev/random` and `/dev/urandom`, given a source of random bytes. */
export function randomDevice(fill: (into: Uint8Array) => void): Device {
  return {
    kind: "character",
    readWork: RANDOM_WORK,
    read(into) {
      fill(into);
      return into.length;
    },
    write: () => {},
  };
}
