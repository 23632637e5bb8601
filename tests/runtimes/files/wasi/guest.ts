/**
 * A stand-in for a WASI guest: a memory, and calls with what a C library would pass.
 *
 * @module
 */
import { MemorySize } from "../../../../runtimes/engine/memory_size.ts";
import { WasiHost, type WasiHostOptions } from "../../../../runtimes/files/wasi/host.ts";
import { RIGHTS } from "../../../../runtimes/files/wasi/abi.ts";

/** Errors by their numbers in the standard (not read from the table under test). */
export const E = {
  SUCCESS: 0,
  BADF: 8,
  EXIST: 20,
  FAULT: 21,
  FBIG: 22,
  ILSEQ: 25,
  INVAL: 28,
  ISDIR: 31,
  MFILE: 33,
  NAMETOOLONG: 37,
  NOENT: 44,
  NOSPC: 51,
  NOTDIR: 54,
  NOTEMPTY: 55,
  PERM: 63,
  ROFS: 69,
  SPIPE: 70,
  XDEV: 75,
} as const;

export const ROOT = 3;
const RESULT = 64;
const STRUCT = 1_024;
const TEXT = 8_192;
const DATA = 16_384;
const PAGES = 4;

/** The result of a call: errno, and the first word that it wrote. */
export interface Answer {
  readonly errno: number;
  readonly value: number;
}

export interface OpenOptions {
  readonly oflags?: number;
  readonly fdflags?: number;
  readonly read?: boolean;
  readonly write?: boolean;
}

export class Guest {
  readonly host: WasiHost;
  readonly memory = new WebAssembly.Memory({ initial: PAGES });
  readonly time = { ms: 0 };
  charged = 0;

  constructor(options: Partial<WasiHostOptions> = {}) {
    this.host = new WasiHost({
      time: { now: () => 1_700_000_000_000, monotonic: () => this.time.ms },
      random: (into) => void into.fill(7),
      charge: (units) => {
        this.charged += units;
      },
      ...options,
    });
    this.host.attach(this.memory, new MemorySize(this.memory, {}));
  }

  get view(): DataView {
    return new DataView(this.memory.buffer);
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.memory.buffer);
  }

  call(name: string, ...args: (number | bigint)[]): number {
    const operation = this.host.calls[name];
    if (typeof operation !== "function") throw new TypeError(`no call "${name}"`);
    return Reflect.apply(operation, undefined, args);
  }

  /** Writes text to the memory for paths. Returns its address and length. */
  path(text: string | Uint8Array, slot = 0): [number, number] {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    this.bytes.set(bytes, TEXT + slot * 2_048);
    return [TEXT + slot * 2_048, bytes.length];
  }

  open(path: string | Uint8Array, options: OpenOptions = {}, base = ROOT): Answer {
    const { oflags = 0, fdflags = 0, read = true, write = false } = options;
    const rights = (read ? RIGHTS.read : 0n) | (write ? RIGHTS.write : 0n);
    const errno = this.call(
      "path_open",
      base,
      1,
      ...this.path(path),
      oflags,
      rights,
      0n,
      fdflags,
      RESULT,
    );
    return { errno, value: this.view.getUint32(RESULT, true) };
  }

  /** Opens a file; fails when that is not possible. */
  opened(path: string, options: OpenOptions = {}): number {
    const { errno, value } = this.open(path, options);
    if (errno !== 0) throw new Error(`open ${path}: errno ${errno}`);
    return value;
  }

  write(fd: number, ...parts: string[]): Answer {
    let at = DATA;
    parts.forEach((part, index) => {
      const bytes = new TextEncoder().encode(part);
      this.bytes.set(bytes, at);
      this.view.setUint32(STRUCT + index * 8, at, true);
      this.view.setUint32(STRUCT + index * 8 + 4, bytes.length, true);
      at += bytes.length;
    });
    const errno = this.call("fd_write", fd, STRUCT, parts.length, RESULT);
    return { errno, value: this.view.getUint32(RESULT, true) };
  }

  read(fd: number, ...lengths: number[]): Answer & { readonly text: string } {
    let at = DATA;
    lengths.forEach((length, index) => {
      this.view.setUint32(STRUCT + index * 8, at, true);
      this.view.setUint32(STRUCT + index * 8 + 4, length, true);
      at += length;
    });
    const errno = this.call("fd_read", fd, STRUCT, lengths.length, RESULT);
    const value = errno === 0 ? this.view.getUint32(RESULT, true) : 0;
    return { errno, value, text: this.text(DATA, value) };
  }

  text(pointer: number, length: number): string {
    return new TextDecoder().decode(this.bytes.slice(pointer, pointer + length));
  }

  seek(fd: number, offset: number, whence: number): Answer {
    const errno = this.call("fd_seek", fd, BigInt(offset), whence, RESULT);
    return { errno, value: Number(this.view.getBigUint64(RESULT, true)) };
  }

  /** A `filestat`. */
  stat(path: string): {
    errno: number;
    type: number;
    size: number;
    links: number;
    inode: number;
    mtimeNs: bigint;
  } {
    const errno = this.call("path_filestat_get", ROOT, 1, ...this.path(path), STRUCT);
    return { errno, ...this.#filestat() };
  }

  #filestat() {
    const { view } = this;
    return {
      inode: Number(view.getBigUint64(STRUCT + 8, true)),
      type: view.getUint8(STRUCT + 16),
      links: Number(view.getBigUint64(STRUCT + 24, true)),
      size: Number(view.getBigUint64(STRUCT + 32, true)),
      mtimeNs: view.getBigUint64(STRUCT + 48, true),
    };
  }

  /** Filetype, flags and rights of an open descriptor. */
  fdstat(fd: number): { errno: number; type: number; flags: number; rights: bigint } {
    const errno = this.call("fd_fdstat_get", fd, STRUCT);
    const { view } = this;
    return {
      errno,
      type: view.getUint8(STRUCT),
      flags: view.getUint16(STRUCT + 2, true),
      rights: view.getBigUint64(STRUCT + 8, true),
    };
  }

  /** A call on one path. */
  onPath(name: string, path: string): number {
    return this.call(name, ROOT, ...this.path(path));
  }

  rename(from: string, to: string): number {
    return this.call("path_rename", ROOT, ...this.path(from), ROOT, ...this.path(to, 1));
  }

  /** The names of a directory, read through a buffer of `length` bytes. */
  list(fd: number, length: number): { errno: number; names: string[] } {
    const names: string[] = [];
    for (let cookie = 0n;;) {
      const errno = this.call("fd_readdir", fd, DATA, length, cookie, RESULT);
      if (errno !== 0) return { errno, names };
      const used = this.view.getUint32(RESULT, true);
      let at = 0;
      let taken = 0;
      while (at + 24 <= used) {
        const size = this.view.getUint32(DATA + at + 16, true);
        if (at + 24 + size > used) break;
        names.push(this.text(DATA + at + 24, size));
        cookie = this.view.getBigUint64(DATA + at, true);
        at += 24 + size;
        taken++;
      }
      if (used < length) return { errno, names };
      if (taken === 0) throw new Error("the buffer holds no entry");
    }
  }
}
