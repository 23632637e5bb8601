/**
 * Shares the process's single thread: long work runs in slices of a few milliseconds, one slice at
 * a time, and the event loop runs in between. Tenants take turns, so the long work of one delays
 * that of another by one slice only.
 *
 * @module
 */

/** Maximum slice in milliseconds; long work ends a slice after about this time. */
const SLICE_MS = 2;
/** Steps of a loop over awaited values without a look at the time: less than a slice. */
const STEPS = 64;

/** The slices of a thread. */
export class Slices {
  readonly #defer: (next: () => void) => void;
  /** Waiting work by tenant, in the order of the tenants' turns; no list is empty. */
  readonly #queues = new Map<string, (() => void)[]>();
  #running = false;

  /** `defer` calls back after one turn of the event loop. */
  constructor(defer: (next: () => void) => void = (next) => void setTimeout(next, 0)) {
    this.#defer = defer;
  }

  /** Resolves when the tenant has a slice of the thread, which ends with the next `await`. */
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

/** The slices of this process. */
export const THREAD: Slices = new Slices();

/** Long work of one tenant, which yields the thread from time to time. */
export interface Slicer {
  /** Resolves at once while the slice lasts, otherwise when the next one begins. */
  pause(): Promise<void>;
  /** Whether the slice is over, so that {@link pause} must be called. */
  isOver(): boolean;
}

/** Starts long work; its first slice begins now. */
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

/**
 * For a loop over awaited values: to be awaited in each step. Values that are there already are
 * handed over without a turn of the event loop, so a loop without these pauses keeps timers and
 * other callers waiting until there is no more. A step that waited costs no pause.
 */
export function stepsOf(tenant: string, slices: Slices = THREAD): () => Promise<void> {
  let steps = 0;
  let began = performance.now();
  return async () => {
    if (++steps < STEPS || performance.now() - began < SLICE_MS) return;
    await slices.next(tenant);
    steps = 0;
    began = performance.now();
  };
}
