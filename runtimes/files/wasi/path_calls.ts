/**
 * The calls on paths: `path_*`. A path starts at the directory behind a descriptor; all paths
 * lead into the one tree, so none needs to be refused for its target.
 *
 * @module
 */
import { FileError } from "../file_error.ts";
import type { OpenFlags } from "../open_file.ts";
import { FDFLAGS, OFLAGS, RIGHTS } from "./abi.ts";
import { requestedTime, writeFileStat } from "./file_stat.ts";
import { type CallOptions, hostCall } from "./host_call.ts";

function openFlags(oflags: number, rights: bigint, fdflags: number): OpenFlags {
  return {
    read: (rights & RIGHTS.read) !== 0n,
    write: (rights & RIGHTS.write) !== 0n,
    append: (fdflags & FDFLAGS.append) !== 0,
    create: (oflags & OFLAGS.create) !== 0,
    directory: (oflags & OFLAGS.directory) !== 0,
    exclusive: (oflags & OFLAGS.exclusive) !== 0,
    truncate: (oflags & OFLAGS.truncate) !== 0,
  };
}

/**
 * `/dev/fd/N` is not a file here: opening it duplicates descriptor N, as `dup` should and no
 * call of WASI does.
 */
function duplicated(parts: CallOptions, path: string): number | undefined {
  const number = /^\/?dev\/fd\/(\d{1,9})$/.exec(path)?.[1];
  if (number === undefined) return undefined;
  const { descriptors } = parts.files;
  if (Number(number) >= parts.preopened && Number(number) < parts.firstDescriptor) {
    throw new FileError("EBADF");
  }
  return descriptors.duplicate(Number(number));
}

/** `lookupflags`: a symbolic link stands for its target. */
const LOOKUP_FOLLOW = 1;
/** Fuel for a byte of a path, which is decoded and read more than once. */
const PATH_BYTE_FUEL = 8;

/** Reads paths from the guest's memory and charges by length. ENAMETOOLONG, EILSEQ. */
function pathReader(parts: CallOptions): (pointer: number, length: number) => string {
  const { memory, files: { limits } } = parts;
  return (pointer, length) => {
    parts.charge(Math.min(length >>> 0, limits.pathBytes) * PATH_BYTE_FUEL);
    return memory.path(pointer, length, limits.pathBytes);
  };
}

function openCalls(parts: CallOptions) {
  const { memory, files } = parts;
  const pathAt = pathReader(parts);
  return {
    path_open: hostCall(
      parts,
      (
        fd: number,
        _lookup: number,
        pointer: number,
        length: number,
        oflags: number,
        rights: bigint,
        _inheriting: bigint,
        fdflags: number,
        result: number,
      ) => {
        const base = files.descriptors.directory(fd);
        const path = pathAt(pointer, length);
        const flags = openFlags(oflags, rights, fdflags);
        memory.setUint32(result, 0); // a bad pointer must not leave a file open
        const opened = duplicated(parts, path) ?? files.open(path, flags, undefined, base);
        memory.setUint32(result, opened);
      },
    ),
  };
}

function changeCalls(parts: CallOptions) {
  const { files } = parts;
  const { descriptors } = files;
  const pathAt = pathReader(parts);
  type OnePath = [fd: number, pointer: number, length: number];
  return {
    path_create_directory: hostCall(parts, (...[fd, pointer, length]: OnePath) => {
      const base = descriptors.directory(fd);
      files.makeDirectory(pathAt(pointer, length), undefined, base);
    }),
    path_remove_directory: hostCall(parts, (...[fd, pointer, length]: OnePath) => {
      const base = descriptors.directory(fd);
      files.removeDirectory(pathAt(pointer, length), base);
    }),
    path_unlink_file: hostCall(parts, (...[fd, pointer, length]: OnePath) => {
      const base = descriptors.directory(fd);
      files.removeFile(pathAt(pointer, length), base);
    }),
    path_rename: hostCall(
      parts,
      (fd: number, from: number, fromLength: number, toFd: number, to: number, toLength: number) =>
        files.rename(
          pathAt(from, fromLength),
          pathAt(to, toLength),
          descriptors.directory(fd),
          descriptors.directory(toFd),
        ),
    ),
  };
}

function statusCalls(parts: CallOptions) {
  const { memory, files, clock } = parts;
  const { descriptors } = files;
  const pathAt = pathReader(parts);
  return {
    path_filestat_get: hostCall(
      parts,
      (fd: number, lookup: number, pointer: number, length: number, result: number) => {
        const base = descriptors.directory(fd);
        const path = pathAt(pointer, length);
        const link = (lookup & LOOKUP_FOLLOW) === 0 ? files.link(path, base) : undefined;
        writeFileStat(memory, result, link?.stat ?? files.stat(path, base));
      },
    ),
    path_filestat_set_times: hostCall(
      parts,
      (
        fd: number,
        _lookup: number,
        pointer: number,
        length: number,
        atime: bigint,
        mtime: bigint,
        flags: number,
      ) => {
        const inode = files.resolve(pathAt(pointer, length), descriptors.directory(fd));
        const time = requestedTime(flags, atime, mtime, () => clock.epoch());
        if (time !== undefined) files.data.setTime(inode, time);
      },
    ),
  };
}

/** Programs make no links of either kind. */
function linkCalls(parts: CallOptions) {
  const { memory, files } = parts;
  const { descriptors } = files;
  const pathAt = pathReader(parts);
  return {
    path_link: hostCall(
      parts,
      (
        fd: number,
        _lookup: number,
        from: number,
        fromLength: number,
        _toFd: number,
        _to: number,
        _toLength: number,
      ) => {
        files.resolve(pathAt(from, fromLength), descriptors.directory(fd));
        throw new FileError("EPERM");
      },
    ),
    path_symlink: hostCall(
      parts,
      (_target: number, _targetLength: number, fd: number, _path: number, _length: number) => {
        descriptors.directory(fd);
        throw new FileError("EPERM");
      },
    ),
    path_readlink: hostCall(
      parts,
      (
        fd: number,
        pointer: number,
        length: number,
        buffer: number,
        size: number,
        used: number,
      ) => {
        const base = descriptors.directory(fd);
        const path = pathAt(pointer, length);
        const link = files.link(path, base);
        if (link === undefined) {
          files.resolve(path, base);
          throw new FileError("EINVAL");
        }
        const target = new TextEncoder().encode(link.target).subarray(0, size >>> 0);
        memory.bytes(buffer, target.length).set(target);
        memory.setUint32(used, target.length);
      },
    ),
  };
}

/** All calls on paths. */
export function pathCalls(parts: CallOptions): WebAssembly.ModuleImports {
  return {
    ...openCalls(parts),
    ...changeCalls(parts),
    ...statusCalls(parts),
    ...linkCalls(parts),
  };
}
