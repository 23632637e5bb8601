/**
 * The operations of the guest's `fs`: system calls, and whole-file reads and writes, which programs
 * use most. Operations composed of these (recursive removal, `mkdir -p`) run in the guest, where
 * they use the guest's fuel.
 *
 * @module
 */
import type { Errno } from "../../../files/errno.ts";
import { FileError } from "../../../files/file_error.ts";
import { BLOCK_SIZE, type FileStat } from "../../../files/file_data.ts";
import type { GuestFileSystem } from "../../../files/guest_file_system.ts";
import type { DirectoryInode, Inode } from "../../../files/inode.ts";
import { attempt, type FsRequest } from "./host_fs_request.ts";
import {
  baseOf,
  copyFile,
  type FsAnswer,
  openFile,
  readFile,
  truncateFile,
  writeFile,
} from "./host_fs_whole_files.ts";

/** Runs one request. */
export type FsOperation = (files: GuestFileSystem, request: FsRequest) => FsAnswer;

const NOTHING: FsAnswer = { value: null };
/** The maximum number of bytes that one read of a device returns. */
const DEVICE_CHUNK = 64 * 1024;

/** An operation on a path that is one system call. */
function onPath(
  syscall: string,
  run: (files: GuestFileSystem, path: string, base: DirectoryInode, request: FsRequest) => unknown,
): FsOperation {
  return (files, request) =>
    attempt(request.story(syscall), () => {
      const value = run(files, request.path("path"), baseOf(files, request), request);
      return value === undefined ? NOTHING : { value };
    });
}

/** An operation on a descriptor that is one system call. */
function onDescriptor(
  syscall: string,
  run: (files: GuestFileSystem, fd: number, request: FsRequest) => FsAnswer | void,
): FsOperation {
  return (files, request) =>
    attempt(
      { syscall: request.story(syscall).syscall },
      () => run(files, request.number("fd"), request) ?? NOTHING,
    );
}

function statReply({ device, mode, links, inode, size, mtimeMs }: FileStat): unknown {
  return { dev: device, mode, nlink: links, ino: inode, size, mtimeMs };
}

function readDescriptor(files: GuestFileSystem, fd: number, request: FsRequest): FsAnswer {
  const position = request.has("position") ? request.count("position") : undefined;
  const { inode, position: current } = files.descriptors.get(fd);
  const size = inode.kind === "file" ? inode.content.size : DEVICE_CHUNK + (position ?? current);
  const room = Math.max(0, size - (position ?? current));
  const into = new Uint8Array(Math.min(request.count("length"), room));
  const count = position === undefined
    ? files.descriptors.read(fd, into)
    : files.descriptors.readAt(fd, into, position);
  return into.subarray(0, count);
}

function writeDescriptor(files: GuestFileSystem, fd: number, request: FsRequest): FsAnswer {
  const data = request.data();
  if (request.has("position")) files.descriptors.writeAt(fd, data, request.count("position"));
  else files.descriptors.write(fd, data);
  return { value: data.length };
}

function namesAndKinds(entries: readonly Inode[]): unknown {
  return {
    names: entries.map((entry) => entry.entryName),
    kinds: entries.map(kindLetter).join(""),
  };
}

function kindLetter(inode: Inode): string {
  if (inode.kind === "device") return inode.device.kind === "pipe" ? "p" : "c";
  return inode.kind === "file" ? "f" : "d";
}

/** Whether a path names something; false for any error. */
function exists(files: GuestFileSystem, request: FsRequest): boolean {
  try {
    files.resolve(request.path("path"), baseOf(files, request));
    return true;
  } catch (cause) {
    if (cause instanceof FileError) return false;
    throw cause;
  }
}

/** Operations that the file system does not support. */
function refuse(code: Errno): () => never {
  return () => {
    throw new FileError(code);
  };
}

