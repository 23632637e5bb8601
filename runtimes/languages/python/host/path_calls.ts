/**
 * System calls on paths.
 *
 * @module
 */
import { FileError } from "../../../files/file_error.ts";
import { type DirectoryInode, type Inode, pathOf } from "../../../files/inode.ts";
import type { OpenFlags } from "../../../files/open_file.ts";
import { utf8Length } from "../../../files/names.ts";
import { baseOf, pathAt, payNewPath, systemCall } from "./file_call.ts";
import type { GuestProcess } from "./guest_process.ts";
import { visibleNumber } from "./inode_numbers.ts";
import { writeStat, writeStatFs } from "./records.ts";
import { readTimes } from "./time_records.ts";

/** Flags of `open`, as musl numbers them. */
const O_ACCMODE = 3;
const O_WRONLY = 1;
const O_RDWR = 2;
const O_CREAT = 0x40;
const O_EXCL = 0x80;
const O_TRUNC = 0x200;
const O_APPEND = 0x400;
const O_DIRECTORY = 0x10000;

const DESCRIPTOR_LINK = /^\/proc\/self\/fd\/(\d{1,3})$/;
const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_REMOVEDIR = 0x200;
const AT_EMPTY_PATH = 0x1000;
const ACCESS_READ = 4;
const ACCESS_WRITE = 2;
const ACCESS_EXECUTE = 1;
const PERMISSION_BITS = 0o777;

function openFlags(flags: number): OpenFlags {
  const access = flags & O_ACCMODE;
  return {
    read: access !== O_WRONLY,
    write: access === O_WRONLY || access === O_RDWR,
    append: (flags & O_APPEND) !== 0,
    create: (flags & O_CREAT) !== 0,
    exclusive: (flags & O_EXCL) !== 0,
    truncate: (flags & O_TRUNC) !== 0,
    directory: (flags & O_DIRECTORY) !== 0,
  };
}

/** The inode that a path names; an empty path names the descriptor's, if the call allows that. */
function inodeAt(process: GuestProcess, descriptor: number, path: string, flags: number): Inode {
  const { files } = process;
  if (path === "" && (flags & AT_EMPTY_PATH) !== 0) return files.descriptors.get(descriptor).inode;
  return files.resolve(path, baseOf(process, descriptor));
}

/** Fills a `struct stat` with the status of an inode. */
function tell({ files, memory }: GuestProcess, inode: Inode, to: number): number {
  writeStat(memory, to, files.data.stat(inode), visibleNumber(inode, files.workspace));
  return 0;
}

/** Fills a `struct stat` with the status of the symbolic link at a path. False: there is none. */
function tellLink(process: GuestProcess, path: string, base: DirectoryInode, to: number): boolean {
  const link = process.files.link(path, base);
  if (link !== undefined) writeStat(process.memory, to, link.stat, link.stat.inode);
  return link !== undefined;
}

function statPath(process: GuestProcess, path: number, to: number): number {
  return systemCall(process, () => {
    const { files, workingDirectory } = process;
    return tell(process, files.resolve(pathAt(process, path), workingDirectory), to);
  });
}

function currentDirectory(process: GuestProcess, at: number, size: number): number {
  const { workingDirectory } = process;
  const path = pathOf(workingDirectory);
  const bytes = utf8Length(path);
  payNewPath(process, bytes);
  if (!workingDirectory.linked && path !== "/") throw new FileError("ENOENT");
  if (bytes + 1 > size >>> 0) throw new FileError("ERANGE");
  process.memory.setText(at, path);
  return bytes + 1;
}

/** The target of a symbolic link. */
function linkTarget(process: GuestProcess, name: string, descriptor: number): string {
  const { files } = process;
  const base = baseOf(process, descriptor);
  const link = files.link(name, base);
  if (link !== undefined) return link.target;
  files.resolve(name, base);
  throw new FileError("EINVAL");
}

/** The path of an open file, as the links of Linux to a process's descriptors show it. */
function openPath(process: GuestProcess, descriptor: number): string {
  const { inode } = process.files.descriptors.get(descriptor);
  if (inode.kind !== "file" || !inode.linked) throw new FileError("ENOENT");
  const path = pathOf(inode);
  payNewPath(process, utf8Length(path));
  return path;
}

function changeMode(process: GuestProcess, inode: Inode, mode: number): number {
  process.files.data.setMode(inode, mode & PERMISSION_BITS);
  return 0;
}

