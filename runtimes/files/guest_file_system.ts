/**
 * The guest's files: one tree in memory for every language. `/workspace` and `/tmp` can be
 * written to, each within its own budget; the rest, including `/`, is read-only: devices, and
 * files that a language added at boot. There are no symbolic links, no hard links and no owners.
 *
 * The rules, where Linux leaves a choice:
 * - a write is atomic: one that exceeds a limit changes nothing;
 * - directories are listed by code points of the names;
 * - permission bits are kept and shown during a run, and forbid nothing;
 * - one time, that of the last change, is `mtime`, `atime` and `ctime`;
 * - a directory that no guest has changed has the time of the run's start, so that no run sees when
 *   another one ended;
 * - renaming between `/workspace` and `/tmp` is EXDEV, as between two mounts.
 *
 * Three layers, each usable on its own: `tree` and `data` work on inodes (Emscripten's FS),
 * the functions of {@linkcode GuestFileSystem} on paths, `descriptors` on open files (WASI).
 *
 * `runtimes/files/` owns the guest's files and the errors of their operations. It must not
 * know of languages, of their memory, or of where a workspace is kept between runs.
 *
 * @module
 */
import type { DescriptorTable } from "./descriptor_table.ts";
import type { AskForInput, StandardStreams } from "./devices.ts";
import type { FileData, FileStat } from "./file_data.ts";
import type { FileLimits } from "./file_limits.ts";
import type { FileTree } from "./file_tree.ts";
import type { Device, DirectoryInode, Inode } from "./inode.ts";
import type { FileClock } from "./inode_table.ts";
import type { PackedBytes } from "./packed_bytes.ts";
import type { OpenFlags } from "./open_file.ts";
import type { PathWalk } from "./path_walk.ts";
import type { VolumeUsage } from "./volume.ts";
import type { ChangeMark, WorkspaceChanges } from "./workspace_changes.ts";
import type { WorkspaceEntry } from "./workspace_tree.ts";

/** The options of a guest file system. */
export interface GuestFileSystemOptions extends FileClock {
  readonly streams: StandardStreams;
  /** Fills with random bytes: `/dev/random` and `/dev/urandom`. Without it they do not exist. */
  readonly random?: (into: Uint8Array) => void;
  /** Sets an alarm, in seconds: `/dev/alarm`. Without it the device does not exist. */
  readonly alarm?: (seconds: number) => void;
  /** @default {DEFAULT_FILE_LIMITS} */
  readonly limits?: Partial<FileLimits>;
}

/** A symbolic link. */
export interface SymbolicLink {
  /** Absolute path. */
  readonly target: string;
  /** Its own status, not that of its target. */
  readonly stat: FileStat;
}

/** The files of a run with calls. */
export interface CallFiles {
  /** `/dev/call`. */
  readonly device: Device;
  /** Standard input, in the place of the run's own. */
  readonly input: AskForInput;
}

/** The access to check; without any, only existence. */
export interface AccessMode {
  readonly read?: boolean;
  readonly write?: boolean;
  readonly execute?: boolean;
}

/**
 * The file system. Every refused operation throws a `FileError` whose `code` is the name that
 * Linux would give. A relative path starts at `base`, by default `/workspace`.
 */
export interface GuestFileSystem {
  readonly root: DirectoryInode;
  readonly workspace: DirectoryInode;
  readonly temporary: DirectoryInode;
  readonly tree: FileTree;
  readonly data: FileData;
  readonly walk: PathWalk;
  readonly descriptors: DescriptorTable;
  readonly limits: FileLimits;
  /** Usage of `/workspace` and `/tmp`. */
  readonly usage: {
    readonly workspace: VolumeUsage;
    readonly temporary: VolumeUsage;
  };
  /**
   * Work done so far, in units of moving one byte: bytes moved and zeroed, names visited
   * (1,024 each), reads and writes of devices. The difference across a call is its cost, which is
   * the same for the same calls.
   */
  readonly work: number;

