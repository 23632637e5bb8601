/**
 * Open descriptors, as WASI and POSIX see them.
 *
 * @module
 */
import type { FileData, FileStat } from "./file_data.ts";
import { FileError } from "./file_error.ts";
import type { FileTree } from "./file_tree.ts";
import type { DirectoryInode, FileInode, Inode } from "./inode.ts";
import { OpenFile, type OpenFlags } from "./open_file.ts";

/** Where a seek counts from. */
export type SeekOrigin = "start" | "current" | "end";

/**
 * The table of open descriptors. The lowest free number is given out, as POSIX has it. Every
 * operation throws EBADF for a number that is not open.
 */
export class DescriptorTable {
  readonly #tree: FileTree;
  readonly #data: FileData;
  readonly #max: number;
  #files: (OpenFile | undefined)[] = [];
  /** No number below this is free. */
  #low = 0;

  constructor(tree: FileTree, data: FileData, max: number) {
    this.#tree = tree;
    this.#data = data;
    this.#max = max;
  }

  /** EMFILE when fewer descriptors are free. */
  checkFree(count = 1): void {
    let last = this.#lowestFree();
    for (let found = 1; found < count; found++) last = this.#lowestFree(last + 1);
    if (last >= this.#max) throw new FileError("EMFILE");
  }

  /** Opens an inode under the lowest free number. EMFILE. */
  open(inode: Inode, flags: OpenFlags): number {
    this.checkFree();
    const descriptor = this.#lowestFree();
    this.#install(descriptor, new OpenFile(inode, flags));
    return descriptor;
  }

  /** The description behind a number. */
  get(descriptor: number): OpenFile {
    const file = this.#files[descriptor];
    if (file === undefined) throw new FileError("EBADF");
    return file;
  }

  /** The open numbers, in order. */
  numbers(): number[] {
    return [...this.#files.keys()].filter((number) => this.#files[number] !== undefined);
  }

  close(descriptor: number): void {
    const file = this.get(descriptor);
    this.#files[descriptor] = undefined;
    this.#low = Math.min(this.#low, descriptor);
    file.references--;
    if (file.references === 0) this.#tree.release(file.inode);
  }

  closeAll(): void {
    for (const number of this.numbers()) this.close(number);
    this.#files = [];
    this.#low = 0;
  }

  /**
   * Another number, the lowest free one from `lowest` on, for the same description. EMFILE, EINVAL.
   */
  duplicate(descriptor: number, lowest = 0): number {
    const file = this.get(descriptor);
    checkPosition(lowest);
    const made = this.#lowestFree(lowest);
    if (made >= this.#max) throw new FileError("EMFILE");
    this.#install(made, file);
    return made;
  }

  /**
   * Makes `target` a number for the same description; what was open there is closed. EBADF, EMFILE.
   */
  duplicateTo(descriptor: number, target: number): void {
    const file = this.get(descriptor);
    if (!Number.isSafeInteger(target) || target < 0) {
      throw new FileError("EBADF");
    }
    if (target >= this.#max) throw new FileError("EMFILE");
    if (target === descriptor) return;
    if (this.#files[target] !== undefined) this.close(target);
    this.#install(target, file);
  }

  /** Reads at the offset of the description. EBADF (not open for reading), EISDIR. */
  read(descriptor: number, into: Uint8Array): number {
    const file = this.#readable(descriptor);
    if (file.inode.kind === "device") return this.#data.readDevice(file.inode, into);
    const count = this.#readAt(file, into, file.position);
    file.position += count;
    return count;
  }

  /** Reads at a position and leaves the offset unchanged. ESPIPE, EINVAL, else as `read`. */
  readAt(descriptor: number, into: Uint8Array, position: number): number {
    checkPosition(position);
    this.#seekable(this.get(descriptor));
    const file = this.#readable(descriptor);
    if (file.inode.kind === "device") return this.#data.readDevice(file.inode, into);
    return this.#readAt(file, into, position);
  }

  /** Writes all of `bytes` at the offset. EBADF (not open for writing), EFBIG, ENOSPC. */
  write(descriptor: number, bytes: Uint8Array): void {
    const file = this.#writable(descriptor);
    if (file.inode.kind === "device") return this.#data.writeDevice(file.inode, bytes);
    file.position = this.#writeAt(file, bytes, file.position);
  }

  /** Writes at a position and leaves the offset unchanged. ESPIPE, EINVAL, else as `write`. */
  writeAt(descriptor: number, bytes: Uint8Array, position: number): void {
    checkPosition(position);
    this.#seekable(this.get(descriptor));
    const file = this.#writable(descriptor);
    if (file.inode.kind === "device") return this.#data.writeDevice(file.inode, bytes);
    this.#writeAt(file, bytes, position);
  }

  /** Sets the offset, which may lie past the end, and returns it. ESPIPE, EINVAL (negative). */
  seek(descriptor: number, offset: number, origin: SeekOrigin): number {
    const file = this.#seekable(this.get(descriptor));
    const size = file.inode.kind === "file" ? file.inode.content.size : 0;
    const start = origin === "start" ? 0 : origin === "current" ? file.position : size;
    checkPosition(start + offset);
    if (file.inode.kind === "device") return 0;
    file.position = start + offset;
    return file.position;
  }

  /** Cuts, or extends with zeros. EINVAL (not a regular file or not writable), EFBIG, ENOSPC. */
  truncate(descriptor: number, size: number): void {
    const { inode, writable } = this.get(descriptor);
    if (inode.kind !== "file" || !writable) throw new FileError("EINVAL");
    this.#data.truncate(inode, size);
  }

  /** The result of `fstat`. */
  stat(descriptor: number): FileStat {
    return this.#data.stat(this.get(descriptor).inode);
  }

  /** The directory behind a number, as a base for paths. ENOTDIR. */
  directory(descriptor: number): DirectoryInode {
    const { inode } = this.get(descriptor);
    if (inode.kind !== "directory") throw new FileError("ENOTDIR");
    return inode;
  }

  /**
   * The entries of an open directory. The list is made at the first call, and again
   * with `rewind`, so entries removed between two calls shift nothing. ENOTDIR.
   */
  entries(descriptor: number, rewind = false): readonly Inode[] {
    const file = this.get(descriptor);
    if (rewind || file.listing === undefined) {
      file.listing = this.#data.entries(file.inode);
    }
    return file.listing;
  }

  #readAt(file: OpenFile, into: Uint8Array, position: number): number {
    return this.#data.read(regular(file.inode), position, into);
  }

  /** Writes and returns the end of the write; an empty write moves nothing, as on Linux. */
  #writeAt(file: OpenFile, bytes: Uint8Array, position: number): number {
    const inode = regular(file.inode);
    if (bytes.length === 0) return position;
    const start = file.append ? inode.content.size : position;
    this.#data.write(inode, start, bytes);
    return start + bytes.length;
  }

  #readable(descriptor: number): OpenFile {
    const file = this.get(descriptor);
    if (!file.readable) throw new FileError("EBADF");
    return file;
  }

  #writable(descriptor: number): OpenFile {
    const file = this.get(descriptor);
    if (!file.writable) throw new FileError("EBADF");
    return file;
  }

  #seekable(file: OpenFile): OpenFile {
    const { inode } = file;
    if (inode.kind === "device" && inode.device.kind === "pipe") {
      throw new FileError("ESPIPE");
    }
    return file;
  }

  #install(descriptor: number, file: OpenFile): void {
    if (file.references === 0) this.#tree.retain(file.inode);
    file.references++;
    this.#files[descriptor] = file;
  }

  #lowestFree(from = 0): number {
    while (this.#files[this.#low] !== undefined) this.#low++;
    let number = Math.max(from, this.#low);
    while (this.#files[number] !== undefined) number++;
    return number;
  }
}

function regular(inode: Inode): FileInode {
  if (inode.kind === "directory") throw new FileError("EISDIR");
  if (inode.kind === "device") throw new FileError("EINVAL");
  return inode;
}

function checkPosition(position: number): void {
  if (!Number.isSafeInteger(position) || position < 0) {
    throw new FileError("EINVAL");
  }
}
