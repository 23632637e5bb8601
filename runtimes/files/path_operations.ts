/**
 * Operations on paths, composed of the layers below.
 *
 * @module
 */
import type { DescriptorTable } from "./descriptor_table.ts";
import type { FileData } from "./file_data.ts";
import { FileError } from "./file_error.ts";
import type { FileTree } from "./file_tree.ts";
import type { DirectoryInode, Inode } from "./inode.ts";
import type { OpenFlags } from "./open_file.ts";
import type { PathTarget, PathWalk } from "./path_walk.ts";

/** The layers below the functions on paths. */
export interface FileLayers {
  readonly tree: FileTree;
  readonly data: FileData;
  readonly walk: PathWalk;
  readonly descriptors: DescriptorTable;
}

/** `open`: the rules of Linux, in its order. */
export function openPath(
  layers: FileLayers,
  path: string,
  flags: OpenFlags,
  mode: number | undefined,
  base: DirectoryInode,
): number {
  layers.descriptors.checkFree();
  if (flags.create === true && flags.directory === true) {
    throw new FileError("EINVAL");
  }
  const existing = flags.create === true
    ? findForCreate(layers, layers.walk.parent(path, base), flags)
    : layers.walk.resolve(path, base);
  if (existing !== undefined) checkOpen(existing, flags);
  const inode = existing ??
    createAt(layers, layers.walk.parent(path, base), mode);
  if (flags.truncate === true && inode.kind === "file") {
    layers.data.truncate(inode, 0);
  }
  return layers.descriptors.open(inode, flags);
}

function findForCreate(
  layers: FileLayers,
  target: PathTarget,
  flags: OpenFlags,
): Inode | undefined {
  const exclusive = flags.exclusive === true;
  if (target.last !== "name") {
    throw new FileError(exclusive ? "EEXIST" : "EISDIR");
  }
  if (target.trailingSlash) throw new FileError("EISDIR");
  const found = layers.tree.find(target.directory, target.name);
  if (found !== undefined && exclusive) throw new FileError("EEXIST");
  if (found?.kind === "directory") throw new FileError("EISDIR");
  return found;
}

function checkOpen(inode: Inode, flags: OpenFlags): void {
  const writes = flags.write === true || flags.truncate === true;
  if (inode.kind === "directory") {
    if (writes) throw new FileError("EISDIR");
    return;
  }
  if (flags.directory === true) throw new FileError("ENOTDIR");
  if (writes && inode.kind === "file") inode.volume.checkWritable();
}

function createAt(
  layers: FileLayers,
  target: PathTarget,
  mode: number | undefined,
): Inode {
  const file = layers.tree.createFile(target.directory, target.name);
  if (mode !== undefined) layers.data.setMode(file, mode);
  return file;
}

/** `mkdir`. */
export function makeDirectoryAt(
  layers: FileLayers,
  target: PathTarget,
  mode: number | undefined,
): void {
  if (target.last !== "name") throw new FileError("EEXIST");
  const made = layers.tree.makeDirectory(target.directory, target.name);
  if (mode !== undefined) layers.data.setMode(made, mode);
}

/** `unlink`. */
export function removeFileAt(layers: FileLayers, target: PathTarget): void {
  if (target.last !== "name") throw new FileError("EISDIR");
  layers.tree.removeFile(target.directory, target.name, target.trailingSlash);
}

/** `rmdir`. */
export function removeDirectoryAt(
  layers: FileLayers,
  target: PathTarget,
): void {
  if (target.last === ".") throw new FileError("EINVAL");
  if (target.last === "..") throw new FileError("ENOTEMPTY");
  if (target.last === "/") throw new FileError("EBUSY");
  layers.tree.removeDirectory(target.directory, target.name);
}

/** `rename`. */
export function renameAt(
  layers: FileLayers,
  from: PathTarget,
  to: PathTarget,
): void {
  if (from.directory.volume !== to.directory.volume) {
    throw new FileError("EXDEV");
  }
  if (from.last !== "name" || to.last !== "name") throw new FileError("EBUSY");
  const directoryOnly = from.trailingSlash || to.trailingSlash;
  layers.tree.rename(from.directory, from.name, to.directory, to.name, {
    directoryOnly,
  });
}
