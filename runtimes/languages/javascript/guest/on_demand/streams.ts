/**
 * Streams of the web: the npm package `web-streams-polyfill`, shown as Node shows its own, and the
 * streams that transform text and compress bytes.
 *
 * @module
 */
import {
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  ReadableByteStreamController,
  ReadableStream,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
} from "web-streams-polyfill";
import { exposeInterface, INSPECT, inspectAs } from "../web/expose.ts";
import { nodeError } from "../web/node_error.ts";
import { environment } from "./environment.ts";

type Fields = (self: object) => object;
/** A class, whose constructor may be private. */
type Shown = { readonly prototype: object };

const read = (self: unknown, name: string): unknown => Reflect.get(Object(self), name);

/** Shows the instances of a class with these fields. */
function show({ prototype }: Shown, name: string, fields: Fields): void {
  const value = function (this: object, ...args: readonly unknown[]): unknown {
    if (!Object.prototype.isPrototypeOf.call(prototype, this)) return this;
    return inspectAs(this, name, fields(this), args);
  };
  Object.defineProperty(prototype, INSPECT, { value, writable: true, configurable: true });
}

const sides: Fields = (self) => ({
  readable: read(self, "readable"),
  writable: read(self, "writable"),
});

function showPackage(): void {
  show(ReadableStream, "ReadableStream", (self) => ({
    locked: read(self, "locked"),
    state: read(self, "_state"),
    supportsBYOB: read(self, "_readableStreamController") instanceof ReadableByteStreamController,
  }));
  show(WritableStream, "WritableStream", (self) => ({
    locked: read(self, "locked"),
    state: read(self, "_state"),
  }));
  show(TransformStream, "TransformStream", (self) => ({
    ...sides(self),
    backpressure: read(self, "_backpressure"),
  }));
  for (
    const [target, name, requests] of [
      [ReadableStreamDefaultReader, "ReadableStreamDefaultReader", "_readRequests"],
      [ReadableStreamBYOBReader, "ReadableStreamBYOBReader", "_readIntoRequests"],
    ] as const
  ) {
    show(target, name, (self) => ({
      stream: read(self, "_ownerReadableStream"),
      readRequests: read(read(self, requests), "length"),
      close: read(self, "closed"),
    }));
  }
  show(WritableStreamDefaultWriter, "WritableStreamDefaultWriter", (self) => ({
    stream: read(self, "_ownerWritableStream"),
    close: read(self, "closed"),
    ready: read(self, "ready"),
    desiredSize: read(self, "desiredSize"),
  }));
  for (const target of [ByteLengthQueuingStrategy, CountQueuingStrategy]) {
    show(target, target.name, (self) => ({ highWaterMark: read(self, "highWaterMark") }));
  }
  for (
    const target of [
      ...[ReadableByteStreamController, ReadableStreamBYOBRequest, ReadableStreamDefaultController],
      ...[TransformStreamDefaultController, WritableStreamDefaultController],
    ]
  ) {
    show(target, target.name, () => ({}));
  }
}

/** Chunks of bytes, as the standard accepts them. */
function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof ArrayBuffer) return new Uint8Array(chunk);
  if (ArrayBuffer.isView(chunk)) {
    return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  throw nodeError(
    TypeError,
    "ERR_INVALID_ARG_TYPE",
    'The "chunk" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or DataView.',
  );
}

/** Text → UTF-8. */
class TextEncoderStream {
  readonly #stream: TransformStream<unknown, Uint8Array>;

  constructor() {
    const encoder = new TextEncoder();
    let high = "";
    this.#stream = new TransformStream({
      transform(chunk, controller) {
        let text = high + `${chunk}`;
        high = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
        text = text.slice(0, text.length - high.length);
        if (text !== "") controller.enqueue(encoder.encode(text));
      },
      flush(controller) {
        if (high !== "") controller.enqueue(encoder.encode(high));
      },
    });
  }

  get encoding(): string {
    return "utf-8";
  }

  get readable(): ReadableStream<Uint8Array> {
    return this.#stream.readable;
  }

  get writable(): WritableStream<unknown> {
    return this.#stream.writable;
  }
}

/** Bytes → text. */
class TextDecoderStream {
  readonly #decoder: TextDecoder;
  readonly #stream: TransformStream<unknown, string>;

