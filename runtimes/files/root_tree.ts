/**
 * The root of the guest's files, and its initial entries.
 *
 * @module
 */
import {
  alarmDevice,
  displayDevice,
  NULL_DEVICE,
  randomDevice,
  StandardInput,
  standardOutput,
  ZERO_DEVICE,
} from "./devices.ts";
import type { FileLimits } from "./file_limits.ts";
import type { FileTree } from "./file_tree.ts";
import type { GuestFileSystemOptions } from "./guest_file_system.ts";
import type { Device, DeviceInode, DirectoryInode, Inode } from "./inode.ts";
import type { InodeTable } from "./inode_table.ts";
import { splitPath } from "./names.ts";
import type { PackedBytes } from "./packed_bytes.ts";
import { UNLIMITED, Volume } from "./volume.ts";
import { WORKSPACE } from "../../client/protocol/paths.ts";
import { addFile, ensureDirectories } from "./workspace_tree.ts";

const WORKSPACE_NAME = WORKSPACE.slice(1);
const TEMPORARY_NAME = "tmp";
/** The device of a run with calls. */
const CALL_NAME = "call";
/** `/home/user`, as runs may name the workspace. */
const HOME_NAME = "home";
const USER_NAME = "user";

/**
 * The entries of the root: `/workspace` and `/tmp`, each a volume of its own, `/dev`, and the
 * read-only files that a language adds.
 */
export class RootTree {
  readonly root: DirectoryInode;
  readonly workspace: DirectoryInode;
  readonly temporary: DirectoryInode;
  readonly input: StandardInput = new StandardInput();
  /** Standard input, output and error. */
  readonly streams: readonly Inode[];
  /** `/home`. Its entry `user` is a symbolic link to the workspace. */
  readonly home: DirectoryInode;
  readonly #devices: DirectoryInode;
  #calls: DeviceInode | undefined;
  readonly #inodes: InodeTable;
  readonly #tree: FileTree;
  readonly #limits: FileLimits;

  constructor(
    inodes: InodeTable,
    tree: FileTree,
    limits: FileLimits,
    options: GuestFileSystemOptions,
  ) {
    this.#inodes = inodes;
    this.#tree = tree;
    this.#limits = limits;
    const { fileBytes, workspaceBytes, temporaryBytes, entries: maxEntries } = limits;
    this.root = this.#volumeRoot(new Volume(1, UNLIMITED, true));
    this.workspace = this.#volumeRoot(
      new Volume(2, { fileBytes, maxEntries, maxBytes: workspaceBytes }),
    );
    this.temporary = this.#volumeRoot(
      new Volume(3, { fileBytes, maxEntries, maxBytes: temporaryBytes }),
    );
    this.root.attach(WORKSPACE_NAME, this.workspace);
    this.root.attach(TEMPORARY_NAME, this.temporary);
    this.#devices = this.root.volume.whileWritable(() =>
      this.#tree.makeDirectory(this.root, "dev")
    );
    this.streams = this.root.volume.whileWritable(() => this.#addDevices(options));
    this.home = this.#volumeRoot(this.root.volume);
    void this.home.sorted; // from now on, so that listings leave the entry out
    this.home.entries.set(USER_NAME, this.workspace);
  }

  /**
   * Shows or hides `/home`, whose entry `user` is the workspace. The entry is found by its name and is
   * in no listing: an inode is listed by the one name that it has in its parent.
   */
  showHome(isShown: boolean): void {
    if (this.showsHome === isShown) return;
    if (isShown) this.root.attach(HOME_NAME, this.home);
    else this.root.detach(this.home);
    void this.root.sorted;
  }

  get showsHome(): boolean {
    return this.root.entries.has(HOME_NAME);
  }

  /**
   * Shows or hides `/dev/call`. It is in no listing, and its number is none of those of files, so that
   * runs without it are the same in every detail.
   */
  showCalls(device: Device | undefined): void {
    if (this.#calls === undefined && device === undefined) return;
    if (this.#calls !== undefined) this.#devices.detach(this.#calls);
    this.#calls = device && this.#inodes.newHiddenDevice(this.root.volume, device);
    if (this.#calls !== undefined) {
      this.#calls.listed = false;
      this.#devices.attach(CALL_NAME, this.#calls);
    }
    void this.#devices.sorted;
  }

  /** Adds files; see `GuestFileSystem.addReadOnly`. */
  addFiles(
    files: Iterable<readonly [path: string, bytes: Uint8Array | PackedBytes]>,
    mtimeMs: number,
  ): void {
    this.root.volume.whileWritable(() => {
      for (const [path, bytes] of files) this.#addFile(path, bytes, mtimeMs);
    });
  }

  #volumeRoot(volume: Volume): DirectoryInode {
    const root = this.#inodes.newDirectory(volume);
    root.linked = true;
    return root;
  }

  #addDevices(options: GuestFileSystemOptions): Inode[] {
    const add = (name: string, device: Device): Inode => {
      const inode = this.#inodes.newDevice(this.root.volume, device);
      this.#devices.attach(name, inode);
      return inode;
    };
    add("null", NULL_DEVICE);
    add("zero", ZERO_DEVICE);
    add("display", displayDevice(options.streams));
    if (options.random !== undefined) {
      add("random", randomDevice(options.random));
      add("urandom", randomDevice(options.random));
    }
    const streams = [
      add("stdin", this.input),
      add("stdout", standardOutput(options.streams, 1)),
      add("stderr", standardOutput(options.streams, 2)),
    ];
    if (options.alarm !== undefined) add("alarm", alarmDevice(options.alarm));
    return streams;
  }

  #addFile(path: string, bytes: Uint8Array | PackedBytes, mtimeMs: number): void {
    const { absolute, parts } = splitPath(path, this.#limits.pathBytes);
    const [top = ""] = parts;
    const writable = top === "" || top === WORKSPACE_NAME || top === TEMPORARY_NAME;
    if (!absolute || writable) throw notFree(path);
    const parent = ensureDirectories(this.#tree, this.root, parts.slice(0, -1));
    const name = parts.at(-1) ?? "";
    if (parent.entries.has(name)) throw notFree(path);
    const file = addFile(this.#tree, parent, name, bytes);
    for (
      let at: Inode = file;
      at !== this.root && at.parent !== undefined;
      at = at.parent
    ) {
      this.#inodes.setTime(at, mtimeMs);
    }
  }
}

function notFree(path: string): TypeError {
  return new TypeError(`Cannot add read-only file "${path}": the place is not free`);
}
