/**
 * A store between tests and Deno KV: it counts operations, and can die, after which nothing that
 * is asked of it happens any more, as when the process that asks was killed.
 */
import type { KvAtomic, KvListOptions, KvStore } from "../../store/kv.ts";
import { WrappedAtomic } from "../../store/wrapped_atomic.ts";

/** The process that uses the store was killed. */
export class Killed extends Error {
  override readonly name = "Killed";
}

/** Counts operations; can be killed. */
export class FaultyStore implements KvStore {
  /** Names of the operations since the last {@link reset}. */
  readonly operations: string[] = [];
  readonly #kv: KvStore;
  #dead = false;
  #left = Infinity;

  constructor(kv: KvStore) {
    this.#kv = kv;
  }

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

  get: KvStore["get"] = async (key, options) => {
    this.note("get");
    return await this.#kv.get(key, options);
  };

  getMany: KvStore["getMany"] = async (keys, options) => {
    this.note("getMany");
    return await this.#kv.getMany(keys, options);
  };

  set: KvStore["set"] = async (key, value, options) => {
    this.note("set");
    return await this.#kv.set(key, value, options);
  };

  delete: KvStore["delete"] = async (key) => {
    this.note("delete");
    await this.#kv.delete(key);
  };

  close(): void {
    this.#kv.close();
  }

  async *list<T = unknown>(
    selector: Deno.KvListSelector,
    options?: KvListOptions,
  ): AsyncIterable<Deno.KvEntry<T>> {
    this.note("list");
    yield* this.#kv.list<T>(selector, options);
  }

  atomic(): KvAtomic {
    return new WrappedAtomic(this.#kv.atomic(), async (commit) => {
      this.note("atomic");
      return await commit();
    });
  }

  /** Counts an operation, or fails it. */
  note(operation: string): void {
    if (this.#left-- <= 0) this.#dead = true;
    if (this.#dead) throw new Killed("the process was killed");
    this.operations.push(operation);
  }
}
