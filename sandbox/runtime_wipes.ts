/**
 * The stored state of deleted contexts. The deleting commit records what must be removed. The entry
 * is removed after it, so that no crash leaves state behind.
 *
 * @module
 */
import { z } from "zod";
import { runtimeWipeKey, runtimeWipesPrefix } from "../store/keys.ts";
import type { KvStore } from "../store/kv.ts";
import type { Transaction } from "../store/transaction.ts";
import type { Clock } from "../shared/clock.ts";
import { describeCause, type Log } from "../shared/log.ts";
import type { RuntimeBindings } from "./runtime_bindings.ts";

/** The state of a context, or without a context id that of all contexts of a sandbox. */
export interface RuntimeWipe {
  readonly id: string;
  readonly binding: string;
  /** The sandbox key. */
  readonly key: string;
  readonly contextId: string | null;
  /**
   * Of an entry of an earlier version, whose state may yet be committed: nothing is removed before
   * this time. Epoch milliseconds.
   */
  readonly after?: number;
}

const wipeSchema: z.ZodType<RuntimeWipe, unknown> = z.object({
  id: z.string(),
  binding: z.string(),
  key: z.string(),
  contextId: z.string().nullable(),
  after: z.number().exactOptional(),
});

/** Maximum number of entries of this service's languages that one round of the janitor handles. */
const PER_ROUND = 1_000;

/** Dependencies of {@link RuntimeWipes}. */
export interface RuntimeWipesOptions {
  readonly kv: KvStore;
  readonly bindings: RuntimeBindings;
  readonly log: Log;
  readonly clock: Clock;
}

/** The state that must still be removed. */
export class RuntimeWipes {
  readonly #options: RuntimeWipesOptions;

  constructor(options: RuntimeWipesOptions) {
    this.#options = options;
  }

  /** Records what must be removed, as part of the deleting commit. */
  enter(transaction: Transaction, wipes: readonly RuntimeWipe[]): void {
    for (const wipe of wipes) transaction.set(runtimeWipeKey(wipe.id), wipe);
  }

  /**
   * Removes recorded state. What fails, or is of a language that this service does not enable,
   * stays recorded for the janitor, of this service or of another one on the store.
   */
  async finish(wipes: readonly RuntimeWipe[]): Promise<void> {
    await Promise.all(wipes.map((wipe) => this.#finish(wipe)));
  }

  /** Removes everything that is recorded; returns how many entries were completed. */
  async finishAll(signal: AbortSignal): Promise<number> {
    const { kv, bindings, clock } = this.#options;
    let [done, handled] = [0, 0];
    for await (const { value } of kv.list({ prefix: runtimeWipesPrefix() })) {
      if (signal.aborted || handled === PER_ROUND) break;
      const wipe = wipeSchema.parse(value);
      if (!bindings.has(wipe.binding)) continue;
      handled++;
      if ((wipe.after ?? 0) <= clock() && await this.#finish(wipe)) done++;
    }
    return done;
  }

  async #finish({ id, binding, key, contextId }: RuntimeWipe): Promise<boolean> {
    const { kv, bindings, log } = this.#options;
    if (!bindings.has(binding)) return false;
    try {
      const contexts = bindings.contexts(binding);
      if (contextId === null) await contexts.wipe(key);
      else await contexts.remove({ sandboxKey: key, contextId });
      await kv.delete(runtimeWipeKey(id));
    } catch (thrown) {
      log("warn", "the state of a context was not removed yet", {
        binding,
        ...describeCause(thrown),
      });
      return false;
    }
    return true;
  }
}
