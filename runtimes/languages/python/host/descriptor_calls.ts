/**
 * System calls on descriptors.
 *
 * @module
 */
import type { SeekOrigin } from "../../../files/descriptor_table.ts";
import { FileError } from "../../../files/file_error.ts";
import type { Inode } from "../../../files/inode.ts";
import type { OpenFile } from "../../../files/open_file.ts";
import { refused, systemCall, wasiCall } from "./file_call.ts";
import type { GuestMemory } from "./guest_memory.ts";
import type { GuestProcess } from "./guest_process.ts";
import { visibleNumber } from "./inode_numbers.ts";
import {
  DIRENT_BYTES,
  writeDescriptorStat,
  writeDirent,
  writeStat,
  writeStatFs,
} from "./records.ts";

const SEEK_ORIGINS: readonly SeekOrigin[] = ["start", "current", "end"];
/** Commands of `fcntl`, as musl numbers them. */
const F_DUPFD = 0;
const F_GETFD = 1;
const F_SETFD = 2;
const F_GETFL = 3;
const F_SETFL = 4;
const F_GETLK = 12;
const F_SETLK = 13;
const F_SETLKW = 14;
const F_DUPFD_CLOEXEC = 1030;
const F_UNLCK = 2;
const O_WRONLY = 1;
const O_RDWR = 2;
const O_APPEND = 0x400;
const POLL_BYTES = 8;
const MAX_POLLED = 1024;
const POLL_READY = 0x5;
const POLL_INVALID = 0x20;
const POLL_ALWAYS = 0x18;
const PERMISSION_BITS = 0o777;
/** Fuel for a buffer, for a returned directory entry, and for a polled descriptor. */
const VECTOR_FUEL = 6_000;
const ENTRY_FUEL = 5_000;
const POLLED_FUEL = 1_500;

interface Payer {
  readonly memory: GuestMemory;
  charge(units: number): void;
}

/** Moves bytes through each buffer until one is not filled. Returns the number of bytes. */
function transfer(
  { memory, charge }: Payer,
  vectors: { readonly at: number; readonly count: number },
  move: (bytes: Uint8Array<ArrayBuffer>, done: number) => number,
): number {
  const spans = memory.vectors(vectors.at, vectors.count);
  charge(spans.length * VECTOR_FUEL);
  const all = spans.reduce((sum, { length }) => sum + length, 0);
  if (all > memory.size.bytes) throw new FileError("EINVAL"); // the buffers overlap
  let done = 0;
  for (const { at, length } of spans) {
    if (length === 0) continue;
    const count = move(memory.span(at, length), done);
    done += count;
    if (count < length) break;
  }
  return done;
}

function statusFlags(file: OpenFile): number {
  const access = file.readable ? (file.writable ? O_RDWR : 0) : O_WRONLY;
  return access | (file.append ? O_APPEND : 0);
}

function control(process: GuestProcess, descriptor: number, command: number, at: number): number {
  const { files: { descriptors }, memory } = process;
  const file = descriptors.get(descriptor);
  switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
      return descriptors.duplicate(descriptor, memory.i32(at));
    case F_GETFD:
    case F_SETFD:
    case F_SETLK:
    case F_SETLKW:
      return 0;
    case F_GETFL:
      return statusFlags(file);
    case F_SETFL:
      file.append = (memory.i32(at) & O_APPEND) !== 0;
      return 0;
    case F_GETLK:
      memory.view.setInt16(memory.u32(at), F_UNLCK, true);
      return 0;
    default:
      throw new FileError("EINVAL");
  }
}

/** Fills `struct dirent`s, beginning at the offset of the open directory. */
function readDirectory(
  process: GuestProcess,
  descriptor: number,
  to: number,
  room: number,
): number {
  const { files, memory } = process;
  const { descriptors } = files;
  const directory = descriptors.directory(descriptor);
  const file = descriptors.get(descriptor);
  const entries = descriptors.entries(descriptor, file.position === 0);
  const count = Math.min(
    Math.floor((room >>> 0) / DIRENT_BYTES),
    Math.max(0, entries.length + 2 - file.position),
  );
  const nameOf = (index: number): readonly [string, Inode] => {
    if (index === 0) return [".", directory];
    if (index === 1) return ["..", directory.parent ?? directory];
    const inode = entries[index - 2] ?? directory;
    return [inode.entryName, inode];
  };
  process.charge(count * ENTRY_FUEL);
  for (let done = 0; done < count; done++) {
    const index = file.position++;
    const [name, inode] = nameOf(index);
    const number = visibleNumber(inode, files.workspace);
    writeDirent(memory, (to >>> 0) + done * DIRENT_BYTES, { name, inode, index, number });
  }
  return count * DIRENT_BYTES;
}

/** Polls descriptors. Files and streams are always ready; a guest can wait only for time. */
function poll(process: GuestProcess, at: number, count: number, timeout: number): number {
  const { files: { descriptors }, memory } = process;
  if (count >>> 0 > MAX_POLLED) throw new FileError("EINVAL");
  const open = new Set(descriptors.numbers());
  process.charge(((count >>> 0) + open.size) * POLLED_FUEL);
  let ready = 0;
  for (let index = 0; index < count; index++) {
    const record = (at >>> 0) + index * POLL_BYTES;
    const descriptor = memory.i32(record);
    const wanted = memory.view.getInt16(record + 4, true) | POLL_ALWAYS | POLL_INVALID;
    const state = open.has(descriptor) ? POLL_READY : POLL_INVALID;
    const events = descriptor < 0 ? 0 : state & wanted;
    memory.view.setInt16(record + 6, events, true);
    if (events !== 0) ready++;
  }
  if (ready === 0) process.sleep(timeout < 0 ? Infinity : timeout);
  return ready;
}

