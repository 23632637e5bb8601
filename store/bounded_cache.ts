/**
 * A cache of immutable values by name, bounded in bytes. It evicts the least recently used value
 * first.
 *
 * @module
 */

interface Cached<V> {
  readonly value: V;
  readonly bytes: number;
}

/** Values by name, as many as fit. */
export class BoundedCache<V> {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Cached<V>>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Total size of all values in bytes, as callers stated it. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns a value and marks it as most recently used. */
  get(name: string): V | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    return entry.value;
  }

  /** Adds a value, unless it is larger than the whole cache. */
  set(name: string, value: V, bytes: number): void {
    this.delete(name);
    if (bytes > this.#maxBytes) return;
    this.#entries.set(name, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.delete(oldest);
    }
  }

  /** Removes a value. */
  delete(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.#entries.delete(name);
    this.#bytes -= entry.bytes;
  }
}
