/**
 * The devices in `/dev`, and the standard streams. None of them is a terminal.
 *
 * @module
 */
import { FileError } from "./file_error.ts";
import type { Device } from "./inode.ts";

/** Cost of making a random byte, in moved bytes. */
const RANDOM_WORK = 8;
/** Cost of a write to the parent process: about 10 µs. */
const OUTPUT_WORK = 32_768;

/** The standard streams of the guest. */
export interface StandardStreams {
  /**
   * Fills `into` from standard input and returns the count; 0 is the end.
   * @default {always the end}
   */
  readonly input?: (into: Uint8Array) => number;
  /**
   * Takes output as it is written: 1 is standard output, 2 is standard error. Its exceptions pass
   * through the file system unchanged, so that an engine can end a run with one.
   */
  readonly output: (stream: 1 | 2, bytes: Uint8Array) => void;
}

/** Standard input. */
export function standardInput(streams: StandardStreams): Device {
  return {
    kind: "pipe",
    read: (into) => streams.input?.(into) ?? 0,
    write: refuse,
  };
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

function refuse(): never {
  throw new FileError("EBADF");
}
