/**
 * `FileHandle`: the result of `fs.promises.open`.
 *
 * @module
 */
import { setName } from "../../web/expose.ts";
import { handleReadArguments } from "./callbacks.ts";
import type { Deliver } from "./deliver.ts";
import type { FsDependencies } from "./dependencies.ts";
import type { createStreams } from "./streams.ts";
import type { createSyncFiles } from "./sync_files.ts";
import type { createSyncTree } from "./sync_tree.ts";

type SyncFiles = ReturnType<typeof createSyncFiles> & {
  futimesSync(fd: unknown, atime: unknown, mtime: unknown): void;
};

/** The functions that handles call. */
export interface HandleParts {
  readonly files: SyncFiles;
  readonly tree: ReturnType<typeof createSyncTree>;
  readonly streams: ReturnType<typeof createStreams>;
  readonly deliver: Deliver;
  readonly deps: FsDependencies;
  /** Throws: there is nothing to watch files with. */
  readonly watch: (path: unknown) => never;
}

type Answer<Result> = Promise<Result> | undefined;

/** An open file. It is closed at the end of the run at the latest. */
export class FileHandle {
  readonly #parts: HandleParts;
  #fd: number;

  constructor(parts: HandleParts, fd: number) {
    this.#parts = parts;
    this.#fd = fd;
  }

  get fd(): number {
    return this.#fd;
  }

  close(): Answer<void> {
    if (this.#fd === -1) return this.#parts.deliver(() => {});
    const fd = this.#fd;
    this.#fd = -1;
    return this.#parts.deliver(() => this.#parts.files.closeSync(fd));
  }

  readFile(options?: unknown): Answer<unknown> {
    return this.#run("read", (fd) => this.#parts.files.readFileSync(fd, options));
  }

  writeFile(data: unknown, options?: unknown): Answer<void> {
    return this.#run("write", (fd) => this.#parts.files.writeFileSync(fd, data, options));
  }

  appendFile(data: unknown, options?: unknown): Answer<void> {
    return this.#run("write", (fd) => this.#parts.files.appendFileSync(fd, data, options));
  }

  read(...args: unknown[]): Answer<{ bytesRead: number; buffer: unknown }> {
    return this.#run("read", (fd) => {
      const all = handleReadArguments(fd, args, this.#parts.deps);
      return { bytesRead: this.#parts.files.readSync(...all), buffer: all[1] };
    });
  }

  readv(buffers: unknown, position?: unknown): Answer<{ bytesRead: number; buffers: unknown }> {
    return this.#run("read", (fd) => {
      return { bytesRead: this.#parts.files.readvSync(fd, buffers, position), buffers };
    });
  }

  write(data: unknown, ...rest: unknown[]): Answer<{ bytesWritten: number; buffer: unknown }> {
    return this.#run("write", (fd) => {
      return { bytesWritten: this.#parts.files.writeSync(fd, data, ...rest), buffer: data };
    });
  }

  writev(buffers: unknown, position?: unknown): Answer<{ bytesWritten: number; buffers: unknown }> {
    return this.#run("write", (fd) => {
      return { bytesWritten: this.#parts.files.writevSync(fd, buffers, position), buffers };
    });
  }

  stat(options?: unknown): Answer<unknown> {
    return this.#run("fstat", (fd) => this.#parts.files.fstatSync(fd, options));
  }

  truncate(length?: unknown): Answer<void> {
    return this.#run("ftruncate", (fd) => this.#parts.files.ftruncateSync(fd, length));
  }

  chmod(mode: unknown): Answer<void> {
    return this.#run("fchmod", (fd) => this.#parts.files.fchmodSync(fd, mode));
  }

  chown(): Answer<void> {
    return this.#run("fchown", (fd) => this.#parts.files.fchownSync(fd));
  }

  utimes(atime: unknown, mtime: unknown): Answer<void> {
    return this.#run("futime", (fd) => {
      this.#parts.files.futimesSync(fd, atime, mtime);
    });
  }

  sync(): Answer<void> {
    return this.#run("fsync", (fd) => this.#parts.files.fsyncSync(fd));
  }

  datasync(): Answer<void> {
    return this.#run("fdatasync", (fd) => this.#parts.files.fdatasyncSync(fd));
  }

  createReadStream(options?: object): unknown {
    return this.#parts.streams.createReadStream("", { ...options, fd: this.#fd });
  }

  createWriteStream(options?: object): unknown {
    return this.#parts.streams.createWriteStream("", { ...options, fd: this.#fd });
  }

  /** The lines of the file, starting at the handle's offset. */
  async *readLines(): AsyncGenerator<string> {
    const text = String(await this.readFile("utf8"));
    const lines = text.split(/\r\n|\n|\r/);
    if (lines.at(-1) === "") lines.pop();
    yield* lines;
  }

  [Symbol.asyncDispose](): Answer<void> {
    return this.close();
  }

  #run<Result>(syscall: string, run: (fd: number) => Result): Answer<Result> {
    const { deliver } = this.#parts;
    if (this.#fd !== -1) return deliver(() => run(this.#fd));
    return deliver(() => {
      throw Object.assign(new Error("file closed"), { code: "EBADF", syscall });
    });
  }
}

/** Names the class as guests see it. */
export function exposeFileHandle(): void {
  setName(FileHandle, "FileHandle");
}