/** The calls of WASI: they answer with an error number. */
export function wasiDescriptorCalls(process: GuestProcess) {
  const { files: { descriptors }, memory } = process;
  const payer: Payer = { memory, charge: (units) => process.charge(units) };
  return {
    fd_close: (descriptor: number) => wasiCall(process, () => descriptors.close(descriptor)),
    fd_read: (descriptor: number, at: number, count: number, result: number) =>
      wasiCall(process, () => {
        const read = transfer(
          payer,
          { at, count },
          (bytes) => descriptors.read(descriptor, bytes),
        );
        memory.setU32(result, read);
      }),
    fd_pread: (descriptor: number, at: number, count: number, from: bigint, result: number) =>
      wasiCall(process, () => {
        const start = Number(from);
        const read = transfer(
          payer,
          { at, count },
          (bytes, done) => descriptors.readAt(descriptor, bytes, start + done),
        );
        memory.setU32(result, read);
      }),
    fd_write: (descriptor: number, at: number, count: number, result: number) =>
      wasiCall(process, () => {
        const written = transfer(payer, { at, count }, (bytes) => {
          descriptors.write(descriptor, bytes);
          return bytes.length;
        });
        memory.setU32(result, written);
      }),
    fd_pwrite: (descriptor: number, at: number, count: number, from: bigint, result: number) =>
      wasiCall(process, () => {
        const start = Number(from);
        const written = transfer(payer, { at, count }, (bytes, done) => {
          descriptors.writeAt(descriptor, bytes, start + done);
          return bytes.length;
        });
        memory.setU32(result, written);
      }),
    fd_seek: (descriptor: number, offset: bigint, whence: number, result: number) =>
      wasiCall(process, () => {
        const origin = SEEK_ORIGINS[whence];
        if (origin === undefined) throw new FileError("EINVAL");
        const position = descriptors.seek(descriptor, Number(offset), origin);
        memory.setI64(result, BigInt(position));
      }),
    fd_sync: (descriptor: number) => wasiCall(process, () => void descriptors.get(descriptor)),
    fd_fdstat_get: (descriptor: number, at: number) =>
      wasiCall(process, () => {
        writeDescriptorStat(memory, at, descriptors.stat(descriptor).kind);
      }),
  };
}

/** The calls of Linux: they answer with a negative error number. */
export function descriptorCalls(process: GuestProcess) {
  const { files, memory } = process;
  const { descriptors } = files;
  return {
    __syscall_fcntl64: (descriptor: number, command: number, at: number) =>
      systemCall(process, () => control(process, descriptor, command, at)),
    // No descriptor is a terminal or a device with controls.
    __syscall_ioctl: (descriptor: number) =>
      systemCall(process, () => {
        descriptors.get(descriptor);
        throw new FileError("ENOTTY");
      }),
    __syscall_dup: (descriptor: number) =>
      systemCall(process, () => descriptors.duplicate(descriptor)),
    __syscall_dup3: (descriptor: number, target: number) =>
      systemCall(process, () => {
        if (descriptor === target) throw new FileError("EINVAL");
        descriptors.duplicateTo(descriptor, target);
        return target;
      }),
    __syscall_fchdir: (descriptor: number) =>
      systemCall(process, () => {
        process.workingDirectory = descriptors.directory(descriptor);
        return 0;
      }),
    __syscall_fchmod: (descriptor: number, mode: number) =>
      systemCall(process, () => {
        files.data.setMode(descriptors.get(descriptor).inode, mode & PERMISSION_BITS);
        return 0;
      }),
    // There are no owners to change.
    __syscall_fchown32: (descriptor: number) =>
      systemCall(process, () => {
        descriptors.get(descriptor);
        throw new FileError("EPERM");
      }),
    __syscall_pipe: (to: number) =>
      systemCall(process, () => {
        memory.span(to, 8);
        const { readEnd, writeEnd } = files.openPipe();
        memory.setU32(to, readEnd);
        memory.setU32(to + 4, writeEnd);
        return 0;
      }),
    __syscall_fdatasync: (descriptor: number) =>
      systemCall(process, () => {
        descriptors.get(descriptor);
        return 0;
      }),
    __syscall_fstat64: (descriptor: number, to: number) =>
      systemCall(process, () => {
        const { inode } = descriptors.get(descriptor);
        const number = visibleNumber(inode, files.workspace);
        writeStat(memory, to, descriptors.stat(descriptor), number);
        return 0;
      }),
    __syscall_fstatfs64: (descriptor: number, _size: number, to: number) =>
      systemCall(process, () => {
        writeStatFs(memory, to, descriptors.get(descriptor).inode.volume);
        return 0;
      }),
    __syscall_ftruncate64: (descriptor: number, size: bigint) =>
      systemCall(process, () => {
        descriptors.truncate(descriptor, Number(size));
        return 0;
      }),
    __syscall_fallocate: (descriptor: number, mode: number, offset: bigint, length: bigint) =>
      systemCall(process, () => {
        if (mode !== 0) return refused("ENOTSUP");
        const size = Number(offset) + Number(length);
        if (offset < 0n || length <= 0n) throw new FileError("EINVAL");
        if (size > descriptors.stat(descriptor).size) descriptors.truncate(descriptor, size);
        return 0;
      }),
    __syscall_getdents64: (descriptor: number, to: number, room: number) =>
      systemCall(process, () => readDirectory(process, descriptor, to, room)),
    __syscall_poll: (at: number, count: number, timeout: number) =>
      systemCall(process, () => poll(process, at, count, timeout)),
  };
}
