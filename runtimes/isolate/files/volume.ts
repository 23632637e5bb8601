/**
 * Budgets of bytes and entries.
 *
 * @module
 */
import { FileError } from "./file_error.ts";

/** How full a volume is, as `statfs` would tell. The root is no entry. */
export interface VolumeUsage {
  readonly bytes: number;
  readonly maxBytes: number;
  readonly entries: number;
  readonly maxEntries: number;
}

/** What a volume may hold. */
export interface VolumeLimits {
  readonly fileBytes: number;
  readonly maxBytes: number;
  readonly maxEntries: number;
}

/** Limits of a volume that nothing is written to once the guest runs. */
export const UNLIMITED: VolumeLimits = {
  fileBytes: Number.MAX_SAFE_INTEGER,
  maxBytes: Number.MAX_SAFE_INTEGER,
  maxEntries: Number.MAX_SAFE_INTEGER,
};

/**
 * A budget that a subtree's inodes are charged to: `/workspace`, `/tmp`, and one for everything
 * read-only. An unlinked file stays charged until its last descriptor is closed, so deleting
 * open files gains no room.
 */
export class Volume {
  /** What `stat` shows as the device. */
  readonly device: number;
  readonly limits: VolumeLimits;
  #readOnly: boolean;
  #bytes = 0;
  #entries = 0;

  constructor(device: number, limits: VolumeLimits, readOnly = false) {
    this.device = device;
    this.limits = limits;
    this.#readOnly = readOnly;
  }

  get usage(): VolumeUsage {
    const { maxBytes, maxEntries } = this.limits;
    return { bytes: this.#bytes, maxBytes, entries: this.#entries, maxEntries };
  }

  /** EROFS unless the volume can be written to. */
  checkWritable(): void {
    if (this.#readOnly) throw new FileError("EROFS");
  }

  get readOnly(): boolean {
    return this.#readOnly;
  }

  /** Lets a read-only volume be written to while `fill` runs, at boot. */
  whileWritable<Result>(fill: () => Result): Result {
    const { readOnly } = this;
    this.#readOnly = false;
    try {
      return fill();
    } finally {
      this.#readOnly = readOnly;
    }
  }

  /** Takes one entry; ENOSPC when there is none left. */
  takeEntry(): void {
    if (this.#entries >= this.limits.maxEntries) throw new FileError("ENOSPC");
    this.#entries++;
  }

  /** Charges the growth of a file from `size` to `newSize`; EFBIG or ENOSPC when it does not fit. */
  resize(size: number, newSize: number): void {
    if (newSize > size) {
      if (newSize > this.limits.fileBytes) throw new FileError("EFBIG");
      if (this.#bytes + newSize - size > this.limits.maxBytes) {
        throw new FileError("ENOSPC");
      }
    }
    this.#bytes += newSize - size;
  }

  /** Gives an entry and its bytes back. */
  release(bytes: number): void {
    this.#bytes -= bytes;
    this.#entries--;
  }

  /** Nothing is charged any more. */
  clear(): void {
    this.restore(0, 0);
  }

  /** Puts counts back to what {@linkcode usage} told earlier. */
  restore(bytes: number, entries: number): void {
    this.#bytes = bytes;
    this.#entries = entries;
  }
}
