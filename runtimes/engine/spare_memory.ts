/**
 * The decision about memory that an instance has beyond the baseline's, because a program needed
 * it.
 *
 * Comparing it at each reset costs time, and so does a new instance. It is kept while programs use
 * it, and until comparing it for nothing has cost as much as a new instance does.
 *
 * @module
 */

/** Most bytes beyond the baseline that an instance keeps between runs. */
export const MAX_SPARE_BYTES: number = 64 * 1024 * 1024;
/** Comparing so many bytes takes about as long as a new instance: 20 to 50 ms. */
const INSTANCE_BYTES = 1024 * 1024 * 1024;

/** Decides for the instances of one engine, one after the other. */
export class SpareMemory {
  #unused = 0;

  /**
   * Whether the next reset keeps an instance with so many bytes to spare. `isUsed`: its guest
   * needed some of them.
   */
  isKept(bytes: number, isUsed: boolean): boolean {
    return bytes <= MAX_SPARE_BYTES && this.#unusedAfter(bytes, isUsed) <= INSTANCE_BYTES;
  }

  /** Notes a reset. */
  note(bytes: number, isUsed: boolean): void {
    this.#unused = this.isKept(bytes, isUsed) ? this.#unusedAfter(bytes, isUsed) : 0;
  }

  #unusedAfter(bytes: number, isUsed: boolean): number {
    return isUsed ? 0 : this.#unused + bytes;
  }
}
