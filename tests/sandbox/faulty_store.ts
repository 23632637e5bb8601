/**
 * A store between tests and Deno KV. It counts operations, and can die: then no further operation
 * happens, as if the calling process had been killed.
 */
import { type StoreOperation, WrappedStore } from "../../store/wrapped_store.ts";

/** The process that uses the store was killed. */
class Killed extends Error {
  override readonly name = "Killed";
}

/** Counts operations; can be killed. */
export class FaultyStore extends WrappedStore {
  /** The operations since the last {@link reset}. */
  readonly operations: StoreOperation[] = [];
  #dead = false;
  #left = Infinity;

  /** From now on every operation fails and does nothing. */
  kill(): void {
    this.#dead = true;
  }

  /** From the operation after the next `count` on, every operation fails. */
  killAfter(count: number): void {
    this.#left = count;
  }

  /** Whether an operation was refused. */
  get died(): boolean {
    return this.#dead;
  }

  reset(): void {
    this.operations.length = 0;
  }

  /** Counts an operation, or fails it. */
  protected override async around<T>(
    operation: StoreOperation,
    work: () => Promise<T>,
  ): Promise<T> {
    if (this.#left-- <= 0) this.#dead = true;
    if (this.#dead) throw new Killed("the process was killed");
    this.operations.push(operation);
    return await work();
  }
}
