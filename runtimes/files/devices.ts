/**
 * The devices in `/dev`, and the standard streams. None of them is a terminal.
 *
 * @module
 */
import { countContaining } from "../../shared/json_structure.ts";
import { FileError } from "./file_error.ts";
import type { Device } from "./inode.ts";

const EMPTY = new Uint8Array();
/** Cost of making a random byte, in moved bytes. */
const RANDOM_WORK = 8;
/** Cost of a write to the parent process: about 10 µs. */
const OUTPUT_WORK = 32_768;
/** Cost of a byte of a display, in moved bytes: its JSON is parsed here and in the parent process. */
const DISPLAY_BYTE_WORK = 320;
/** Longer than any number. */
const MAX_SECONDS_BYTES = 64;
/** Cost of a key, an array or an object of a display, in moved bytes: some 500 ns in the parent. */
const DISPLAY_CONTAINER_WORK = 5_000;
/** Units of fuel for a moved byte. */
const WORK_FUEL = 3;
/** Stands for `/dev/display` among the streams that a guest writes to. */
export const DISPLAYS = 5;

/** 1 is standard output, 2 is standard error, the other one is `/dev/display`. */
export type Stream = 1 | 2 | typeof DISPLAYS;

/** Where the guest's standard output and standard error go. */
export interface StandardStreams {
  /**
   * Takes output as it is written. Its exceptions pass through the file system unchanged, so that
   * an engine can end a run with one.
   */
  readonly output: (stream: Stream, bytes: Uint8Array) => void;
}

/** Gets more input, at most so many bytes; nothing at its end. */
export type AskForInput = (most: number) => Uint8Array;

/**
 * Standard input: a pipe that holds the input of a run. Its other end is closed, unless the caller of
 * the run answers each read for which nothing is left.
 */
export class StandardInput implements Device {
  readonly kind = "pipe";
  #left: Uint8Array = EMPTY;
  #ask: AskForInput = () => EMPTY;

  /** Replaces the unread bytes. When they are read, `ask` gets more. */
  fill(bytes: Uint8Array = EMPTY, ask: AskForInput = () => EMPTY): void {
    this.#left = bytes;
    this.#ask = ask;
  }

  read(into: Uint8Array): number {
    if (this.#left.length === 0 && into.length > 0) this.#left = this.#ask(into.length);
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
    writeWork: () => OUTPUT_WORK,
    read: () => 0,
    write: (bytes) => streams.output(stream, bytes),
  };
}

/**
 * `/dev/display`: the displays of a program, as lines of JSON. A write may hold any part of the lines,
 * and the receiver of the output joins them.
 */
export function displayDevice(streams: StandardStreams): Device {
  return {
    kind: "character",
    writeWork: (bytes) => OUTPUT_WORK + displayWork(bytes),
    read: () => 0,
    write: (bytes) => streams.output(DISPLAYS, bytes),
  };
}

/** `/dev/alarm`: a write is the seconds until the program is interrupted, as text; 0 for never. */
export function alarmDevice(set: (seconds: number) => void): Device {
  return {
    kind: "character",
    read: () => 0,
    write(bytes) {
      const seconds = bytes.length > MAX_SECONDS_BYTES
        ? NaN
        : Number(new TextDecoder().decode(bytes));
      if (!(seconds >= 0)) throw new FileError("EINVAL");
      set(seconds);
    },
  };
}

/**
 * The cost of a display, or of any part of one, in moved bytes. A part does not tell which of its
 * bytes are in strings, so all count.
 */
function displayWork(json: Uint8Array): number {
  return DISPLAY_BYTE_WORK * json.length + DISPLAY_CONTAINER_WORK * countContaining(json);
}

/** The same in units of fuel. */
export function displayFuel(json: Uint8Array): number {
  return WORK_FUEL * displayWork(json);
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
