/**
 * `/workspace` as a list, for contexts: read after a run and written before one.
 *
 * @module
 */
import { FileContent } from "./file_content.ts";
import { FileError } from "./file_error.ts";
import type { PackedBytes } from "./packed_bytes.ts";
import type { FileTree } from "./file_tree.ts";
import { type DirectoryInode, type FileInode, type Inode, pathOf } from "./inode.ts";
import type { InodeTable } from "./inode_table.ts";

/** One file or directory. Permission bits are not kept. */
export type WorkspaceEntry =
  | {
    readonly kind: "file";
    /** Absolute. */
    readonly path: string;
    /** Milliseconds since the epoch. */
    readonly mtimeMs: number;
    readonly bytes: Uint8Array;
  }
  | {
    readonly kind: "directory";
    readonly path: string;
    readonly mtimeMs: number;
  };

/** Visits everything below a directory with its absolute path, parents first. */
export function* walkBelow(
  directory: DirectoryInode,
  path = pathOf(directory),
): Generator<readonly [path: string, inode: Inode]> {
  for (const [name, inode] of directory.entries) {
    const childPath = `${path}/${name}`;
    yield [childPath, inode];
    if (inode.kind === "directory") yield* walkBelow(inode, childPath);
  }
}

/** One inode as an entry. Later changes of the file do not affect the bytes. */
export function entryOf(path: string, inode: Inode): WorkspaceEntry {
  const { mtimeMs } = inode;
  if (inode.kind === "directory") return { kind: "directory", path, mtimeMs };
  if (inode.kind === "file") {
    return { kind: "file", path, mtimeMs, bytes: inode.content.share() };
  }
  throw new TypeError(`Cannot export "${path}": it is a device`);
}

/**
 * Creates entries below a directory, in any order; parents that are not listed are created. Stops
 * at the first that does not fit, and keeps those before it.
 */
export function importBelow(
  directory: DirectoryInode,
  entries: readonly WorkspaceEntry[],
  tree: FileTree,
  inodes: InodeTable,
): void {
  const made = entries.map((entry) => ({
    entry,
    inode: addEntry(tree, directory, entry),
  }));
  for (const { entry, inode } of made) {
    if (!Number.isFinite(entry.mtimeMs)) throw new FileError("EINVAL");
    inodes.setTime(inode, entry.mtimeMs);
  }
}

function addEntry(
  tree: FileTree,
  directory: DirectoryInode,
  entry: WorkspaceEntry,
): Inode {
  const prefix = `${pathOf(directory)}/`;
  if (!entry.path.startsWith(prefix)) throw new FileError("EACCES");
  const names = entry.path.slice(prefix.length).split("/");
  if (entry.kind === "directory") {
    return ensureDirectories(tree, directory, names);
  }
  const parent = ensureDirectories(tree, directory, names.slice(0, -1));
  return addFile(tree, parent, names.at(-1) ?? "", entry.bytes);
}

/** Creates a file that uses `bytes` without a copy. EEXIST, EFBIG, ENOSPC, ENAMETOOLONG. */
export function addFile(
  tree: FileTree,
  parent: DirectoryInode,
  name: string,
  bytes: Uint8Array | PackedBytes,
): FileInode {
  const file = tree.createFile(parent, name);
  file.volume.resize(0, bytes.length);
  file.content = FileContent.of(bytes);
  return file;
}

/**
 * The directory at a list of names, created if it is missing. ENOTDIR, ENOSPC,
 * ENAMETOOLONG, EINVAL (not a valid name, such as `..`).
 */
export function ensureDirectories(
  tree: FileTree,
  directory: DirectoryInode,
  names: readonly string[],
): DirectoryInode {
  let at = directory;
  for (const name of names) {
    const found: Inode = at.entries.get(name) ?? tree.makeDirectory(at, name);
    if (found.kind !== "directory") throw new FileError("ENOTDIR");
    at = found;
  }
  return at;
}
