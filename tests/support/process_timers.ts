/** Timers that end with the process that they stand for. */
import { systemTimers, type Timers } from "../../shared/timers.ts";

/** The timers of simulated processes, all of which can be cancelled at once. */
export class ProcessTimers implements Timers {
  readonly #cancels = new Set<() => void>();

  after(ms: number, call: () => void, background?: boolean): () => void {
    const cancel = systemTimers.after(ms, () => {
      this.#cancels.delete(end);
      call();
    }, background);
    const end = () => {
      this.#cancels.delete(end);
      cancel();
    };
    this.#cancels.add(end);
    return end;
  }

  cancelAll(): void {
    for (const cancel of [...this.#cancels]) cancel();
  }
}
