/**
 * Counts bytes that wait for a sweep, by the place that must be swept.
 *
 * @module
 */

/** Bytes that may wait. */
const MAX_UNSWEPT_BYTES = 64 * 1024 * 1024;
/** A small entry counts this much, so that the number of places is bounded too. */
const LEAST_BYTES = 4 * 1024;

interface Entry<T> {
  readonly place: T;
  readonly bytes: number;
}

/** Counts bytes by place. */
export class UnsweptBytes<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #nameOf: (place: T) => string;
  readonly #max: number;
  #total = 0;

  /** `nameOf`: a unique name of a place. `max`: bytes that may wait. */
  constructor(nameOf: (place: T) => string, max: number = MAX_UNSWEPT_BYTES) {
    this.#nameOf = nameOf;
    this.#max = max;
  }

  /** So many bytes more wait. */
  add(place: T, bytes: number): void {
    const more = Math.max(bytes, LEAST_BYTES);
    const name = this.#nameOf(place);
    const before = this.#entries.get(name)?.bytes ?? 0;
    this.#entries.set(name, { place, bytes: before + more });
    this.#total += more;
  }

  /** A sweep begins: it finds everything so far. */
  forget(place: T): void {
    const name = this.#nameOf(place);
    this.#total -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
  }

  /** The place with the most bytes, if more wait than may. */
  due(): T | undefined {
    if (this.#total <= this.#max) return undefined;
    let largest: Entry<T> | undefined;
    for (const each of this.#entries.values()) {
      if (largest === undefined || each.bytes > largest.bytes) largest = each;
    }
    return largest?.place;
  }
}
