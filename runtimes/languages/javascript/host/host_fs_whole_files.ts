/**
 * The operations of the guest's `fs` that take several system calls: reading, writing, copying and
 * truncating whole files.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { FileError } from "../../../files/file_error.ts";
import type { GuestFileSystem } from "../../../files/guest_file_system.ts";
import type { DirectoryInode } from "../../../files/inode.ts";
import { attempt, type FsRequest } from "./host_fs_request.ts";

/** File bytes, or a value for JSON. */
export type FsAnswer = Uint8Array<ArrayBuffer> | { readonly value: unknown };

/** Bytes read from a device at a time. */
const DEVICE_CHUNK = 64 * 1024;

/** The directory where a relative path starts. */
export function baseOf(files: GuestFileSystem, request: FsRequest): DirectoryInode {
  return request.has("cwd") ? files.directory(request.path("cwd")) : files.workspace;
}

/** Opens the target of a whole-file operation: one of the guest's descriptors, or a path. */
function withDescriptor<Result>(
  files: GuestFileSystem,
  request: FsRequest,
  run: (fd: number) => Result,
): Result {
  if (request.has("fd")) return run(request.number("fd"));
  const fd = attempt(request.story("open"), () => openFile(files, request));
  try {
    return run(fd);
  } finally {
    files.descriptors.close(fd);
  }
}

/** `open`, with numeric flags. */
export function openFile(files: GuestFileSystem, request: FsRequest): number {
  const mode = request.has("mode") ? request.mode("mode") : undefined;
  return files.open(request.path("path"), request.openFlags(), mode, baseOf(files, request));
}

/**
 * Reads from a descriptor's position, or the whole file at a path. Returns bytes, or text in an
 * encoding.
 */
export function readFile(files: GuestFileSystem, request: FsRequest): FsAnswer {
  const encoding = request.has("encoding") ? request.encoding() : undefined;
  const bytes = withDescriptor(
    files,
    request,
    (fd) => attempt({ syscall: "read" }, () => readToEnd(files, fd)),
  );
  if (encoding === undefined) return bytes;
  return { value: Buffer.from(bytes.buffer, 0, bytes.length).toString(encoding) };
}

function readToEnd(files: GuestFileSystem, fd: number): Uint8Array<ArrayBuffer> {
  const { inode, position } = files.descriptors.get(fd);
  if (inode.kind === "device") return readDevice(files, fd);
  const length = inode.kind === "file" ? Math.max(0, inode.content.size - position) : 1;
  const into = new Uint8Array(length);
  files.descriptors.read(fd, into);
  return into;
}

function readDevice(files: GuestFileSystem, fd: number): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  for (let total = 0;;) {
    const into = new Uint8Array(DEVICE_CHUNK);
    const count = files.descriptors.read(fd, into);
    if (count === 0) return new Uint8Array(Buffer.concat(parts));
    total += count;
    if (total > files.limits.fileBytes) throw new FileError("EFBIG");
    parts.push(into.subarray(0, count));
  }
}

/** Writes to a descriptor, or to the file at a path, opened with the given flags. */
export function writeFile(files: GuestFileSystem, request: FsRequest): FsAnswer {
  const data = attempt(request.story("write"), () => request.data());
  withDescriptor(
    files,
    request,
    (fd) => attempt({ syscall: "write" }, () => files.descriptors.write(fd, data)),
  );
  return { value: null };
}

/**
 * `uv_fs_copyfile`: a copy of a file onto itself does nothing, and a failed copy leaves nothing
 * behind.
 */
export function copyFile(
  files: GuestFileSystem,
  path: string,
  base: DirectoryInode,
  request: FsRequest,
): void {
  const source = files.open(path, { read: true }, undefined, base);
  try {
    copyFrom(files, source, base, request);
  } finally {
    files.descriptors.close(source);
  }
}

function copyFrom(
  files: GuestFileSystem,
  source: number,
  base: DirectoryInode,
  request: FsRequest,
): void {
  const { descriptors } = files;
  const { inode } = descriptors.get(source);
  if (inode.kind === "directory") throw new FileError("EISDIR");
  const dest = request.path("dest");
  const create = { write: true, create: true, exclusive: request.flag("exclusive") };
  const target = files.open(dest, create, inode.mode & 0o777, base);
  try {
    if (descriptors.get(target).inode !== inode) copyContent(files, source, target);
  } catch (cause) {
    if (descriptors.get(target).inode.kind === "file") files.removeFile(dest, base);
    throw cause;
  } finally {
    descriptors.close(target);
  }
}

function copyContent(files: GuestFileSystem, source: number, target: number): void {
  const { descriptors } = files;
  if (descriptors.get(target).inode.kind === "file") descriptors.truncate(target, 0);
  descriptors.write(target, readToEnd(files, source));
}

/** `truncate` as in Node: opens and truncates the file. */
export function truncateFile(files: GuestFileSystem, request: FsRequest): FsAnswer {
  const fd = attempt(
    request.story("open"),
    () =>
      files.open(
        request.path("path"),
        { read: true, write: true },
        undefined,
        baseOf(files, request),
      ),
  );
  try {
    attempt({ syscall: "ftruncate" }, () => files.descriptors.truncate(fd, request.count("size")));
    return { value: null };
  } finally {
    files.descriptors.close(fd);
  }
}
