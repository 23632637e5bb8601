/**
 * Operations on directories, by inode and name.
 *
 * @module
 */
import { FileContent } from "./file_content.ts";
import { FileError } from "./file_error.ts";
import type { FileLimits } from "./file_limits.ts";
import type { DirectoryInode, FileInode, Inode } from "./inode.ts";
import { isWithin, pathBytes } from "./inode.ts";
import type { InodeTable } from "./inode_table.ts";
import { checkName, utf8Length } from "./names.ts";

/** Conditions that the paths of a rename add. */
export interface RenameOptions {
  /** One of the paths ends with a slash, so the source must be a directory. */
  readonly directoryOnly?: boolean;
}

/**
 * The directory operations on inodes, which a kernel calls inode operations. Errors, and which
 * of several comes first, are those of Linux. Names are checked here (an entry that is created,
 * removed or renamed cannot be `.` or `..`: EINVAL); paths are not known here.
 */
export class FileTree {
  readonly #inodes: InodeTable;
  readonly #limits: FileLimits;

  constructor(inodes: InodeTable, limits: FileLimits) {
    this.#inodes = inodes;
    this.#limits = limits;
  }

  /** Counts the work of splitting a path of so many characters. */
  countPath(characters: number): void {
    this.#inodes.countNameBytes(characters);
  }

  /** The entry of that name, or undefined. ENOTDIR, ENAMETOOLONG. */
  find(directory: Inode, name: string): Inode | undefined {
    if (directory.kind !== "directory") throw new FileError("ENOTDIR");
    if (name === "." || name === "..") {
      this.#inodes.countNames(1);
      return name === "." ? directory : directory.parent ?? directory;
    }
    return this.#child(directory, name);
  }

  /** The entry of that name. ENOENT, ENOTDIR, ENAMETOOLONG. */
  lookup(directory: Inode, name: string): Inode {
    const inode = this.find(directory, name);
    if (inode === undefined) throw new FileError("ENOENT");
    return inode;
  }

  /**
   * Makes an empty file. EEXIST, EROFS, ENOENT (the directory was removed), ENOSPC, ENAMETOOLONG.
   */
  createFile(directory: DirectoryInode, name: string): FileInode {
    this.#prepareEntry(directory, name);
    const file = this.#inodes.newFile(directory.volume);
    this.#link(directory, name, file);
    return file;
  }

  /** Makes an empty directory; errors as {@linkcode createFile}. */
  makeDirectory(directory: DirectoryInode, name: string): DirectoryInode {
    this.#prepareEntry(directory, name);
    const made = this.#inodes.newDirectory(directory.volume);
    this.#link(directory, name, made);
    return made;
  }

  /**
   * Removes a file. EROFS, ENOENT, EISDIR. With `directoryOnly` (the path ended with a slash)
   * a file is ENOTDIR.
   */
  removeFile(
    directory: DirectoryInode,
    name: string,
    directoryOnly = false,
  ): void {
    directory.volume.checkWritable();
    const inode = this.#existing(directory, name);
    if (inode.kind === "directory") throw new FileError("EISDIR");
    if (directoryOnly) throw new FileError("ENOTDIR");
    this.#unlink(directory, inode);
    this.#inodes.touch(directory);
  }

  /** Removes an empty directory. EROFS, ENOENT, ENOTDIR, ENOTEMPTY. */
  removeDirectory(directory: DirectoryInode, name: string): void {
    directory.volume.checkWritable();
    const inode = this.#existing(directory, name);
    if (inode.kind !== "directory") throw new FileError("ENOTDIR");
    if (inode.entries.size > 0) throw new FileError("ENOTEMPTY");
    this.#unlink(directory, inode);
    this.#inodes.touch(directory);
  }

  /**
   * Renames, replacing a file by a file and an empty directory by a directory. EXDEV between
   * volumes, EROFS, ENOENT, EINVAL (into itself), ENOTDIR, EISDIR, ENOTEMPTY, ENAMETOOLONG (of
   * anything below it too).
   */
  rename(
    fromDirectory: DirectoryInode,
    fromName: string,
    toDirectory: DirectoryInode,
    toName: string,
    options: RenameOptions = {},
  ): void {
    if (fromDirectory.volume !== toDirectory.volume) {
      throw new FileError("EXDEV");
    }
    fromDirectory.volume.checkWritable();
    const moved = this.#existing(fromDirectory, fromName);
    const replaced = this.#child(toDirectory, toName);
    checkRename(moved, toDirectory, replaced, fromDirectory, options);
    if (moved === replaced) return;
    if (!toDirectory.linked) throw new FileError("ENOENT");
    this.#checkPaths(moved, toDirectory, toName);
    if (replaced !== undefined) this.#unlink(toDirectory, replaced);
    fromDirectory.detach(moved);
    toDirectory.attach(toName, moved);
    this.#inodes.touch(fromDirectory);
    if (toDirectory !== fromDirectory) this.#inodes.touch(toDirectory);
  }

