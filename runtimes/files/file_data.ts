/**
 * Operations on the data and attributes of single inodes.
 *
 * @module
 */
import { FileError } from "./file_error.ts";
import type { DeviceInode, FileInode, Inode } from "./inode.ts";
import type { InodeTable } from "./inode_table.ts";

/** The result of `stat`. There are no owners, and one time stands for all three. */
export interface FileStat {
  readonly kind: "file" | "directory" | "character" | "pipe" | "link";
  readonly inode: number;
  /** 1 for read-only files, 2 for `/workspace`, 3 for `/tmp`. */
  readonly device: number;
  /** Type and permission bits, as in `st_mode`. */
  readonly mode: number;
  readonly links: number;
  /** Bytes; 4096 for a directory. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtimeMs: number;
}

/** Size of a directory, and unit of allocation. */
export const BLOCK_SIZE = 4096;

/** How often listing a directory visits a name if the names must be sorted first. */
const SORTING_TIMES = 12;

const TYPE_BITS = {
  file: 0o100000,
  directory: 0o040000,
  character: 0o020000,
  pipe: 0o010000,
  link: 0o120000,
};

/** Permission bits of a symbolic link. */
const LINK_MODE = 0o777;

/**
 * The data of files and the attributes of inodes. Writes are atomic: one that
 * passes a limit changes nothing.
 */
export class FileData {
  readonly #inodes: InodeTable;

  constructor(inodes: InodeTable) {
    this.#inodes = inodes;
  }

  /** Reads from `position` on; returns the number of bytes, 0 at the end. */
  read(file: FileInode, position: number, into: Uint8Array): number {
    const count = file.content.read(position, into);
    this.#inodes.countBytes(count);
    if (file.content.isPacked) this.#inodes.countInflating(file);
    return count;
  }

  /** Writes all of `bytes` at `position`; a gap before it reads as zeros. EFBIG, ENOSPC, EROFS. */
  write(file: FileInode, position: number, bytes: Uint8Array): void {
    file.volume.checkWritable();
    if (bytes.length === 0) return;
    const { content, volume } = file;
    volume.resize(
      content.size,
      Math.max(content.size, position + bytes.length),
    );
    this.#inodes.countBytes(
      content.write(position, bytes, volume.limits.fileBytes),
    );
    this.#inodes.touch(file);
  }

  /** Reads from a device; returns the number of bytes, 0 at the end. */
  readDevice({ device }: DeviceInode, into: Uint8Array): number {
    const count = device.read(into);
    this.#inodes.countBytes(count * (device.readWork ?? 1));
    return count;
  }

  /** Writes all of `bytes` to a device. An exception of it ends the run, so it is not counted. */
  writeDevice({ device }: DeviceInode, bytes: Uint8Array): void {
    device.write(bytes);
    this.#inodes.countBytes(bytes.length + (device.writeWork?.(bytes) ?? 0));
  }

  /** Cuts, or extends with zeros. EINVAL (negative or not an integer), EFBIG, ENOSPC, EROFS. */
  truncate(file: FileInode, size: number): void {
    if (!Number.isSafeInteger(size) || size < 0) throw new FileError("EINVAL");
    file.volume.checkWritable();
    const { content, volume } = file;
    volume.resize(content.size, size);
    this.#inodes.countBytes(content.resize(size, volume.limits.fileBytes));
    this.#inodes.touch(file);
  }

  /** Sets the time that stands for all three. EINVAL (not a finite number), EROFS. */
  setTime(inode: Inode, mtimeMs: number): void {
    if (!Number.isFinite(mtimeMs)) throw new FileError("EINVAL");
    inode.volume.checkWritable();
    this.#inodes.setTime(inode, mtimeMs);
  }

  /** Sets the permission bits, which last until the end of the run and forbid nothing. EROFS. */
  setMode(inode: Inode, mode: number): void {
    inode.volume.checkWritable();
    this.#inodes.setMode(inode, mode);
  }

  /** The result of `stat` for an inode. */
  stat(inode: Inode): FileStat {
    const kind = inode.kind === "device" ? inode.device.kind : inode.kind;
    return {
      kind,
      inode: inode.number,
      device: inode.volume.device,
      mode: TYPE_BITS[kind] | inode.mode,
      links: inode.kind === "directory" ? inode.links : Number(inode.linked),
      size: inode.kind === "file"
        ? inode.content.size
        : inode.kind === "directory"
        ? BLOCK_SIZE
        : 0,
      mtimeMs: inode.mtimeMs,
    };
  }

  /** The status of a symbolic link with the number and the time of an inode. */
  linkStat(inode: Inode, target: string): FileStat {
    return {
      ...this.stat(inode),
      kind: "link",
      mode: TYPE_BITS.link | LINK_MODE,
      links: 1,
      size: target.length,
    };
  }

  /** The names in a directory, in the order of code points. */
  entries(directory: Inode): readonly Inode[] {
    if (directory.kind !== "directory") throw new FileError("ENOTDIR");
    const { size } = directory.entries;
    this.#inodes.countNames(this.#inodes.isListed(directory) ? size : size * SORTING_TIMES);
    this.#inodes.noteListing(directory);
    return directory.sorted;
  }
}
