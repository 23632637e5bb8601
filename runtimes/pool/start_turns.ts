/**
 * The order in which the isolates of all languages start. A start that callers wait for has its
 * turn at once. A start ahead of need waits until no other start is in progress, because starts
 * that share the processor are each slower.
 *
 * @module
 */

/** A start that waits for its turn. */
interface Waiting {
  isAsked(): boolean;
  begin(): void;
}

/** The turns of starts, shared by the pools of a process. */
export class StartTurns {
  #running = 0;
  /** Starts ahead of need, in the order in which they came. */
  #waiting: Waiting[] = [];

  /**
   * Runs a start when it is its turn. `isAsked` tells whether callers wait for it, now or later.
   * Rejects with the signal's reason when that fires before the turn.
   */
  async run<T>(
    isAsked: () => boolean,
    signal: AbortSignal,
    start: () => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    if (this.#running > 0 && !isAsked()) await this.#wait(isAsked, signal);
    else this.#running++;
    try {
      return await start();
    } finally {
      this.#running--;
      this.recheck();
    }
  }

  /**
   * Begins the starts that callers wait for by now, and the oldest one when none is in progress.
   */
  recheck(): void {
    const asked = this.#waiting.filter((waiting) => waiting.isAsked());
    for (const waiting of asked) this.#begin(waiting);
    const [oldest] = this.#waiting;
    if (this.#running === 0 && oldest !== undefined) this.#begin(oldest);
  }

  #begin(waiting: Waiting): void {
    this.#remove(waiting);
    this.#running++;
    waiting.begin();
  }

  #remove(waiting: Waiting): void {
    this.#waiting = this.#waiting.filter((other) => other !== waiting);
  }

  async #wait(isAsked: () => boolean, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { isAsked, begin: resolve };
    const onAbort = () => {
      this.#remove(waiting);
      reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    this.#waiting.push(waiting);
    try {
      await promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }
}
