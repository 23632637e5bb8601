/**
 * What deleted contexts and sandboxes left at runtimes. The commit that deletes enters what is to
 * be wiped; the entry goes once the runtime has done so, so that no crash leaves state behind.
 *
 * @module
 */
import { z } from "zod";
import { runtimeWipeKey, runtimeWipesPrefix } from "../store/keys.ts";
import type { KvStore } from "../store/kv.ts";
import type { Transaction } from "../store/transaction.ts";
import { describeCause, type Log } from "../wire/log.ts";
import type { RuntimeBindings } from "./runtime_bindings.ts";

/** What a runtime is to remove: a context, or without one all that it keeps for the sandbox. */
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

/** Entries that are looked at in one round of the janitor. */
const PER_ROUND = 1_000;

/** What is still to be wiped. */
export class RuntimeWipes {
  readonly #kv: KvStore;
  readonly #bindings: RuntimeBindings;
  readonly #log: Log;

  constructor(kv: KvStore, bindings: RuntimeBindings, log: Log) {
    this.#kv = kv;
    this.#bindings = bindings;
    this.#log = log;
  }

  /** Enters what is to be wiped, as part of the commit that deletes. */
  enter(transaction: Transaction, wipes: readonly RuntimeWipe[]): void {
    for (const wipe of wipes) transaction.set(runtimeWipeKey(wipe.id), wipe);
  }

  /** Wipes what was entered. What fails stays entered, for the janitor. */
  async finish(wipes: readonly RuntimeWipe[]): Promise<void> {
    await Promise.all(wipes.map((wipe) => this.#finish(wipe)));
  }

  /** Wipes everything that is entered; gives how many entries were done with. */
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
