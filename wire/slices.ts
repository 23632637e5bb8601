/**
 * Taking turns with the process's one thread: long work is done in slices of a few milliseconds,
 * one slice at a time, and all that waits on the event loop goes on between two of them. Tenants
 * take turns, so the long work of one holds up that of another by a slice and not by the whole.
 *
 * @module
 */

/** Longest slice in milliseconds; who works in slices ends one after about this time. */
const SLICE_MS = 2;

/** The slices of a thread. */
export class Slices {
  readonly #defer: (next: () => void) => void;
  /** Those who wait, by tenant, in the order of the tenants' turns; no list is empty. */
  readonly #queues = new Map<string, (() => void)[]>();
  #running = false;

  /** `defer` calls once the event loop has gone round. */
  constructor(defer: (next: () => void) => void = (next) => void setTimeout(next, 0)) {
    this.#defer = defer;
  }

  /** Resolves when a slice of the thread is the tenant's; it ends with the next `await`. */
  next(tenant: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.#queues.get(tenant);
      if (queue === undefined) this.#queues.set(tenant, [resolve]);
      else queue.push(resolve);
      if (this.#running) return;
      this.#running = true;
      this.#defer(() => this.#serve());
    });
  }

  #serve(): void {
    for (const [tenant, queue] of this.#queues) {
      this.#queues.delete(tenant);
      const start = queue.shift();
      if (queue.length > 0) this.#queues.set(tenant, queue); // behind all others
      start?.();
      break;
    }
    this.#running = this.#queues.size > 0;
    if (this.#running) this.#defer(() => this.#serve());
  }
}

/** Those of this process. */
export const THREAD: Slices = new Slices();

/** Long work of one tenant, which gives the thread back from time to time. */
export interface Slicer {
  /** Resolves at once as long as the slice lasts, else when the next one begins. */
  pause(): Promise<void>;
  /** Whether the slice is over, so that {@link pause} has to be called. */
  isOver(): boolean;
}

/** Begins long work; the first slice begins now. */
export function slicesOf(tenant: string, slices: Slices = THREAD): Slicer {
  let began = performance.now();
  const isOver = () => performance.now() - began >= SLICE_MS;
  return {
    isOver,
    pause: async () => {
      if (!isOver()) return;
      await slices.next(tenant);
      began = performance.now();
    },
  };
}
