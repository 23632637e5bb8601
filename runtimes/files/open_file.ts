/**
 * Open file descriptions, and the flags of `open`.
 *
 * @module
 */
import type { Inode } from "./inode.ts";

/** The flags of `open`, each false by default. Engines translate numeric flags. */
export interface OpenFlags {
  readonly read?: boolean;
  readonly write?: boolean;
  /** Every write goes to the end, including those with a position (as on Linux). */
  readonly append?: boolean;
  /** Creates a missing file. */
  readonly create?: boolean;
  /** With `create`: refuses an existing file (EEXIST). */
  readonly exclusive?: boolean;
  readonly truncate?: boolean;
  /** Refuses anything but a directory (ENOTDIR). */
  readonly directory?: boolean;
}

/** An open file description, which duplicated descriptors share. */
export class OpenFile {
  readonly inode: Inode;
  readonly readable: boolean;
  readonly writable: boolean;
  append: boolean;
  /** Offset in bytes of the next read or write; in a directory, the index of the next entry. */
  position = 0;
  /** Number of descriptors. */
  references = 0;
  /** The names of a directory at the time when reading it began. */
  listing: readonly Inode[] | undefined = undefined;

  constructor(inode: Inode, flags: OpenFlags) {
    this.inode = inode;
    this.readable = flags.read === true;
    this.writable = flags.write === true;
    this.append = flags.append === true;
  }
}
