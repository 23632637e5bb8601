/**
 * A store that is far away, and that counts round trips.
 *
 * Each operation is answered after the same time, which is long beside the work between operations.
 * Its depth is one more than the deepest operation that was answered before it began. So
 * operations that overlap count once, and those that wait for another's answer count again: the
 * depth at the end of a request is what the request waits for, in round trips.
 */
import type { KvStore } from "../../store/kv.ts";
import { type StoreOperation, WrappedStore } from "../../store/wrapped_store.ts";

/** A store whose answers take a while. */
export class SlowStore extends WrappedStore {
  readonly #latencyMs: number;
  #answered = 0;
  /** The operations since the last count, as `depth operation`; for messages. */
  readonly begun: string[] = [];

  constructor(kv: KvStore, latencyMs: number) {
    super(kv);
    this.#latencyMs = latencyMs;
  }

  /** The round trips that `work` waits for. */
  async count(work: () => Promise<unknown>): Promise<number> {
    this.#answered = 0;
    this.begun.length = 0;
    await work();
    return this.#answered;
  }

  protected override async around<T>(
    operation: StoreOperation,
    work: () => Promise<T>,
  ): Promise<T> {
    const depth = this.#answered + 1;
    this.begun.push(`${depth} ${operation}`);
    await new Promise((resolve) => setTimeout(resolve, this.#latencyMs));
    try {
      return await work();
    } finally {
      this.#answered = Math.max(this.#answered, depth);
    }
  }
}
