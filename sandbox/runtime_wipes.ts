/**
 * What deleted contexts and sandboxes left at runtimes. The deleting commit records what must be
 * wiped. The entry is removed once the runtime has wiped it, so that no crash leaves state behind.
 *
 * @module
 */
import { z } from "zod";
import { runtimeWipeKey, runtimeWipesPrefix } from "../store/keys.ts";
import type { KvStore } from "../store/kv.ts";
import type { Transaction } from "../store/transaction.ts";
import { describeCause, type Log } from "../wire/log.ts";
import type { RuntimeBindings } from "./runtime_bindings.ts";

/** The data that a runtime must remove: a context, or without a context id everything of the sandbox. */
export interface RuntimeWipe {
  readonly id: string;
  readonly binding: string;
  readonly key: string;
  readonly tenant: string;
  readonly contextId: string | null;
}

const wipeSchema: z.ZodType<RuntimeWipe, unknown> = z.object({
  id: z.string(),
  binding: z.string(),
  key: z.string(),
  tenant: z.string(),
  contextId: z.string().nullable(),
});

/** Maximum number of entries that one round of the janitor handles. */
const PER_ROUND = 1_000;

/** The state that must still be wiped. */
export class RuntimeWipes {
  readonly #kv: KvStore;
  readonly #bindings: RuntimeBindings;
  readonly #log: Log;

  constructor(kv: KvStore, bindings: RuntimeBindings, log: Log) {
    this.#kv = kv;
    this.#bindings = bindings;
    this.#log = log;
  }

  /** Records what must be wiped, as part of the deleting commit. */
  enter(transaction: Transaction, wipes: readonly RuntimeWipe[]): void {
    for (const wipe of wipes) transaction.set(runtimeWipeKey(wipe.id), wipe);
  }

  /** Wipes recorded state. What fails stays recorded, for the janitor. */
  async finish(wipes: readonly RuntimeWipe[]): Promise<void> {
    await Promise.all(wipes.map((wipe) => this.#finish(wipe)));
  }

  /** Wipes everything that is recorded; returns how many entries were completed. */
  async finishAll(signal: AbortSignal): Promise<number> {
    let done = 0;
    const options = { limit: PER_ROUND };
    for await (const { value } of this.#kv.list({ prefix: runtimeWipesPrefix() }, options)) {
      if (signal.aborted) break;
      if (await this.#finish(wipeSchema.parse(value))) done++;
    }
    return done;
  }

  async #finish(wipe: RuntimeWipe): Promise<boolean> {
    const { contextId } = wipe;
    try {
      if (contextId === null) await this.#bindings.wipe(wipe);
      else await this.#bindings.remove({ ...wipe, contextId });
      await this.#kv.delete(runtimeWipeKey(wipe.id));
    } catch (thrown) {
      this.#log("warn", "state at a runtime was not wiped yet", {
        binding: wipe.binding,
        ...describeCause(thrown),
      });
      return false;
    }
    return true;
  }
}
