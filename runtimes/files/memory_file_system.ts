/**
 * The guest file system, composed of its layers.
 *
 * @module
 */
import { WORKSPACE } from "../../client/protocol/paths.ts";
import { DescriptorTable } from "./descriptor_table.ts";
import { FileData, type FileStat } from "./file_data.ts";
import { FileError } from "./file_error.ts";
import { DEFAULT_FILE_LIMITS, type FileLimits } from "./file_limits.ts";
import { FileTree } from "./file_tree.ts";
import type {
  AccessMode,
  CallFiles,
  GuestFileSystem,
  GuestFileSystemOptions,
  SymbolicLink,
} from "./guest_file_system.ts";
import type { DirectoryInode, Inode } from "./inode.ts";
import { InodeTable } from "./inode_table.ts";
import type { OpenFlags } from "./open_file.ts";
import {
  makeDirectoryAt,
  openPath,
  removeDirectoryAt,
  removeFileAt,
  renameAt,
} from "./path_operations.ts";
import type { PackedBytes } from "./packed_bytes.ts";
import { PathWalk } from "./path_walk.ts";
import { createPipe } from "./pipe.ts";
import { RootTree } from "./root_tree.ts";
import type { VolumeUsage } from "./volume.ts";
import {
  type ChangeMark,
  changesBelow,
  exportBelow,
  takeMark,
  type WorkspaceChanges,
} from "./workspace_changes.ts";
import { importBelow, walkBelow, type WorkspaceEntry } from "./workspace_tree.ts";

/** Creates a guest file system: `/workspace` and `/tmp` empty, `/dev` filled, 0, 1 and 2 open. */
export function createGuestFileSystem(
  options: GuestFileSystemOptions,
): GuestFileSystem {
  return new MemoryFileSystem(options);
}

class MemoryFileSystem implements GuestFileSystem {
  readonly limits: FileLimits;
  readonly root: DirectoryInode;
  readonly workspace: DirectoryInode;
  readonly temporary: DirectoryInode;
  readonly tree: FileTree;
  readonly data: FileData;
  readonly walk: PathWalk;
  readonly descriptors: DescriptorTable;
  readonly #inodes: InodeTable;
  readonly #top: RootTree;
  /** The time when it was made. */
  readonly #madeMs: number;

