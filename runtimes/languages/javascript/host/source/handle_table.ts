/**
 * The host values that a wasm-bindgen module holds, by handle: an index that it stores in its
 * memory.
 *
 * @module
 */

/** The first handle after the constants that every module knows. */
const FIRST_HANDLE = 132;
const CONSTANTS = new Map<number, unknown>([[128, undefined], [129, null], [130, true], [
  131,
  false,
]]);

/** Values by handle. Dropped handles are reused. */
export class HandleTable {
  readonly #values: unknown[] = [];
  readonly #free: number[] = [];

  add(value: unknown): number {
    const slot = this.#free.pop() ?? this.#values.length;
    this.#values[slot] = value;
    return slot + FIRST_HANDLE;
  }

  get(handle: number): unknown {
    return handle < FIRST_HANDLE ? CONSTANTS.get(handle) : this.#values[handle - FIRST_HANDLE];
  }

  drop(handle: number): void {
    if (handle < FIRST_HANDLE) return;
    this.#values[handle - FIRST_HANDLE] = undefined;
    this.#free.push(handle - FIRST_HANDLE);
  }

  take(handle: number): unknown {
    const value = this.get(handle);
    this.drop(handle);
    return value;
  }
}