  /** Keeps an inode alive after it is unlinked, until {@linkcode release}. */
  retain(inode: Inode): void {
    inode.holders++;
  }

  /** Undoes one {@linkcode retain}; an unlinked inode without holders gives its room back. */
  release(inode: Inode): void {
    inode.holders--;
    if (inode.holders === 0 && !inode.linked) free(inode);
  }

  /** The entry of that name; `.` and `..` are not valid (EINVAL). */
  #child(directory: DirectoryInode, name: string): Inode | undefined {
    this.#inodes.countNames(1);
    checkName(name, this.#limits.nameBytes);
    return directory.entries.get(name);
  }

  #existing(directory: DirectoryInode, name: string): Inode {
    const inode = this.#child(directory, name);
    if (inode === undefined) throw new FileError("ENOENT");
    return inode;
  }

  #prepareEntry(directory: DirectoryInode, name: string): void {
    if (this.#child(directory, name) !== undefined) throw new FileError("EEXIST");
    directory.volume.checkWritable();
    if (!directory.linked) throw new FileError("ENOENT");
    if (this.#pathBytes(directory) + 1 + utf8Length(name) > this.#limits.pathBytes) {
      throw new FileError("ENAMETOOLONG");
    }
    directory.volume.takeEntry();
  }

  #link(directory: DirectoryInode, name: string, inode: Inode): void {
    directory.attach(name, inode);
    this.#inodes.touch(directory);
  }

  #unlink(directory: DirectoryInode, inode: Inode): void {
    directory.detach(inode);
    if (inode.holders === 0) free(inode);
  }

  /** ENAMETOOLONG if the rename would make any path too long. */
  #checkPaths(moved: Inode, directory: DirectoryInode, name: string): void {
    const bytes = this.#pathBytes(directory) + 1 + utf8Length(name);
    const longest = bytes > this.#pathBytes(moved) ? bytes + this.#longestBelow(moved) : bytes;
    if (longest > this.#limits.pathBytes) throw new FileError("ENAMETOOLONG");
  }

  #pathBytes(inode: Inode): number {
    const bytes = pathBytes(inode);
    this.#inodes.countNameBytes(bytes);
    return bytes;
  }

  /** Length in bytes of the longest path below an inode, relative to its own. */
  #longestBelow(inode: Inode): number {
    if (inode.kind !== "directory") return 0;
    this.#inodes.countNames(inode.entries.size);
    let longest = 0;
    for (const [name, child] of inode.entries) {
      longest = Math.max(
        longest,
        1 + utf8Length(name) + this.#longestBelow(child),
      );
    }
    return longest;
  }
}

/** The rules of a rename, in Linux's order. */
function checkRename(
  moved: Inode,
  toDirectory: DirectoryInode,
  replaced: Inode | undefined,
  fromDirectory: DirectoryInode,
  options: RenameOptions,
): void {
  const isDirectory = moved.kind === "directory";
  if (!isDirectory && options.directoryOnly === true) {
    throw new FileError("ENOTDIR");
  }
  if (isDirectory && isWithin(toDirectory, moved)) {
    throw new FileError("EINVAL");
  }
  if (replaced === undefined || replaced === moved) return;
  if (replaced.kind !== "directory") {
    if (isDirectory) throw new FileError("ENOTDIR");
    return;
  }
  if (isWithin(fromDirectory, replaced)) throw new FileError("ENOTEMPTY");
  if (!isDirectory) throw new FileError("EISDIR");
  if (replaced.entries.size > 0) throw new FileError("ENOTEMPTY");
}

/** Gives the room of an inode back, and drops its bytes, as lists of entries may still hold it. */
function free(inode: Inode): void {
  inode.volume.release(inode.kind === "file" ? inode.content.size : 0);
  if (inode.kind === "file") inode.content = new FileContent();
}
