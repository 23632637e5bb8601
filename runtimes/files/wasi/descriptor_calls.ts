/**
 * The calls on open files: `fd_*`.
 *
 * @module
 */
import type { SeekOrigin } from "../descriptor_table.ts";
import { FileError } from "../file_error.ts";
import { type DirectoryInode, type Inode, pathOf } from "../inode.ts";
import { FDFLAGS, FILETYPE, SIZE, WHENCE } from "./abi.ts";
import { requestedTime, writeFdStat, writeFileStat } from "./file_stat.ts";
import { type CallOptions, hostCall, moveFuel } from "./host_call.ts";

const encoder = new TextEncoder();
/** Fuel for each buffer of a call, and for each directory entry that is returned. */
const BUFFER_FUEL = 600;
const ENTRY_FUEL = 1_500;
/** Cost of a byte of a buffer that is allocated and filled, in work of the file system. */
const COPY_WORK = 4;

/**
 * The bytes that a guest writes from its buffers; not copied when there is one buffer. More than
 * a file can hold are not joined: the write is a short one, of the first buffer.
 */
function gathered(parts: CallOptions, iovs: number, count: number): Uint8Array<ArrayBuffer> {
  const buffers = guestBuffers(parts, iovs, count);
  const total = buffers.reduce((sum, { length }) => sum + length, 0);
  const [first] = buffers;
  if (first !== undefined && (buffers.length === 1 || total > parts.files.limits.fileBytes)) {
    return first;
  }
  const out = new Uint8Array(total);
  parts.charge(moveFuel(COPY_WORK * total));
  let at = 0;
  for (const buffer of buffers) {
    out.set(buffer, at);
    at += buffer.length;
  }
  return out;
}

/** The buffers of a call. Charges for each. */
function guestBuffers(parts: CallOptions, iovs: number, count: number): Uint8Array<ArrayBuffer>[] {
  const buffers = parts.memory.buffers(iovs, count);
  parts.charge(buffers.length * BUFFER_FUEL);
  return buffers;
}

/** Fills buffers one after the other until a read comes back short. */
function fill(
  buffers: readonly Uint8Array<ArrayBuffer>[],
  read: (into: Uint8Array<ArrayBuffer>, done: number) => number,
): number {
  let done = 0;
  for (const buffer of buffers) {
    const count = read(buffer, done);
    done += count;
    if (count < buffer.length) break;
  }
  return done;
}

/** A position or size from the guest. Numbers too large to be exact exceed every limit anyway. */
function position(value: bigint): number {
  return Number(BigInt.asIntN(64, value));
}

function origin(whence: number): SeekOrigin {
  if (whence === WHENCE.start) return "start";
  if (whence === WHENCE.current) return "current";
  if (whence === WHENCE.end) return "end";
  throw new FileError("EINVAL");
}

/** An entry of a directory. */
interface Listed {
  readonly name: string;
  readonly inode: Inode;
}

/** Entry `index` of a directory: `.` and `..` come first. */
function listed(
  directory: DirectoryInode,
  entries: readonly Inode[],
  index: number,
): Listed | undefined {
  if (index === 0) return { name: ".", inode: directory };
  if (index === 1) return { name: "..", inode: directory.parent ?? directory };
  const inode = entries[index - 2];
  return inode === undefined ? undefined : { name: inode.entryName, inode };
}

function filetype(inode: Inode): number {
  return inode.kind === "device" ? FILETYPE[inode.device.kind] : FILETYPE[inode.kind];
}

function dirent({ name, inode }: Listed, next: number): Uint8Array<ArrayBuffer> {
  const bytes = encoder.encode(name);
  const out = new Uint8Array(SIZE.dirent + bytes.length);
  const view = new DataView(out.buffer);
  view.setBigUint64(0, BigInt(next), true);
  view.setBigUint64(8, BigInt(inode.number), true);
  view.setUint32(16, bytes.length, true);
  view.setUint8(20, filetype(inode));
  out.set(bytes, SIZE.dirent);
  return out;
}

/** Fills a buffer with entries from `cookie` on, cutting the last; returns the bytes used. */
function readDirectory(
  parts: CallOptions,
  descriptor: number,
  into: Uint8Array<ArrayBuffer>,
  cookie: number,
): number {
  const { descriptors } = parts.files;
  const directory = descriptors.directory(descriptor);
  const entries = descriptors.entries(descriptor, cookie === 0);
  let used = 0;
  for (let index = cookie; used < into.length; index++) {
    const entry = listed(directory, entries, index);
    if (entry === undefined) break;
    parts.charge(ENTRY_FUEL);
    const bytes = dirent(entry, index + 1).subarray(0, into.length - used);
    into.set(bytes, used);
    used += bytes.length;
  }
  return used;
}

