/**
 * `process.stdin`, `stdout` and `stderr`. Input is empty; output goes to the host as it comes.
 *
 * @module
 */
import type { HostFunction } from "../host.ts";
import { ReflectApply, ReflectGet } from "../primordials.ts";
import { TextDecoder } from "../web/text_decoder.ts";
import { invalidArgument } from "../web/node_error.ts";
import { type Readable, streams, type Writable } from "./streams.ts";

type Channel = "out" | "err";
type Done = (error?: unknown) => void;

/** A writable standard stream, and the way of the console to it. */
export interface OutputStream {
  readonly stream: Writable;
  /** Writes text through the guest's `write` if the guest replaced it, else right away. */
  print(text: string): void;
}

const FILE_DESCRIPTORS = { out: 1, err: 2 } as const;

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

/** Reads the arguments of `write` behind the chunk: an encoding, a callback. */
function doneOf(args: readonly unknown[]): Done | undefined {
  const last = typeof args[0] === "function" ? args[0] : args[1];
  return typeof last === "function" ? last as Done : undefined;
}

function createSend(host: HostFunction, channel: Channel): (chunk: unknown) => void {
  const decoder = new TextDecoder();
  return (chunk) => {
    const text = typeof chunk === "string"
      ? chunk
      : isBytes(chunk)
      ? decoder.decode(chunk, { stream: true })
      : undefined;
    if (text === undefined) {
      throw invalidArgument(
        "chunk",
        "of type string or an instance of Buffer, TypedArray, or DataView",
        chunk,
      );
    }
    host(channel, text);
  };
}

/** Node's encodings that `write` may be given for text; all others are taken as text. */
const BINARY_ENCODINGS = ["hex", "base64", "base64url", "latin1", "binary", "ucs2", "utf16le"];

/** Turns text in an encoding into bytes. */
export type Encode = (text: string, encoding: string) => Uint8Array;

/** One of the two output streams. */
export function createOutputStream(
  host: HostFunction,
  channel: Channel,
  encode: Encode,
): OutputStream {
  const send = createSend(host, channel);
  const stream = new streams.Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding: unknown, done: Done) {
      send(chunk);
      done();
    },
  });
  const slow = stream.write;
  const write = function write(this: unknown, chunk: unknown, ...rest: unknown[]): boolean {
    const [encoding] = rest;
    const isBinary = typeof encoding === "string" && BINARY_ENCODINGS.includes(encoding);
    if (doneOf(rest) !== undefined || isBinary || ReflectGet(stream, "writable") !== true) {
      const data = isBinary && typeof chunk === "string" ? encode(chunk, encoding) : chunk;
      return ReflectApply(slow, stream, [data, ...rest]) === true;
    }
    send(chunk);
    return true;
  };
  Object.assign(stream, { write, fd: FILE_DESCRIPTORS[channel], isTTY: false });
  return {
    stream,
    print(text) {
      const current = ReflectGet(stream, "write");
      if (current === write) host(channel, text);
      else ReflectApply(current, stream, [text]);
    },
  };
}

/** Standard input: at its end from the beginning. */
export function createInputStream(): Readable {
  const stream = new streams.Readable({
    read(this: Readable) {
      this.push(null);
    },
  });
  return Object.assign(stream, { fd: 0, isTTY: false });
}
