/**
 * Timers in the order in which they are due; timers due at the same time, in the order in which
 * they were set.
 *
 * @module
 */
import { append, createList, type List, MathFloor } from "./primordials.ts";

/** A timer. Times are milliseconds. */
export interface Timer {
  readonly callback: unknown;
  readonly args: ArrayLike<unknown>;
  /** The `this` of the callback. */
  readonly self: unknown;
  readonly delay: number;
  readonly repeats: boolean;
  /** Earliest time on the guest's clock. */
  wakeAt: number;
  /** Number of the last start. An entry with another number is outdated. */
  order: number;
  /** Whether the pending timer keeps the run going. */
  referenced: boolean;
  waiting: boolean;
}

/** One start of a timer; `due` is a time on the loop's own clock. */
export interface Entry {
  readonly timer: Timer;
  readonly due: number;
  readonly order: number;
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order);
}

function isLive(entry: Entry): boolean {
  return entry.timer.waiting && entry.timer.order === entry.order;
}

/** A heap of entries; outdated ones stay in it until they come up. */
export class TimerQueue {
  readonly #heap: List<Entry> = createList<Entry>();

  add(entry: Entry): void {
    const heap = this.#heap;
    let index = heap.length;
    append(heap, entry);
    while (index > 0) {
      const parent = MathFloor((index - 1) / 2);
      const above = heap[parent];
      if (above === undefined || isBefore(above, entry)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  }

  /** The entry due next. */
  peek(): Entry | undefined {
    for (;;) {
      const first = this.#heap[0];
      if (first === undefined || isLive(first)) return first;
      this.remove();
    }
  }

  /** Removes the entry that {@link peek} returned. */
  remove(): void {
    const heap = this.#heap;
    const last = heap[heap.length - 1];
    if (last === undefined) return;
    heap.length--;
    if (heap.length > 0) this.#sink(last);
  }

  #sink(entry: Entry): void {
    const heap = this.#heap;
    let index = 0;
    for (;;) {
      const child = this.#earlierChild(index);
      const below = heap[child];
      if (below === undefined || isBefore(entry, below)) break;
      heap[index] = below;
      index = child;
    }
    heap[index] = entry;
  }

  #earlierChild(index: number): number {
    const left = index * 2 + 1;
    const a = this.#heap[left];
    const b = this.#heap[left + 1];
    return a !== undefined && b !== undefined && isBefore(b, a) ? left + 1 : left;
  }
}