  constructor(options: GuestFileSystemOptions) {
    this.limits = { ...DEFAULT_FILE_LIMITS, ...options.limits };
    this.#inodes = new InodeTable(options);
    this.tree = new FileTree(this.#inodes, this.limits);
    this.data = new FileData(this.#inodes);
    this.#top = new RootTree(this.#inodes, this.tree, this.limits, options);
    this.root = this.#top.root;
    this.workspace = this.#top.workspace;
    this.temporary = this.#top.temporary;
    this.#madeMs = this.root.mtimeMs;
    this.walk = new PathWalk(this.tree, this.root, this.limits.pathBytes);
    this.descriptors = new DescriptorTable(
      this.tree,
      this.data,
      this.limits.descriptors,
    );
    this.#inodes.seal();
    sortNames(this.root);
    this.#openStreams();
  }

  get work(): number {
    return this.#inodes.work;
  }

  get usage(): {
    readonly workspace: VolumeUsage;
    readonly temporary: VolumeUsage;
  } {
    return {
      workspace: this.workspace.volume.usage,
      temporary: this.temporary.volume.usage,
    };
  }

  resolve(path: string, base = this.workspace): Inode {
    return this.walk.resolve(path, base);
  }

  directory(path: string, base = this.workspace): DirectoryInode {
    const inode = this.walk.resolve(path, base);
    if (inode.kind !== "directory") throw new FileError("ENOTDIR");
    return inode;
  }

  stat(path: string, base = this.workspace): FileStat {
    return this.data.stat(this.walk.resolve(path, base));
  }

  link(path: string, base = this.workspace): SymbolicLink | undefined {
    const { home, showsHome } = this.#top;
    if (!showsHome) return undefined;
    const { directory, name, trailingSlash } = this.walk.parent(path, base);
    if (directory !== home || !home.entries.has(name) || trailingSlash) return undefined;
    return { target: WORKSPACE, stat: this.data.linkStat(home, WORKSPACE) };
  }

  access(path: string, mode: AccessMode, base = this.workspace): void {
    const inode = this.walk.resolve(path, base);
    if (inode.kind === "directory" || inode.kind === "file") {
      if (mode.write === true) inode.volume.checkWritable();
    }
    if (
      inode.kind !== "directory" && mode.execute === true &&
      (inode.mode & 0o111) === 0
    ) {
      throw new FileError("EACCES");
    }
  }

  open(
    path: string,
    flags: OpenFlags,
    mode?: number,
    base = this.workspace,
  ): number {
    return openPath(this, path, flags, mode, base);
  }

  openPipe(): { readonly readEnd: number; readonly writeEnd: number } {
    const { volume } = this.temporary;
    this.descriptors.checkFree(2);
    const device = createPipe({
      isRead: () => readInode.holders > 0,
      isWritten: () => writeInode.holders > 0,
    });
    const { entries, maxEntries } = volume.usage;
    if (entries + 2 > maxEntries) throw new FileError("ENOSPC");
    const readInode = this.#inodes.newDevice(volume, device.readEnd);
    const writeInode = this.#inodes.newDevice(volume, device.writeEnd);
    for (const _end of [readInode, writeInode]) volume.takeEntry();
    return {
      readEnd: this.descriptors.open(readInode, { read: true }),
      writeEnd: this.descriptors.open(writeInode, { write: true }),
    };
  }

  entries(path: string, base = this.workspace): readonly Inode[] {
    return this.data.entries(this.walk.resolve(path, base));
  }

  makeDirectory(path: string, mode?: number, base = this.workspace): void {
    makeDirectoryAt(this, this.walk.parent(path, base), mode);
  }

  removeFile(path: string, base = this.workspace): void {
    removeFileAt(this, this.walk.parent(path, base));
  }

  removeDirectory(path: string, base = this.workspace): void {
    removeDirectoryAt(this, this.walk.parent(path, base));
  }

  rename(
    from: string,
    to: string,
    fromBase = this.workspace,
    toBase = this.workspace,
  ): void {
    renameAt(
      this,
      this.walk.parent(from, fromBase),
      this.walk.parent(to, toBase),
    );
  }

  truncate(path: string, size: number, base = this.workspace): void {
    const inode = this.walk.resolve(path, base);
    if (inode.kind === "directory") throw new FileError("EISDIR");
    if (inode.kind === "device") throw new FileError("EINVAL");
    this.data.truncate(inode, size);
  }

  setTime(path: string, mtimeMs: number, base = this.workspace): void {
    this.data.setTime(this.walk.resolve(path, base), mtimeMs);
  }

  setMode(path: string, mode: number, base = this.workspace): void {
    this.data.setMode(this.walk.resolve(path, base), mode);
  }

  addReadOnly(
    files: Iterable<readonly [string, Uint8Array | PackedBytes]>,
    mtimeMs = 0,
  ): void {
    this.#top.addFiles(files, mtimeMs);
    this.#inodes.seal();
    sortNames(this.root);
  }

  unlist(name: string): void {
    const inode = this.root.entries.get(name);
    if (inode !== undefined) this.root.unlist(inode);
  }

  beginRun(input?: Uint8Array, hasHome = false, calls?: CallFiles): void {
    this.#top.showHome(hasHome);
    this.#top.showCalls(calls?.device);
    this.#top.input.fill(calls === undefined ? input : undefined, calls?.input);
    this.#inodes.forgetRun();
    this.#inodes.age(() => this.#writable());
  }

  reset(): void {
    this.#top.input.fill();
    this.descriptors.closeAll();
    this.#inodes.suspend();
    this.#empty(this.workspace);
    this.#empty(this.temporary);
    this.#resetModes();
    this.#inodes.restart();
    this.#openStreams();
  }

  endRun(): void {
    this.#top.input.fill();
    this.descriptors.closeAll();
    this.#inodes.suspend();
    this.#empty(this.temporary);
    this.#resetModes();
    this.#openStreams();
  }

  mark(): ChangeMark {
    return takeMark(this.workspace);
  }

  changesSince(mark: ChangeMark): WorkspaceChanges {
    return changesBelow(this.workspace, mark);
  }

  exportWorkspace(): WorkspaceEntry[] {
    return exportBelow(this.workspace);
  }

  importWorkspace(entries: readonly WorkspaceEntry[]): void {
    const before = [...this.workspace.entries];
    const { bytes, entries: count } = this.workspace.volume.usage;
    this.#empty(this.workspace);
    try {
      importBelow(this.workspace, entries, this.tree, this.#inodes);
    } catch (cause) {
      this.workspace.clear();
      for (const [name, inode] of before) this.workspace.attach(name, inode);
      this.workspace.volume.restore(bytes, count);
      throw cause;
    }
  }

  #resetModes(): void {
    this.#inodes.resetModes(() => this.#writable());
  }

  /** The inodes that a guest can write to. `/tmp` is empty between runs. */
  *#writable(): Generator<Inode> {
    yield* [this.workspace, this.temporary];
    for (const [_path, inode] of walkBelow(this.workspace)) yield inode;
  }

  /** Its time must not reveal the moment, which lies between two runs. */
  #empty(directory: DirectoryInode): void {
    directory.clear();
    directory.volume.clear();
    this.#inodes.setTime(directory, this.#madeMs);
  }

  #openStreams(): void {
    for (const [number, inode] of this.#top.streams.entries()) {
      this.descriptors.open(
        inode,
        number === 0 ? { read: true } : { write: true },
      );
    }
  }
}

/** Sorts the directories that cannot change any more, so that no run has to. */
function sortNames(directory: DirectoryInode): void {
  for (const inode of directory.sorted) if (inode.kind === "directory") sortNames(inode);
}