/** The calls by their import names. */
export function pathCalls(process: GuestProcess) {
  const { files, memory } = process;
  const masked = (mode: number) => mode & PERMISSION_BITS & ~process.fileModeMask;
  return {
    __syscall_openat: (directory: number, path: number, flags: number, varargs: number) =>
      systemCall(process, () => {
        const wanted = openFlags(flags);
        const mode = wanted.create === true ? masked(memory.u32(varargs)) : undefined;
        return files.open(pathAt(process, path), wanted, mode, baseOf(process, directory));
      }),
    __syscall_stat64: (path: number, to: number) => statPath(process, path, to),
    __syscall_lstat64: (path: number, to: number) =>
      systemCall(process, () => {
        const { workingDirectory } = process;
        const name = pathAt(process, path);
        if (tellLink(process, name, workingDirectory, to)) return 0;
        return tell(process, files.resolve(name, workingDirectory), to);
      }),
    __syscall_newfstatat: (directory: number, path: number, to: number, flags: number) =>
      systemCall(process, () => {
        const name = pathAt(process, path);
        const isLink = (flags & AT_SYMLINK_NOFOLLOW) !== 0 && name !== "" &&
          tellLink(process, name, baseOf(process, directory), to);
        return isLink ? 0 : tell(process, inodeAt(process, directory, name, flags), to);
      }),
    __syscall_faccessat: (directory: number, path: number, mode: number) =>
      systemCall(process, () => {
        files.access(pathAt(process, path), {
          read: (mode & ACCESS_READ) !== 0,
          write: (mode & ACCESS_WRITE) !== 0,
          execute: (mode & ACCESS_EXECUTE) !== 0,
        }, baseOf(process, directory));
        return 0;
      }),
    __syscall_chdir: (path: number) =>
      systemCall(process, () => {
        process.workingDirectory = files.directory(pathAt(process, path), process.workingDirectory);
        return 0;
      }),
    __syscall_getcwd: (at: number, size: number) =>
      systemCall(process, () => currentDirectory(process, at, size)),
    __syscall_chmod: (path: number, mode: number) =>
      systemCall(
        process,
        () =>
          changeMode(process, files.resolve(pathAt(process, path), process.workingDirectory), mode),
      ),
    __syscall_fchmodat2: (directory: number, path: number, mode: number, flags: number) =>
      systemCall(
        process,
        () => changeMode(process, inodeAt(process, directory, pathAt(process, path), flags), mode),
      ),
    __syscall_mkdirat: (directory: number, path: number, mode: number) =>
      systemCall(process, () => {
        files.makeDirectory(pathAt(process, path), masked(mode), baseOf(process, directory));
        return 0;
      }),
    __syscall_unlinkat: (directory: number, path: number, flags: number) =>
      systemCall(process, () => {
        const base = baseOf(process, directory);
        if ((flags & AT_REMOVEDIR) !== 0) files.removeDirectory(pathAt(process, path), base);
        else files.removeFile(pathAt(process, path), base);
        return 0;
      }),
    __syscall_rmdir: (path: number) =>
      systemCall(process, () => {
        files.removeDirectory(pathAt(process, path), process.workingDirectory);
        return 0;
      }),
    __syscall_renameat: (fromDirectory: number, from: number, toDirectory: number, to: number) =>
      systemCall(process, () => {
        files.rename(
          pathAt(process, from),
          pathAt(process, to),
          baseOf(process, fromDirectory),
          baseOf(process, toDirectory),
        );
        return 0;
      }),
    __syscall_readlinkat: (directory: number, path: number, to: number, size: number) =>
      systemCall(process, () => {
        const name = pathAt(process, path);
        const [, number] = DESCRIPTOR_LINK.exec(name) ?? [];
        const text = number === undefined
          ? linkTarget(process, name, directory)
          : openPath(process, Number(number));
        const target = new TextEncoder().encode(text).subarray(0, size >>> 0);
        memory.span(to, target.length).set(target);
        return target.length;
      }),
    __syscall_truncate64: (path: number, size: bigint) =>
      systemCall(process, () => {
        files.truncate(pathAt(process, path), Number(size), process.workingDirectory);
        return 0;
      }),
    __syscall_statfs64: (path: number, _size: number, to: number) =>
      systemCall(process, () => {
        const inode = files.resolve(pathAt(process, path), process.workingDirectory);
        writeStatFs(memory, to, inode.volume);
        return 0;
      }),
    __syscall_utimensat: (directory: number, path: number, times: number, flags: number) =>
      systemCall(process, () => {
        // `futimens` passes a null pointer and means the descriptor itself.
        const inode = path === 0
          ? files.descriptors.get(directory).inode
          : inodeAt(process, directory, pathAt(process, path), flags);
        const time = readTimes(memory, times, process.clock.epoch());
        if (time !== undefined) files.data.setTime(inode, time);
        return 0;
      }),
  };
}
