/**
 * The synchronous functions on the content of files: whole files, and open ones.
 *
 * @module
 */
import { TypedArrayPrototypeSet } from "../../primordials.ts";
import { invalidArgument, nodeError, outOfRange } from "../../web/node_error.ts";
import {
  type Options,
  toDescriptor,
  toEncoding,
  toFlags,
  toInteger,
  toMode,
  toNewMode,
  toObjectOptions,
  toOptions,
  toPath,
  toPayload,
  toPosition,
  toView,
  viewedBytes,
} from "./arguments.ts";
import type { FsDependencies } from "./dependencies.ts";
import type { HostFiles } from "./host_files.ts";
import { BigIntStats, type StatReply, Stats } from "./stats.ts";

/** The target of a whole-file function: a descriptor or a path. */
type Target = { readonly fd: number } | { readonly path: string };

/** A number that cannot be a descriptor is an invalid path. */
function toTarget(value: unknown): Target {
  return typeof value === "number" && value >>> 0 === value
    ? { fd: toDescriptor(value) }
    : { path: toPath(value) };
}

/** A read's view and bounds. */
interface ReadRange {
  readonly view: ArrayBufferView<ArrayBuffer>;
  readonly offset: number;
  readonly length: number;
  readonly position: number | null;
}

function toReadRange(buffer: unknown, rest: readonly unknown[]): ReadRange {
  const view = toView(buffer);
  const [first, second, third] = rest;
  const options: Options = typeof first === "number" || rest.length > 1
    ? { offset: first, length: second, position: third }
    : toObjectOptions(first);
  const offset = options.offset === undefined || options.offset === null
    ? 0
    : toInteger(options.offset, "offset", 0);
  const room = view.byteLength - offset;
  const length = options.length === undefined || options.length === null
    ? room
    : toInteger(options.length, "length");
  if (length < 0) throw outOfRange("length", ">= 0", length);
  if (length > 0 && view.byteLength === 0) {
    const message = "The argument 'buffer' is empty and cannot be written. Received <Buffer >";
    throw nodeError(TypeError, "ERR_INVALID_ARG_VALUE", message);
  }
  if (length > room) throw outOfRange("length", `<= ${room}`, length);
  return { view, offset, length, position: toPosition(options.position) };
}

/** A write's data and position. */
function toWriteRequest(data: unknown, rest: readonly unknown[]) {
  if (typeof data === "string") {
    const payload = toPayload(data, rest[1]);
    return { ...payload, position: toPosition(rest[0]), length: payload.fields.text?.length ?? 0 };
  }
  if (!ArrayBuffer.isView(data)) {
    const expected = "of type string or an instance of Buffer, TypedArray, or DataView";
    throw invalidArgument("buffer", expected, data);
  }
  const { view, offset, length, position } = toReadRange(data, rest);
  return { fields: {}, bytes: viewedBytes(view, offset, length), position, length };
}

/** Makes the functions. */
export function createSyncFiles(host: HostFiles, deps: FsDependencies) {
  function writeWhole(file: unknown, data: unknown, value: unknown, flag: string): void {
    const options = toOptions(value);
    const { fields, bytes } = toPayload(data, options.encoding);
    const flags = toFlags(options.flag, flag);
    const mode = toNewMode(options.mode);
    host.value({ op: "writeFile", ...toTarget(file), flags, mode, ...fields }, bytes);
  }

  function readSync(fd: unknown, buffer: unknown, ...rest: unknown[]): number {
    const descriptor = toDescriptor(fd);
    const { view, offset, length, position } = toReadRange(buffer, rest);
    if (length === 0) return 0;
    const bytes = new Uint8Array(host.bytes({ op: "read", fd: descriptor, length, position }));
    const { buffer: memory, byteOffset, byteLength } = view;
    TypedArrayPrototypeSet(new Uint8Array(memory, byteOffset, byteLength), bytes, offset);
    return bytes.length;
  }

  function writeSync(fd: unknown, data: unknown, ...rest: unknown[]): number {
    const descriptor = toDescriptor(fd);
    const { fields, bytes, position } = toWriteRequest(data, rest);
    return Number(host.value({ op: "write", fd: descriptor, position, ...fields }, bytes));
  }

  function syncDescriptor(fd: unknown, call: string): void {
    host.value({ op: "sync", call, fd: toDescriptor(fd) });
  }

  return {
    readSync,
    writeSync,

    readFileSync(file: unknown, value?: unknown): unknown {
      const options = toOptions(value);
      const encoding = toEncoding(options.encoding);
      const flags = toFlags(options.flag, "r");
      const request = { op: "readFile", ...toTarget(file), flags, encoding };
      return encoding === undefined ? deps.buffer(host.bytes(request)) : host.value(request);
    },

    writeFileSync(file: unknown, data: unknown, options?: unknown): void {
      writeWhole(file, data, options, "w");
    },

    appendFileSync(file: unknown, data: unknown, options?: unknown): void {
      writeWhole(file, data, options, "a");
    },

    openSync(path: unknown, flags?: unknown, mode?: unknown): number {
      const request = { op: "open", path: toPath(path), flags: toFlags(flags, "r") };
      return Number(host.value({ ...request, mode: toNewMode(mode) }));
    },

    closeSync(fd: unknown): void {
      host.value({ op: "close", fd: toDescriptor(fd) });
    },

    readvSync(fd: unknown, buffers: unknown, position?: unknown): number {
      return eachView(buffers, position, (view, at) => readSync(fd, view, 0, view.byteLength, at));
    },

    writevSync(fd: unknown, buffers: unknown, position?: unknown): number {
      return eachView(buffers, position, (view, at) => writeSync(fd, view, 0, view.byteLength, at));
    },

    fstatSync(fd: unknown, options?: unknown): Stats | BigIntStats {
      const reply = host.value({ op: "fstat", fd: toDescriptor(fd) }) as StatReply;
      return toObjectOptions(options).bigint === true ? new BigIntStats(reply) : new Stats(reply);
    },

    ftruncateSync(fd: unknown, length: unknown = 0): void {
      const size = Math.max(0, toInteger(length ?? 0, "len"));
      host.value({ op: "ftruncate", fd: toDescriptor(fd), size });
    },

    truncateSync(path: unknown, length: unknown = 0): void {
      const size = Math.max(0, toInteger(length ?? 0, "len"));
      if (typeof path === "number") host.value({ op: "ftruncate", fd: toDescriptor(path), size });
      else host.value({ op: "truncate", path: toPath(path), size });
    },

    fchmodSync(fd: unknown, mode: unknown): void {
      host.value({ op: "fchmod", fd: toDescriptor(fd), mode: toMode(mode) });
    },

    fchownSync(fd: unknown): void {
      syncDescriptor(fd, "fchown");
    },

    fsyncSync(fd: unknown): void {
      syncDescriptor(fd, "fsync");
    },

    fdatasyncSync(fd: unknown): void {
      syncDescriptor(fd, "fdatasync");
    },
  };
}

/** Calls a function for each view in turn, up to the first that it does not fill. */
function eachView(
  buffers: unknown,
  position: unknown,
  run: (view: ArrayBufferView<ArrayBuffer>, at: number | null) => number,
): number {
  if (!Array.isArray(buffers)) throw invalidArgument("buffers", "an ArrayBufferView[]", buffers);
  const views = buffers.map(toView);
  const start = toPosition(position);
  let total = 0;
  for (const view of views) {
    const count = run(view, start === null ? null : start + total);
    total += count;
    if (count < view.byteLength) break;
  }
  return total;
}
