/**
 * Commands of other languages as bytes: an order leaves the isolate in frames. Its live output and its
 * outcome come on standard input, each a message after its length in four bytes.
 *
 * @module
 */
import type {
  CommandOrder,
  CommandOutcome,
  CommandPort,
  FileChanges,
  LiveWriter,
} from "../engine/program_command.ts";
import { decodeMessage, encodeMessage } from "../../shared/message.ts";
import { encodeFrame, type FileHead, FRAME_COMMAND, FRAME_COMMAND_PART } from "./protocol.ts";

/** Changes of files without contents. */
export interface ChangesHead {
  readonly removed: readonly string[];
  readonly dirs: readonly string[];
  readonly files: readonly FileHead[];
}

/** Head of an order; parts: standard input, contents of all files. */
export interface CommandHead extends Omit<CommandOrder, "input">, ChangesHead {}

/** Head of an outcome; parts: both streams, contents of the changed files. */
export interface OutcomeHead extends Pick<CommandOutcome, "exitCode" | "fuel">, ChangesHead {}

/** Head of live output; parts: both streams. */
interface LiveHead {
  readonly live: true;
}

/** The streams of the isolate. */
export interface CommandStreams {
  write(frame: Uint8Array): void;
  /** Reads exactly so many bytes, and blocks until they are there. */
  read(length: number): Uint8Array<ArrayBuffer>;
}

const LENGTH_BYTES = 4;
/** Bytes of a message in one frame. */
const PIECE_BYTES = 1024 * 1024;

/** The port of a run. */
export function commandPort(run: number, { write, read }: CommandStreams): CommandPort {
  return {
    run({ input, ...order }, files, live) {
      const head: CommandHead = { ...order, ...changesHead(files) };
      const message = encodeMessage(head, [input, ...files.files.map(({ bytes }) => bytes)]);
      for (let at = 0; at < message.length; at += PIECE_BYTES) {
        const isLast = at + PIECE_BYTES >= message.length;
        const kind = isLast ? FRAME_COMMAND : FRAME_COMMAND_PART;
        write(encodeFrame(kind, run, message.subarray(at, at + PIECE_BYTES)));
      }
      return readOutcome(read, live);
    },
  };
}

function readOutcome(read: CommandStreams["read"], live: LiveWriter): CommandOutcome {
  for (;;) {
    const length = new DataView(read(LENGTH_BYTES).buffer).getUint32(0, true);
    const { head, parts } = decodeMessage(read(length), Infinity, Infinity);
    const told = head as LiveHead | OutcomeHead;
    const [stdout = new Uint8Array(), stderr = new Uint8Array(), ...contents] = parts;
    if (!("live" in told)) return outcomeOf(told, { stdout, stderr }, contents);
    if (stdout.length > 0) live("stdout", stdout);
    if (stderr.length > 0) live("stderr", stderr);
  }
}

function outcomeOf(
  { exitCode, fuel, ...changes }: OutcomeHead,
  { stdout, stderr }: Pick<CommandOutcome, "stdout" | "stderr">,
  contents: readonly Uint8Array[],
): CommandOutcome {
  // a copy, so that a file does not retain the whole message
  const copies = contents.map((bytes) => bytes.slice());
  return { exitCode, fuel, stdout, stderr, changes: withContents(changes, copies) };
}

/** An outcome, with its length. */
export function encodeOutcome(
  { exitCode, fuel, stdout, stderr, changes }: CommandOutcome,
): Uint8Array<ArrayBuffer> {
  const head: OutcomeHead = { exitCode, fuel, ...changesHead(changes) };
  return withLength(
    encodeMessage(head, [stdout, stderr, ...changes.files.map(({ bytes }) => bytes)]),
  );
}

/** Live output, with its length. */
export function encodeLiveOutput(
  stdout: Uint8Array<ArrayBuffer>,
  stderr: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  return withLength(encodeMessage({ live: true } satisfies LiveHead, [stdout, stderr]));
}

function withLength(message: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(LENGTH_BYTES + message.length);
  new DataView(out.buffer).setUint32(0, message.length, true);
  out.set(message, LENGTH_BYTES);
  return out;
}

function changesHead({ removed, dirs, files }: FileChanges): ChangesHead {
  return { removed, dirs, files: files.map(({ path, mtimeMs }): FileHead => [path, mtimeMs]) };
}

/** Changes with the contents of their files, in the same order. */
export function withContents(
  { removed, dirs, files }: ChangesHead,
  contents: readonly Uint8Array[],
): FileChanges {
  return {
    removed,
    dirs,
    files: files.map(([path, mtimeMs], index) => {
      return { path, mtimeMs, bytes: contents[index] ?? new Uint8Array() };
    }),
  };
}
