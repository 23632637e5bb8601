/**
 * `toWeb` and `fromWeb` of `stream`: streams of Node as streams of the web, and back.
 *
 * @module
 */
import { environment } from "./environment.ts";
import { ReadableStream, WritableStream } from "./streams.ts";

interface NodeStream {
  on(event: string, listener: (value: unknown) => void): unknown;
  pause(): unknown;
  resume(): unknown;
  destroy(error?: unknown): unknown;
  write(chunk: unknown, done: (error: unknown) => void): unknown;
  end(done: () => void): unknown;
}

type Constructor = new (options: object) => object;

function member(holder: unknown, name: string): unknown {
  return Reflect.get(Object(holder), name);
}

function readableToWeb(source: NodeStream): ReadableStream<unknown> {
  return new ReadableStream({
    start(controller) {
      let isOver = false;
      const once = (action: () => void) => {
        if (isOver) return;
        isOver = true;
        action();
      };
      source.on("data", (chunk) => {
        // a chunk of bytes is a Buffer, which is not what streams of the web carry
        controller.enqueue(chunk instanceof Uint8Array ? new Uint8Array(chunk) : chunk);
        if ((controller.desiredSize ?? 0) <= 0) source.pause();
      });
      source.on("end", () => once(() => controller.close()));
      source.on("error", (error) => once(() => controller.error(error)));
      source.on("close", () => once(() => controller.close()));
      source.pause();
    },
    pull: () => void source.resume(),
    cancel: (reason) => void source.destroy(reason),
  }, { highWaterMark: 16 });
}

function readableFromWeb(stream: ReadableStream<unknown>, options: object = {}): object {
  const reader = stream.getReader();
  return new (member(environment.stream, "Readable") as Constructor)({
    ...options,
    read(this: { push(chunk: unknown): void; destroy(error: unknown): void }) {
      reader.read().then(
        ({ done, value }) => this.push(done ? null : value),
        (error) => this.destroy(error),
      );
    },
    destroy(error: unknown, done: (error: unknown) => void) {
      const cancelled = reader.cancel(error);
      cancelled.then(() => done(error), () => done(error));
    },
  });
}

function writableToWeb(sink: NodeStream): WritableStream<unknown> {
  return new WritableStream({
    start(controller) {
      sink.on("error", (error) => controller.error(error));
    },
    write: (chunk) =>
      new Promise<void>((resolve, reject) => {
        sink.write(chunk, (error) => error ? reject(error) : resolve());
      }),
    close: () => new Promise<void>((resolve) => void sink.end(resolve)),
    abort: (reason) => void sink.destroy(reason),
  });
}

function writableFromWeb(stream: WritableStream<unknown>, options: object = {}): object {
  const writer = stream.getWriter();
  return new (member(environment.stream, "Writable") as Constructor)({
    ...options,
    write(chunk: unknown, _encoding: unknown, done: (error?: unknown) => void) {
      writer.write(chunk).then(() => done(), done);
    },
    final(done: (error?: unknown) => void) {
      writer.close().then(() => done(), done);
    },
  });
}

/** The functions, by the class that they belong to. */
export const adapters = {
  Readable: { toWeb: readableToWeb, fromWeb: readableFromWeb },
  Writable: { toWeb: writableToWeb, fromWeb: writableFromWeb },
};
