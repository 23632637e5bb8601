/**
 * `process.stdin`, `stdout` and `stderr`. Output goes to the host as it comes.
 *
 * @module
 */
import type { HostFunction } from "../host.ts";
import { dataDescriptor, ReflectApply, ReflectDefineProperty, ReflectGet } from "../primordials.ts";
import { TextDecoder } from "../web/text_decoder.ts";
import { invalidArgument } from "../web/node_error.ts";
import { type InputSource, StandardInput } from "./standard_input.ts";
import { streams, useStandardOutputs, type Writable } from "./streams.ts";

type Channel = "out" | "err";
type Done = (error?: unknown) => void;

/** A writable standard stream, and the console's access to it. */
interface OutputStream {
  readonly stream: Writable;
  /** Whether the guest ended it. */
  ended(): boolean;
  /** Writes text through the guest's `write` if the guest replaced it, else directly. */
  print(text: string): void;
}

const FILE_DESCRIPTORS = { out: 1, err: 2 } as const;

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

/** Reads the arguments of `write` after the chunk: an encoding, a callback. */
function doneOf(args: readonly unknown[]): Done | undefined {
  const last = typeof args[0] === "function" ? args[0] : args[1];
  return typeof last === "function" ? last as Done : undefined;
}

function createSend(host: HostFunction, channel: Channel): (chunk: unknown) => void {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
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

/** Node's encodings that `write` accepts for text; any other means plain text. */
const BINARY_ENCODINGS = ["hex", "base64", "base64url", "latin1", "binary", "ucs2", "utf16le"];

/** Converts text in an encoding to bytes. */
export type Encode = (text: string, encoding: string) => Uint8Array;

/** One of the two output streams. */
function createOutputStream(
  host: HostFunction,
  channel: Channel,
  encode: Encode,
): OutputStream {
  const send = createSend(host, channel);
  const state = { ended: false };
  const stream = new streams.Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding: unknown, done: Done) {
      send(chunk);
      done();
    },
    final(done: Done) {
      state.ended = true;
      done();
    },
    destroy(error: unknown, done: Done) {
      state.ended = true;
      done(error);
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
  Object.assign(stream, { write, fd: FILE_DESCRIPTORS[channel] });
  return {
    stream,
    ended: () => state.ended,
    print(text) {
      const current = ReflectGet(stream, "write");
      if (current === write) host(channel, text);
      else ReflectApply(current, stream, [text]);
    },
  };
}

/** The standard streams of a process. */
export class StandardStreams {
  readonly #host: HostFunction;
  readonly #encode: Encode;
  readonly #input: StandardInput;
  #out: OutputStream;
  #err: OutputStream;

  constructor(host: HostFunction, encode: Encode, source: InputSource) {
    this.#host = host;
    this.#encode = encode;
    this.#input = new StandardInput(source);
    this.#out = createOutputStream(host, "out", encode);
    this.#err = createOutputStream(host, "err", encode);
  }

  /** The console's ways to the output streams. */
  readonly print = {
    out: (text: string): void => this.#out.print(text),
    err: (text: string): void => this.#err.print(text),
  } as const;

  /** Defines the streams as properties of the process. */
  define(process: object): void {
    const members = {
      stdin: this.#input.stream,
      stdout: this.#out.stream,
      stderr: this.#err.stream,
    };
    for (const [name, stream] of Object.entries(members)) {
      ReflectDefineProperty(process, name, dataDescriptor(stream, true));
    }
    useStandardOutputs(this.#out.stream, this.#err.stream);
  }

  /** Begins a run, with or without input: renews what the previous run used up. */
  beginRun(process: object, hasInput: boolean): void {
    const [out, err] = [this.#out.ended(), this.#err.ended()];
    const input = this.#input.beginRun(hasInput);
    if (out) this.#out = createOutputStream(this.#host, "out", this.#encode);
    if (err) this.#err = createOutputStream(this.#host, "err", this.#encode);
    if (input || out || err) this.define(process);
  }
}