function transferCalls(parts: CallOptions) {
  const { memory, files: { descriptors } } = parts;
  return {
    fd_read: hostCall(parts, (fd: number, iovs: number, count: number, done: number) => {
      const buffers = guestBuffers(parts, iovs, count);
      if (buffers.length === 0) descriptors.read(fd, new Uint8Array());
      memory.setUint32(done, fill(buffers, (into) => descriptors.read(fd, into)));
    }),
    fd_pread: hostCall(
      parts,
      (fd: number, iovs: number, count: number, offset: bigint, done: number) => {
        const start = position(offset);
        const buffers = guestBuffers(parts, iovs, count);
        if (buffers.length === 0) descriptors.readAt(fd, new Uint8Array(), start);
        memory.setUint32(
          done,
          fill(buffers, (into, from) => descriptors.readAt(fd, into, start + from)),
        );
      },
    ),
    fd_write: hostCall(parts, (fd: number, iovs: number, count: number, done: number) => {
      const bytes = gathered(parts, iovs, count);
      descriptors.write(fd, bytes);
      memory.setUint32(done, bytes.length);
    }),
    fd_pwrite: hostCall(
      parts,
      (fd: number, iovs: number, count: number, offset: bigint, done: number) => {
        const bytes = gathered(parts, iovs, count);
        descriptors.writeAt(fd, bytes, position(offset));
        memory.setUint32(done, bytes.length);
      },
    ),
    fd_readdir: hostCall(
      parts,
      (fd: number, buffer: number, length: number, cookie: bigint, used: number) => {
        const into = memory.bytes(buffer, length);
        const from = Number(BigInt.asUintN(64, cookie));
        memory.setUint32(used, readDirectory(parts, fd, into, from));
      },
    ),
  };
}

function positionCalls(parts: CallOptions) {
  const { memory, files: { descriptors } } = parts;
  const seek = (fd: number, offset: bigint, from: SeekOrigin, result: number) => {
    const at = descriptors.seek(fd, position(offset), from);
    memory.setUint64(result, BigInt(at));
  };
  return {
    fd_seek: hostCall(
      parts,
      (fd: number, offset: bigint, whence: number, result: number) =>
        seek(fd, offset, origin(whence), result),
    ),
    fd_tell: hostCall(parts, (fd: number, result: number) => seek(fd, 0n, "current", result)),
    fd_sync: hostCall(parts, (fd: number) => void descriptors.get(fd)),
    fd_datasync: hostCall(parts, (fd: number) => void descriptors.get(fd)),
    fd_advise: hostCall(
      parts,
      (fd: number, _offset: bigint, _length: bigint, _advice: number) => void descriptors.get(fd),
    ),
  };
}

function statusCalls(parts: CallOptions) {
  const { memory, files, clock } = parts;
  const { descriptors } = files;
  return {
    fd_fdstat_get: hostCall(parts, (fd: number, result: number) => {
      writeFdStat(memory, result, descriptors.stat(fd).kind, descriptors.get(fd));
    }),
    fd_fdstat_set_flags: hostCall(parts, (fd: number, flags: number) => {
      descriptors.get(fd).append = (flags & FDFLAGS.append) !== 0;
    }),
    fd_filestat_get: hostCall(parts, (fd: number, result: number) => {
      writeFileStat(memory, result, descriptors.stat(fd));
    }),
    fd_filestat_set_size: hostCall(parts, (fd: number, size: bigint) => {
      descriptors.truncate(fd, position(size));
    }),
    fd_filestat_set_times: hostCall(
      parts,
      (fd: number, atime: bigint, mtime: bigint, flags: number) => {
        const { inode } = descriptors.get(fd);
        const time = requestedTime(flags, atime, mtime, () => clock.epoch());
        if (time !== undefined) files.data.setTime(inode, time);
      },
    ),
  };
}

function tableCalls(parts: CallOptions) {
  const { memory, preopened, firstDescriptor, files: { descriptors } } = parts;
  const checkGuests = (fd: number) => {
    if (fd >= preopened && fd < firstDescriptor) throw new FileError("EBADF");
  };
  const root = (fd: number): Uint8Array<ArrayBuffer> => {
    if (fd !== preopened) throw new FileError("EBADF");
    return encoder.encode(pathOf(descriptors.directory(fd)));
  };
  return {
    fd_close: hostCall(parts, (fd: number) => {
      checkGuests(fd);
      descriptors.close(fd);
    }),
    fd_renumber: hostCall(parts, (from: number, to: number) => {
      checkGuests(from);
      checkGuests(to);
      descriptors.duplicateTo(from, to);
      if (from !== to) descriptors.close(from);
    }),
    fd_prestat_get: hostCall(parts, (fd: number, result: number) => {
      memory.setUint32(result, 0); // the only kind: a directory
      memory.setUint32((result >>> 0) + 4, root(fd).length);
    }),
    fd_prestat_dir_name: hostCall(parts, (fd: number, buffer: number, length: number) => {
      const name = root(fd);
      if (length >>> 0 < name.length) throw new FileError("ENAMETOOLONG");
      memory.bytes(buffer, name.length).set(name);
    }),
  };
}

/** All calls on descriptors. */
export function descriptorCalls(parts: CallOptions): WebAssembly.ModuleImports {
  return {
    ...transferCalls(parts),
    ...positionCalls(parts),
    ...statusCalls(parts),
    ...tableCalls(parts),
  };
}