  constructor(encoding: string = "utf-8", options: TextDecoderOptions = {}) {
    const decoder = new TextDecoder(encoding, options);
    this.#decoder = decoder;
    this.#stream = new TransformStream({
      transform(chunk, controller) {
        const text = decoder.decode(new Uint8Array(bytesOf(chunk)), { stream: true });
        if (text !== "") controller.enqueue(text);
      },
      flush(controller) {
        const text = decoder.decode();
        if (text !== "") controller.enqueue(text);
      },
    });
  }

  get encoding(): string {
    return this.#decoder.encoding;
  }

  get fatal(): boolean {
    return this.#decoder.fatal;
  }

  get ignoreBOM(): boolean {
    return this.#decoder.ignoreBOM;
  }

  get readable(): ReadableStream<string> {
    return this.#stream.readable;
  }

  get writable(): WritableStream<unknown> {
    return this.#stream.writable;
  }
}

/** All of a stream's bytes go through a function of `zlib` when the input has ended. */
function zlibStream(method: string): TransformStream<unknown, Uint8Array> {
  const parts: Uint8Array[] = [];
  return new TransformStream({
    transform(chunk) {
      parts.push(bytesOf(chunk).slice());
    },
    flush(controller) {
      const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const part of parts.splice(0)) {
        all.set(part, at);
        at += part.length;
      }
      const work: unknown = Reflect.get(environment.zlib, method);
      const result: unknown = Reflect.apply(Object(work), environment.zlib, [all]);
      const bytes = bytesOf(result);
      if (bytes.length > 0) controller.enqueue(new Uint8Array(bytes));
    },
  });
}

function methodFor(format: unknown, methods: Readonly<Record<string, string>>): string {
  const name = `${format}`;
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method !== undefined) return method;
  const message = `The argument 'format' is invalid. Received '${name}'`;
  throw nodeError(TypeError, "ERR_INVALID_ARG_VALUE", message);
}

class CompressionStream {
  readonly #stream: TransformStream<unknown, Uint8Array>;

  constructor(format: unknown) {
    this.#stream = zlibStream(
      methodFor(format, {
        deflate: "deflateSync",
        "deflate-raw": "deflateRawSync",
        gzip: "gzipSync",
      }),
    );
  }

  get readable(): ReadableStream<Uint8Array> {
    return this.#stream.readable;
  }

  get writable(): WritableStream<unknown> {
    return this.#stream.writable;
  }
}

class DecompressionStream {
  readonly #stream: TransformStream<unknown, Uint8Array>;

  constructor(format: unknown) {
    this.#stream = zlibStream(
      methodFor(format, {
        deflate: "inflateSync",
        "deflate-raw": "inflateRawSync",
        gzip: "gunzipSync",
      }),
    );
  }

  get readable(): ReadableStream<Uint8Array> {
    return this.#stream.readable;
  }

  get writable(): WritableStream<unknown> {
    return this.#stream.writable;
  }
}

/** The stream of some bytes. */
export function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: "bytes",
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes.slice());
      controller.close();
    },
  });
}

/** The classes, prepared for guests. */
export function createStreams() {
  showPackage();
  const own = { TextEncoderStream, TextDecoderStream, CompressionStream, DecompressionStream };
  for (const [name, target] of Object.entries(own)) exposeInterface(target, name);
  show(TextEncoderStream, "TextEncoderStream", (self) => ({
    encoding: read(self, "encoding"),
    ...sides(self),
  }));
  show(TextDecoderStream, "TextDecoderStream", (self) => ({
    encoding: read(self, "encoding"),
    fatal: read(self, "fatal"),
    ignoreBOM: read(self, "ignoreBOM"),
    ...sides(self),
  }));
  show(CompressionStream, "CompressionStream", sides);
  show(DecompressionStream, "DecompressionStream", sides);
  return {
    ByteLengthQueuingStrategy,
    CompressionStream,
    CountQueuingStrategy,
    DecompressionStream,
    ReadableByteStreamController,
    ReadableStream,
    ReadableStreamBYOBReader,
    ReadableStreamBYOBRequest,
    ReadableStreamDefaultController,
    ReadableStreamDefaultReader,
    TextDecoderStream,
    TextEncoderStream,
    TransformStream,
    TransformStreamDefaultController,
    WritableStream,
    WritableStreamDefaultController,
    WritableStreamDefaultWriter,
  };
}

export { ReadableStream, WritableStream };
