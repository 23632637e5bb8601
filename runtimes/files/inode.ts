/**
 * Inodes: regular files, directories and devices. There are no links of any kind, so each has
 * one parent and one name, and a path of its own.
 *
 * These are records; `inode_table.ts` makes them and `file_tree.ts` changes them.
 *
 * @module
 */
import { FileContent } from "./file_content.ts";
import { compareCodePoints, utf8Length } from "./names.ts";
import type { Volume } from "./volume.ts";

/** Fields of all inodes. */
export interface InodeOrigin {
  readonly number: number;
  readonly volume: Volume;
  readonly mode: number;
  readonly mtimeMs: number;
}

abstract class BaseInode {
  /** The inode number: never 0, unique while the tree lives. */
  readonly number: number;
  readonly volume: Volume;
  /** Permission bits only. They are kept and shown, and never forbid anything. */
  mode: number;
  /** Milliseconds since the epoch; `atime` and `ctime` are the same by definition. */
  mtimeMs: number;
  /** A new number after every change: equal versions mean an equal file. */
  version = 0;
  parent: DirectoryInode | undefined = undefined;
  entryName = "";
  /** Number of descriptors and other holders that keep an unlinked inode alive. */
  holders = 0;
  /** False once it has been removed from the tree. */
  linked = false;
  /** False for an entry that listings of its directory leave out. */
  listed = true;

  constructor(origin: InodeOrigin) {
    this.number = origin.number;
    this.volume = origin.volume;
    this.mode = origin.mode;
    this.mtimeMs = origin.mtimeMs;
  }
}

/** A regular file. */
export class FileInode extends BaseInode {
  readonly kind = "file";
  content = new FileContent();
}

/** A directory. */
export class DirectoryInode extends BaseInode {
  readonly kind = "directory";
  readonly entries = new Map<string, Inode>();
  #subdirectories = 0;
  #sorted: readonly Inode[] | undefined = undefined;

  /** As on Linux: itself, its name in its parent, and the `..` of each subdirectory. */
  get links(): number {
    return this.linked ? 2 + this.#subdirectories : 0;
  }

  /** False when {@linkcode sorted} has work to do. */
  get isSorted(): boolean {
    return this.#sorted !== undefined;
  }

  /** The entries that listings show, in the order of code points of their names. */
  get sorted(): readonly Inode[] {
    this.#sorted ??= [...this.entries.values()].filter(({ listed }) => listed)
      .sort((a, b) => compareCodePoints(a.entryName, b.entryName));
    return this.#sorted;
  }

  /** Leaves an entry out of listings; it is found by its name. */
  unlist(inode: Inode): void {
    inode.listed = false;
    this.#sorted = undefined;
  }

  attach(name: string, inode: Inode): void {
    this.entries.set(name, inode);
    inode.parent = this;
    inode.entryName = name;
    inode.linked = true;
    if (inode.kind === "directory") this.#subdirectories++;
    this.#sorted = undefined;
  }

  /** Removes an entry; it keeps its parent, so `..` of a removed directory still leads there. */
  detach(inode: Inode): void {
    this.entries.delete(inode.entryName);
    inode.linked = false;
    if (inode.kind === "directory") this.#subdirectories--;
    this.#sorted = undefined;
  }

  /** Removes all entries. */
  clear(): void {
    this.entries.clear();
    this.#subdirectories = 0;
    this.#sorted = undefined;
  }
}

/** The operations of a device. `write` takes all bytes; `read` returns 0 at the end. */
export interface Device {
  /** A pipe cannot seek; neither kind is a terminal. */
  readonly kind: "character" | "pipe";
  /** Cost of reading a byte, in moved bytes. @default {1} */
  readonly readWork?: number;
  /** Cost of a write in addition to one for each byte, in the same unit. @default {none} */
  readonly writeWork?: (bytes: Uint8Array) => number;
  read(into: Uint8Array): number;
  write(bytes: Uint8Array): void;
}

/** A device, such as `/dev/null` or a standard stream. */
export class DeviceInode extends BaseInode {
  readonly kind = "device";
  readonly device: Device;

  constructor(origin: InodeOrigin, device: Device) {
    super(origin);
    this.device = device;
  }
}

/** Any inode. */
export type Inode = FileInode | DirectoryInode | DeviceInode;

/** The absolute path of an inode; for a removed one, its last path. */
export function pathOf(inode: Inode): string {
  const names: string[] = [];
  for (let at: Inode = inode; at.parent !== undefined; at = at.parent) {
    names.push(at.entryName);
  }
  return `/${names.reverse().join("/")}`;
}

/** Length in UTF-8 bytes of {@linkcode pathOf}, without the slash of the root. */
export function pathBytes(inode: Inode): number {
  let bytes = 0;
  for (let at: Inode = inode; at.parent !== undefined; at = at.parent) {
    bytes += 1 + utf8Length(at.entryName);
  }
  return bytes;
}

/** True if `directory` is `inode` or lies above it. */
export function isWithin(inode: Inode, directory: DirectoryInode): boolean {
  for (let at: Inode | undefined = inode; at !== undefined; at = at.parent) {
    if (at === directory) return true;
  }
  return false;
}
