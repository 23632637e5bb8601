/**
 * A store that can be unreachable for a while. It stands between the service and the store that keeps
 * the data. An operation in that time ends as with Deno's client of a KV server: it is done late,
 * when the store is back; or it was done, its answer was lost, and it is tried again; or it fails; or
 * it never ends.
 *
 * @module
 */
import { type StoreOperation, WrappedStore } from "../../store/wrapped_store.ts";
import type { KvStore } from "../../store/kv.ts";

/** Something between a service and its data that can fail. */
export interface Outages {
  /** From now on the store is gone, or slow. */
  begin(): void;
  /** The store is back. */
  end(): void;
}

const SILENT = ["late", "answer lost", "never"] as const;
const FLAKY = [...SILENT, "fails", "done and fails", "slow"] as const;
const LONGEST_DELAY_MS = 250;

/** A store with outages. */
export class OutageStore extends WrappedStore implements Outages {
  readonly #below: (end: number) => number;
  #back: PromiseWithResolvers<void> | undefined;
  #fates: readonly typeof FLAKY[number][] = FLAKY;

  constructor(kv: KvStore, below: (end: number) => number) {
    super(kv);
    this.#below = below;
  }

  begin(): void {
    this.#back ??= Promise.withResolvers();
    this.#fates = this.#below(2) === 0 ? SILENT : FLAKY;
  }

  end(): void {
    this.#back?.resolve();
    this.#back = undefined;
  }

  protected override async around<T>(_: StoreOperation, work: () => Promise<T>): Promise<T> {
    const back = this.#back?.promise;
    if (back === undefined) return await work();
    switch (this.#fates[this.#below(this.#fates.length)]) {
      case "late":
        await back;
        return await work();
      case "answer lost":
        await work();
        await back;
        return await work();
      case "fails":
        throw new TypeError("KV Connect failed to read response body: broken pipe");
      case "done and fails":
        await work();
        throw new TypeError("KV Connect failed to read response body: broken pipe");
      case "never":
        return await new Promise<never>(() => undefined);
      default: {
        const ms = this.#below(LONGEST_DELAY_MS);
        await new Promise((resolve) => setTimeout(resolve, ms));
        return await work();
      }
    }
  }
}