function statfsReply({ volume }: Inode): unknown {
  const { bytes, maxBytes, entries, maxEntries } = volume.usage;
  const [blocks, used] = volume.readOnly
    ? [0, 0]
    : [Math.ceil(maxBytes / BLOCK_SIZE), Math.ceil(bytes / BLOCK_SIZE)];
  const [nodes, free] = volume.readOnly ? [0, 0] : [maxEntries, maxEntries - entries];
  return { bsize: BLOCK_SIZE, blocks, bfree: blocks - used, files: nodes, ffree: free };
}

function accessMode(bits: number) {
  return { read: (bits & 4) !== 0, write: (bits & 2) !== 0, execute: (bits & 1) !== 0 };
}

/** Every operation that the guest can ask for. */
export const FS_OPERATIONS: ReadonlyMap<string, FsOperation> = new Map<string, FsOperation>([
  ["readFile", readFile],
  ["writeFile", writeFile],
  ["open", onPath("open", (files, _path, _base, request) => openFile(files, request))],
  ["close", onDescriptor("close", (files, fd) => files.descriptors.close(fd))],
  ["read", onDescriptor("read", readDescriptor)],
  ["write", onDescriptor("write", writeDescriptor)],
  ["sync", onDescriptor("fsync", (files, fd) => void files.descriptors.get(fd))],
  ["stat", onPath("stat", (files, path, base) => statReply(files.stat(path, base)))],
  [
    "fstat",
    onDescriptor("fstat", (files, fd) => ({ value: statReply(files.descriptors.stat(fd)) })),
  ],
  [
    "access",
    onPath("access", (files, path, base, request) => {
      files.access(path, accessMode(request.count("mode")), base);
    }),
  ],
  ["exists", (files, request) => ({ value: exists(files, request) })],
  ["readdir", onPath("scandir", (files, path, base) => namesAndKinds(files.entries(path, base)))],
  [
    "mkdir",
    onPath("mkdir", (files, path, base, request) => {
      files.makeDirectory(path, request.has("mode") ? request.mode("mode") : undefined, base);
    }),
  ],
  ["rmdir", onPath("rmdir", (files, path, base) => files.removeDirectory(path, base))],
  ["unlink", onPath("unlink", (files, path, base) => files.removeFile(path, base))],
  [
    "rename",
    onPath("rename", (files, path, base, request) => {
      files.rename(path, request.path("dest"), base, base);
    }),
  ],
  ["symlink", onPath("symlink", refuse("EPERM"))],
  [
    "link",
    onPath("link", (files, path, base) => {
      files.resolve(path, base);
      throw new FileError("EPERM");
    }),
  ],
  [
    "readlink",
    onPath("readlink", (files, path, base) => {
      files.resolve(path, base);
      throw new FileError("EINVAL");
    }),
  ],
  ["watch", onPath("watch", refuse("ENOSYS"))],
  ["statfs", onPath("statfs", (files, path, base) => statfsReply(files.resolve(path, base)))],
  ["copyFile", onPath("copyfile", copyFile)],
  ["truncate", truncateFile],
  [
    "ftruncate",
    onDescriptor("ftruncate", (files, fd, request) => {
      files.descriptors.truncate(fd, request.count("size"));
    }),
  ],
  [
    "utimes",
    onPath("utime", (files, path, base, request) => {
      files.setTime(path, request.number("mtimeMs"), base);
    }),
  ],
  [
    "futimes",
    onDescriptor("futime", (files, fd, request) => {
      files.data.setTime(files.descriptors.get(fd).inode, request.number("mtimeMs"));
    }),
  ],
  [
    "chmod",
    onPath("chmod", (files, path, base, request) => {
      files.setMode(path, request.mode("mode"), base);
    }),
  ],
  [
    "fchmod",
    onDescriptor("fchmod", (files, fd, request) => {
      files.data.setMode(files.descriptors.get(fd).inode, request.mode("mode"));
    }),
  ],
]);
