/**
 * Creates inodes: their numbers, versions and times, and the count of work done on them.
 *
 * @module
 */
import { DirectoryInode, FileInode, type Inode } from "./inode.ts";
import { type Device, DeviceInode } from "./inode.ts";
import type { Volume } from "./volume.ts";

/** Mode of a new file, and of a new directory. */
const FILE_MODE = 0o644;
const DIRECTORY_MODE = 0o755;

/** More than all numbers that a run can use up. */
const HIDDEN_NUMBER = 2 ** 31 - 1;

/** How far changes can take the time of a directory ahead of a clock that stands. */
const MOST_AHEAD_MS = 60_000;

/** The clock that gives files their times. */
export interface FileClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether only sleeps move it on. @default {never} */
  readonly stands?: () => boolean;
}

/** Cost of looking up or listing one name, in moved bytes. */
const NAME_WORK = 1024;
/** Cost of measuring one byte of a name, in moved bytes. */
const NAME_BYTE_WORK = 16;
/** Cost of inflating one byte, in moved bytes. A moved byte is charged for more than its time. */
const INFLATED_BYTE_WORK = 1;

/**
 * Creates inodes, assigns their numbers, versions and times, and counts the work
 * that calls are charged for.
 */
export class InodeTable {
  readonly #now: () => number;
  readonly #stands: () => boolean;
  #lastNumber = 0;
  #bootNumber = 0;
  #lastVersion = 0;
  /** Changes with later versions are not a guest's; they get the time of the next run's start. */
  #unagedVersion = 0;
  #modesChanged = false;
  #work = 0;
  /** Directories that this run has listed. */
  #listed = new WeakSet<DirectoryInode>();
  /** Packed files that this run has read. */
  #inflated = new WeakSet<FileInode>();

  constructor({ now, stands = () => false }: FileClock) {
    this.#now = now;
    this.#stands = stands;
  }

  /**
   * Bytes moved and names visited since the beginning; one name counts as {@linkcode NAME_WORK}.
   */
  get work(): number {
    return this.#work;
  }

  countBytes(bytes: number): void {
    this.#work += bytes;
  }

  /** Counts inflating a packed file, once in each run. */
  countInflating(file: FileInode): void {
    if (this.#inflated.has(file)) return;
    this.#inflated.add(file);
    this.#work += file.content.size * INFLATED_BYTE_WORK;
  }

  countNames(names: number): void {
    this.#work += names * NAME_WORK;
  }

  countNameBytes(bytes: number): void {
    this.#work += bytes * NAME_BYTE_WORK;
  }

  /**
   * Whether the names of a directory count as sorted: in directories that cannot change, and in
   * those sorted in this run. Sorting by an earlier run does not count: otherwise the cost of a
   * program would depend on it.
   */
  isListed(directory: DirectoryInode): boolean {
    return directory.volume.readOnly || (directory.isSorted && this.#listed.has(directory));
  }

  noteListing(directory: DirectoryInode): void {
    this.#listed.add(directory);
  }

  /** Forgets what the previous run listed and inflated: no program costs less after another. */
  forgetRun(): void {
    this.#listed = new WeakSet();
    this.#inflated = new WeakSet();
  }

  newFile(volume: Volume): FileInode {
    return this.#stamped(new FileInode(this.#origin(volume, FILE_MODE)));
  }

  newDirectory(volume: Volume): DirectoryInode {
    return this.#stamped(
      new DirectoryInode(this.#origin(volume, DIRECTORY_MODE)),
    );
  }

  newDevice(volume: Volume, device: Device): DeviceInode {
    return this.#stamped(new DeviceInode(this.#origin(volume, 0o666), device));
  }

  /** A device that takes no number from the others, and of which there is one at a time. */
  newHiddenDevice(volume: Volume, device: Device): DeviceInode {
    const origin = { number: HIDDEN_NUMBER, volume, mode: 0o666, mtimeMs: this.#now() };
    return new DeviceInode(origin, device);
  }

  /**
   * Marks an inode as changed now. While the clock stands, the time of a directory moves on by a
   * millisecond: interpreters keep a listing until the time is another one.
   */
  touch(inode: Inode): void {
    const now = this.#now();
    const ahead = inode.mtimeMs - now;
    const isAhead = inode.kind === "directory" && ahead >= 0 && ahead < MOST_AHEAD_MS;
    inode.mtimeMs = isAhead && this.#stands() ? inode.mtimeMs + 1 : now;
    inode.version = ++this.#lastVersion;
  }

  /** Marks an inode as changed, with a time of the caller's choice. */
  setTime(inode: Inode, mtimeMs: number): void {
    inode.mtimeMs = mtimeMs;
    inode.version = ++this.#lastVersion;
  }

  /** Changes from now until {@linkcode age} are not a guest's. */
  suspend(): void {
    this.#unagedVersion = this.#lastVersion;
  }

  /**
   * Sets the time of the directories that changed since {@linkcode suspend} to now. This does not
   * count as a change.
   */
  age(inodes: () => Iterable<Inode>): void {
    if (this.#unagedVersion === this.#lastVersion) return;
    const now = this.#now();
    for (const inode of inodes()) {
      if (inode.kind === "directory" && inode.version > this.#unagedVersion) inode.mtimeMs = now;
    }
    this.#unagedVersion = this.#lastVersion;
  }

  setMode(inode: Inode, mode: number): void {
    inode.mode = mode & 0o7777;
    this.#modesChanged = true;
  }

  /** Resets all modes to the defaults of their kinds, if any was changed. */
  resetModes(inodes: () => Iterable<Inode>): void {
    if (!this.#modesChanged) return;
    for (const inode of inodes()) {
      inode.mode = inode.kind === "directory" ? DIRECTORY_MODE : FILE_MODE;
    }
    this.#modesChanged = false;
  }

  /** Makes inode numbers continue from the current one after each {@linkcode restart}. */
  seal(): void {
    this.#bootNumber = this.#lastNumber;
  }

  /** Assigns the same numbers as after {@linkcode seal}; versions are never used twice. */
  restart(): void {
    this.#lastNumber = this.#bootNumber;
  }

  #origin(volume: Volume, mode: number) {
    return { number: ++this.#lastNumber, volume, mode, mtimeMs: this.#now() };
  }

  #stamped<Made extends Inode>(inode: Made): Made {
    inode.version = ++this.#lastVersion;
    return inode;
  }
}
