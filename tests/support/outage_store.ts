/**
 * A store that can be gone for a while, between the service and the one that keeps the data. What
 * becomes of an operation meanwhile is what Deno's client of a KV server makes of it: it is done
 * when the store is back, however late; or it was done and the answer was lost, so that it is tried
 * a second time; or it fails; or nothing is ever heard of it.
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
