/**
 * How many bytes of shared snapshots this process has written since the last sweep of their homes.
 * A run whose snapshot others may share removes none, so without a bound one context that runs
 * again and again fills the store until the janitor comes.
 *
 * @module
 */
import type { ContextKeyParts } from "../../store/keys.ts";

/** Bytes of one language that may wait for a sweep. */
const MAX_UNSWEPT_BYTES = 64 * 1024 * 1024;
/** A small snapshot counts this much, so that the number of homes is bounded too. */
const LEAST_BYTES = 4 * 1024;

interface Home {
  readonly home: ContextKeyParts;
  readonly bytes: number;
}

/** Counts bytes by home. */
export class UnsweptBytes {
  readonly #homes = new Map<string, Home>();
  readonly #max: number;
  #total = 0;

  constructor(max = MAX_UNSWEPT_BYTES) {
    this.#max = max;
  }

  /** A snapshot was written. */
  add(home: ContextKeyParts, bytes: number): void {
    const more = Math.max(bytes, LEAST_BYTES);
    const before = this.#homes.get(nameOf(home))?.bytes ?? 0;
    this.#homes.set(nameOf(home), { home, bytes: before + more });
    this.#total += more;
  }

  /** A sweep begins: it finds all that was written so far. */
  forget(home: ContextKeyParts): void {
    this.#total -= this.#homes.get(nameOf(home))?.bytes ?? 0;
    this.#homes.delete(nameOf(home));
  }

  /** The home with the most bytes, if there are more than may wait. */
  due(): ContextKeyParts | undefined {
    if (this.#total <= this.#max) return undefined;
    let largest: Home | undefined;
    for (const each of this.#homes.values()) {
      if (largest === undefined || each.bytes > largest.bytes) largest = each;
    }
    return largest?.home;
  }
}

function nameOf({ sandboxKey, contextId }: ContextKeyParts): string {
  return JSON.stringify([sandboxKey, contextId]);
}
