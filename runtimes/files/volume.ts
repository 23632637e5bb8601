/**
 * Budgets of bytes and entries.
 *
 * @module
 */
import { FileError } from "./file_error.ts";

/** Usage of a volume, as `statfs` reports it. The root does not count as an entry. */
export interface VolumeUsage {
  readonly bytes: number;
  readonly maxBytes: number;
  readonly entries: number;
  readonly maxEntries: number;
}

/** Limits of a volume. */
export interface VolumeLimits {
  readonly fileBytes: number;
  readonly maxBytes: number;
  readonly maxEntries: number;
}

/** Limits of a volume that is read-only while the guest runs. */
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
  /** The device number in `stat`. */
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

  /** EROFS if the volume is read-only. */
  checkWritable(): void {
    if (this.#readOnly) throw new FileError("EROFS");
  }

  get readOnly(): boolean {
    return this.#readOnly;
  }

  /** Makes a read-only volume writable while `fill` runs, at boot. */
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

  /**
   * Charges the growth of a file from `size` to `newSize`; EFBIG or ENOSPC when it does not fit.
   */
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

  /** Resets all charges. */
  clear(): void {
    this.restore(0, 0);
  }

  /** Resets the counts to an earlier {@linkcode usage}. */
  restore(bytes: number, entries: number): void {
    this.#bytes = bytes;
    this.#entries = entries;
  }
}
