/**
 * `fs.ReadStream` and `fs.WriteStream`, over the stream classes of the environment. Each step is a
 * separate task, as in Node, where a thread does it: other tasks run between steps.
 *
 * @module
 */
import { setName } from "../../web/expose.ts";
import { type Options, toFlags, toInteger, toObjectOptions, toPath } from "./arguments.ts";
import type { FsDependencies, WritableBase } from "./dependencies.ts";
import type { createSyncFiles } from "./sync_files.ts";

const DEFAULT_CHUNK_BYTES = 64 * 1024;

type SyncFiles = ReturnType<typeof createSyncFiles>;
type Done = (error?: unknown) => void;

/** Runs a step of a stream and reports its outcome. */
function report(done: Done, step: () => void): void {
  try {
    step();
  } catch (error) {
    return done(error);
  }
  done();
}

/** The start and end of a stream, and its descriptor. */
interface Source {
  readonly path: string | undefined;
  readonly given: number | undefined;
  readonly flags: number;
  readonly mode: unknown;
  readonly start: number | undefined;
  readonly autoClose: boolean;
  readonly encoding: unknown;
}

function toSource(path: unknown, options: Options, flag: string): Source {
  const { fd, start } = options;
  const given = typeof fd === "number" ? fd : descriptorOf(fd);
  return {
    path: given === undefined ? toPath(path) : undefined,
    given,
    flags: toFlags(options.flags, flag),
    mode: options.mode,
    start: start === undefined ? undefined : toInteger(start, "start", 0),
    autoClose: options.autoClose !== false,
    encoding: options.encoding,
  };
}

/** The descriptor of a FileHandle. */
function descriptorOf(handle: unknown): number | undefined {
  if (typeof handle !== "object" || handle === null || !("fd" in handle)) return undefined;
  return typeof handle.fd === "number" ? handle.fd : undefined;
}

function optionsOf(options: unknown): Options {
  return typeof options === "string" ? { encoding: options } : toObjectOptions(options);
}

/** Opens lazily, closes once. */
class StreamFile {
  readonly #files: SyncFiles;
  readonly #source: Source;
  fd: number | null = null;

  constructor(files: SyncFiles, source: Source) {
    this.#files = files;
    this.#source = source;
    this.fd = source.given ?? null;
  }

  get autoClose(): boolean {
    return this.#source.autoClose;
  }

  open(): number {
    const { path, flags, mode } = this.#source;
    this.fd ??= this.#files.openSync(path, flags, mode);
    return this.fd;
  }

  close(): void {
    const { fd } = this;
    if (fd === null || !this.autoClose) return;
    this.fd = null;
    this.#files.closeSync(fd);
  }
}

/** Makes the classes and the functions that make streams. */
export function createStreams(files: SyncFiles, deps: FsDependencies) {
  const { Readable, Writable } = deps.streams;
  const later = (done: Done, step: () => void) => deps.defer(() => report(done, step));

  /** How the file behind a stream is opened and closed. */
  const lifeOf = (file: StreamFile, stream: () => WritableBase) => ({
    autoDestroy: file.autoClose,
    construct: (done: Done) =>
      later(done, () => {
        const fd = file.open();
        stream().emit("open", fd);
        stream().emit("ready");
      }),
    destroy: (error: unknown, done: Done) =>
      later((failed) => done(failed ?? error), () => file.close()),
  });

  class ReadStream extends Readable {
    readonly path: string | undefined;
    readonly flags: number;
    bytesRead = 0;
    readonly #file: StreamFile;

    constructor(path: unknown, value?: unknown) {
      const options = optionsOf(value);
      const source = toSource(path, options, "r");
      const end = options.end === undefined ? Infinity : toEnd(options.end);
      const file = new StreamFile(files, source);
      let position = source.start;
      let left = end === Infinity ? Infinity : end + 1 - (source.start ?? 0);
      super({
        highWaterMark: options.highWaterMark ?? DEFAULT_CHUNK_BYTES,
        encoding: source.encoding ?? undefined,
        ...lifeOf(file, () => this),
        read: (size: number) =>
          deps.defer(() => {
            this.#pull(Math.min(size, left), position, (count) => {
              left -= count;
              if (position !== undefined) position += count;
            });
          }),
      });
      this.#file = file;
      this.path = source.path;
      this.flags = source.flags;
    }

    get fd(): number | null {
      return this.#file.fd;
    }

    get pending(): boolean {
      return this.fd === null;
    }

    close(callback?: unknown): void {
      closeStream(this, callback);
    }

    #pull(size: number, position: number | undefined, advance: (count: number) => void): void {
      if (this.#file.fd === null) return; // destroyed since
      try {
        const chunk = deps.buffer(new ArrayBuffer(Math.max(0, size)));
        const count = files.readSync(this.#file.fd, chunk, 0, chunk.length, position);
        advance(count);
        this.bytesRead += count;
        this.push(count === 0 ? null : chunk.subarray(0, count));
      } catch (error) {
        this.destroy(error);
      }
    }
  }

  class WriteStream extends Writable {
    readonly path: string | undefined;
    readonly flags: number;
    bytesWritten = 0;
    readonly #file: StreamFile;

    constructor(path: unknown, value?: unknown) {
      const options = optionsOf(value);
      const source = toSource(path, options, "w");
      const file = new StreamFile(files, source);
      let position = source.start;
      super({
        highWaterMark: options.highWaterMark,
        defaultEncoding: source.encoding ?? "utf8",
        ...lifeOf(file, () => this),
        write: (chunk: unknown, _encoding: unknown, done: Done) =>
          later(done, () => {
            const count = files.writeSync(file.fd, chunk, 0, undefined, position);
            this.bytesWritten += count;
            if (position !== undefined) position += count;
          }),
      });
      this.#file = file;
      this.path = source.path;
      this.flags = source.flags;
    }

    get fd(): number | null {
      return this.#file.fd;
    }

    get pending(): boolean {
      return this.fd === null;
    }

    close(callback?: unknown): void {
      closeStream(this, callback);
    }
  }

  setName(ReadStream, "ReadStream");
  setName(WriteStream, "WriteStream");
  return {
    ReadStream,
    WriteStream,
    createReadStream: (path: unknown, options?: unknown) => new ReadStream(path, options),
    createWriteStream: (path: unknown, options?: unknown) => new WriteStream(path, options),
  };
}

function toEnd(value: unknown): number {
  return value === Infinity ? Infinity : toInteger(value, "end", 0);
}

function closeStream(stream: WritableBase, callback: unknown): void {
  if (typeof callback === "function") stream.once("close", callback);
  stream.destroy();
}
