/**
 * Open file descriptions, and the flags that they are opened with.
 *
 * @module
 */
import type { Inode } from "./inode.ts";

/** How a file is opened; each is false unless given. Flags by number are the engines' business. */
export interface OpenFlags {
  readonly read?: boolean;
  readonly write?: boolean;
  /** Every write goes to the end, those with a position too (as on Linux). */
  readonly append?: boolean;
  /** Makes a missing file. */
  readonly create?: boolean;
  /** With `create`: refuses an existing one (EEXIST). */
  readonly exclusive?: boolean;
  readonly truncate?: boolean;
  /** Refuses what is no directory (ENOTDIR). */
  readonly directory?: boolean;
}

/** An open file description: what descriptors that are duplicates of one another share. */
export class OpenFile {
  readonly inode: Inode;
  readonly readable: boolean;
  readonly writable: boolean;
  append: boolean;
  /** Offset in bytes of the next read or write; in a directory, the index of the next entry. */
  position = 0;
  /** Number of descriptors. */
  references = 0;
  /** The names of a directory as they were when reading it began. */
  listing: readonly Inode[] | undefined = undefined;

  constructor(inode: Inode, flags: OpenFlags) {
    this.inode = inode;
    this.readable = flags.read === true;
    this.writable = flags.write === true;
    this.append = flags.append === true;
  }
}
