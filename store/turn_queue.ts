/**
 * Turns within one process: first come, first served, per name.
 *
 * @module
 */

/** Ends a turn. Calling it again does nothing. */
export type GiveBack = () => void;

/** One turn at a time for each name. */
export class TurnQueue {
  /** Waiting callers, by name. A name is present while somebody has its turn. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Whether somebody has the turn. */
  isTaken(name: string): boolean {
    return this.#waiting.has(name);
  }

  /** Begins a turn that nobody has. */
  begin(name: string): GiveBack {
    if (this.isTaken(name)) throw new TypeError("somebody has the turn");
    this.#waiting.set(name, []);
    return this.#giveBack(name);
  }

  /** Waits for the turn. Rejects with the signal's reason if it aborts first. */
  take(name: string, signal: AbortSignal): Promise<GiveBack> {
    const queue = this.#waiting.get(name);
    if (queue === undefined) return Promise.resolve(this.begin(name));
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const begin = () => {
        signal.removeEventListener("abort", leave);
        resolve(this.#giveBack(name));
      };
      const leave = () => {
        queue.splice(queue.indexOf(begin), 1);
        reject(signal.reason);
      };
      queue.push(begin);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  #giveBack(name: string): GiveBack {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = this.#waiting.get(name)?.shift();
      if (next === undefined) this.#waiting.delete(name);
      else next();
    };
  }
}