  /** The entry of a path. ENOENT, ENOTDIR, ENAMETOOLONG, EINVAL, EILSEQ, as in all that follow. */
  resolve(path: string, base?: DirectoryInode): Inode;
  /** The directory that a path names, as a base for other paths. ENOTDIR. */
  directory(path: string, base?: DirectoryInode): DirectoryInode;
  stat(path: string, base?: DirectoryInode): FileStat;
  /** The symbolic link at a path; undefined where there is none. `/home/user` is the only one. */
  link(path: string, base?: DirectoryInode): SymbolicLink | undefined;
  /** ENOENT, EROFS (write), EACCES (execute, when no execute bit is set). */
  access(path: string, mode: AccessMode, base?: DirectoryInode): void;
  /**
   * Opens a file, and creates it if it is missing and the flags ask for it, with permission bits
   * `mode` (0644). EEXIST, EISDIR, ENOTDIR, EROFS, EMFILE, ENOSPC, EINVAL (create and directory).
   */
  open(
    path: string,
    flags: OpenFlags,
    mode?: number,
    base?: DirectoryInode,
  ): number;
  /** Opens both ends of a new pipe; each counts as an entry of `/tmp`. EMFILE, ENOSPC. */
  openPipe(): { readonly readEnd: number; readonly writeEnd: number };
  /** The entries of a directory, in the order of code points of their names. */
  entries(path: string, base?: DirectoryInode): readonly Inode[];
  /** Makes a directory with permission bits `mode` (0755). EEXIST, EROFS, ENOSPC. */
  makeDirectory(path: string, mode?: number, base?: DirectoryInode): void;
  /** Removes a file. EISDIR, EROFS. */
  removeFile(path: string, base?: DirectoryInode): void;
  /** Removes an empty directory. ENOTEMPTY, ENOTDIR, EROFS, EINVAL (`.`), EBUSY (`/`). */
  removeDirectory(path: string, base?: DirectoryInode): void;
  /** Renames, replacing files. EXDEV, EBUSY (`.`, `..`), else as `FileTree.rename`. */
  rename(
    from: string,
    to: string,
    fromBase?: DirectoryInode,
    toBase?: DirectoryInode,
  ): void;
  /** Cuts, or extends with zeros. EISDIR, EINVAL, EFBIG, ENOSPC, EROFS. */
  truncate(path: string, size: number, base?: DirectoryInode): void;
  setTime(path: string, mtimeMs: number, base?: DirectoryInode): void;
  setMode(path: string, mode: number, base?: DirectoryInode): void;

  /**
   * Adds read-only files at boot, with the directories above them. The bytes are used
   * without a copy. Throws a TypeError for paths in `/workspace` and `/tmp`, and for a
   * path that exists.
   */
  addReadOnly(
    files: Iterable<readonly [path: string, bytes: Uint8Array | PackedBytes]>,
    mtimeMs?: number,
  ): void;
  /** Leaves a directory of the root out of listings; what is in it is found by its path. */
  unlist(name: string): void;
  /**
   * Begins a run, after the guest's clock is set: directories that were emptied, created or
   * filled since the previous run get the current time. Standard input holds `input`, by default
   * nothing, up to the end of the run. With `hasHome`, `/home/user` is a name of `/workspace` in
   * this run, and a symbolic link to it. With `calls`, there is `/dev/call`.
   */
  beginRun(input?: Uint8Array, hasHome?: boolean, calls?: CallFiles): void;
  /**
   * Empties `/workspace` and `/tmp`, closes every descriptor and opens 0, 1 and 2 anew. Until
   * {@linkcode beginRun} both are as old as the file system.
   */
  reset(): void;
  /**
   * Ends a run whose files are kept: closes every descriptor, opens 0, 1 and 2 anew, empties
   * `/tmp`, and puts permission bits back to 0644 and 0755, as they are not part of a context.
   */
  endRun(): void;

  /** Remembers the state of `/workspace`. */
  mark(): ChangeMark;
  /** The changes under `/workspace` since a mark. */
  changesSince(mark: ChangeMark): WorkspaceChanges;
  /** All of `/workspace`, sorted by path. Bytes are not copied and stay as they are. */
  exportWorkspace(): WorkspaceEntry[];
  /**
   * Replaces all of `/workspace`, or changes nothing and throws the FileError of the entry
   * that does not fit. Bytes are used without a copy. No descriptor may be open there.
   */
  importWorkspace(entries: readonly WorkspaceEntry[]): void;
}
