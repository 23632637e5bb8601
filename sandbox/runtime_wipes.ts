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
import type { Clock } from "../shared/clock.ts";
import { describeCause, type Log } from "../shared/log.ts";
import type { RuntimeBindings } from "./runtime_bindings.ts";

/**
 * The data that a runtime must remove: a context, or without a context id everything of the
 * sandbox.
 */
export interface RuntimeWipe {
  readonly id: string;
  readonly binding: string;
  readonly key: string;
  readonly tenant: string;
  readonly contextId: string | null;
  /**
   * Present while the state is being made and may yet be committed: before this time, in epoch
   * milliseconds, nothing is wiped.
   */
  readonly after?: number;
}

/** State that is being made at runtimes, and the version of its entries. */
export interface Announced {
  readonly wipes: readonly RuntimeWipe[];
  readonly versionstamp: string;
}

const wipeSchema: z.ZodType<RuntimeWipe, unknown> = z.object({
  id: z.string(),
  binding: z.string(),
  key: z.string(),
  tenant: z.string(),
  contextId: z.string().nullable(),
  after: z.number().exactOptional(),
});

/** Maximum number of entries of this service's languages that one round of the janitor handles. */
const PER_ROUND = 1_000;
/** Far above the time from the announcement to the commit. */
const ANNOUNCED_MS = 10 * 60_000;

/** What {@link RuntimeWipes} needs. */
export interface RuntimeWipesOptions {
  readonly kv: KvStore;
  readonly bindings: RuntimeBindings;
  readonly log: Log;
  readonly clock: Clock;
}

/** The state that must still be wiped. */
export class RuntimeWipes {
  readonly #kv: KvStore;
  readonly #bindings: RuntimeBindings;
  readonly #log: Log;
  readonly #clock: Clock;

  constructor({ kv, bindings, log, clock }: RuntimeWipesOptions) {
    this.#kv = kv;
    this.#bindings = bindings;
    this.#log = log;
    this.#clock = clock;
  }

  /**
   * Records state before it is made at runtimes. The commit that names it {@link confirm}s it.
   * Otherwise it is wiped, by {@link withdraw} or by the janitor.
   */
  async announce(wipes: readonly RuntimeWipe[]): Promise<Announced> {
    if (wipes.length === 0) return { wipes, versionstamp: "" };
    const announced = wipes.map((wipe) => ({ ...wipe, after: this.#clock() + ANNOUNCED_MS }));
    const atomic = this.#kv.atomic();
    for (const wipe of announced) atomic.set(runtimeWipeKey(wipe.id), wipe);
    const done = await atomic.commit();
    if (!done.ok) throw new TypeError("a commit without checks was refused");
    return { wipes: announced, versionstamp: done.versionstamp };
  }

  /** Keeps announced state, as part of the commit that names it. */
  confirm(transaction: Transaction, { wipes, versionstamp }: Announced): void {
    for (const { id } of wipes) {
      transaction.check(runtimeWipeKey(id), versionstamp).delete(runtimeWipeKey(id));
    }
  }

  /** Wipes announced state, unless it is confirmed. Then it cannot be confirmed any more. */
  async withdraw({ wipes, versionstamp }: Announced): Promise<void> {
    await Promise.all(wipes.map((wipe) => this.#withdraw(wipe, versionstamp)));
  }

  /** Commits announced state. When that fails, withdraws it. */
  async committing<T>(announced: Announced, commit: () => Promise<T>): Promise<T> {
    try {
      return await commit();
    } catch (thrown) {
      await Promise.allSettled([this.withdraw(announced)]);
      throw thrown;
    }
  }

  /** Records what must be wiped, as part of the deleting commit. */
  enter(transaction: Transaction, wipes: readonly RuntimeWipe[]): void {
    for (const wipe of wipes) transaction.set(runtimeWipeKey(wipe.id), wipe);
  }

  /**
   * Wipes recorded state. What fails, or is of a language that this service does not enable, stays
   * recorded for the janitor, of this service or of another one on the store.
   */
  async finish(wipes: readonly RuntimeWipe[]): Promise<void> {
    await Promise.all(wipes.map((wipe) => this.#finish(wipe)));
  }

  /** Wipes everything that is recorded; returns how many entries were completed. */
  async finishAll(signal: AbortSignal): Promise<number> {
    let [done, handled] = [0, 0];
    for await (const { value, versionstamp } of this.#kv.list({ prefix: runtimeWipesPrefix() })) {
      if (signal.aborted || handled === PER_ROUND) break;
      const wipe = wipeSchema.parse(value);
      if (!this.#bindings.has(wipe.binding)) continue;
      handled++;
      if ((wipe.after ?? 0) > this.#clock()) continue;
      if (await this.#withdraw(wipe, versionstamp)) done++;
    }
    return done;
  }

  async #withdraw(wipe: RuntimeWipe, versionstamp: string): Promise<boolean> {
    const { after, ...now } = wipe;
    if (after === undefined) return await this.#finish(wipe);
    const key = runtimeWipeKey(wipe.id);
    const claimed = await this.#kv.atomic().check({ key, versionstamp }).set(key, now).commit();
    return claimed.ok && await this.#finish(now);
  }

  async #finish(wipe: RuntimeWipe): Promise<boolean> {
    const { contextId, binding } = wipe;
    if (!this.#bindings.has(binding)) return false;
    try {
      if (contextId === null) await this.#bindings.wipe(wipe);
      else await this.#bindings.remove({ ...wipe, contextId });
      await this.#kv.delete(runtimeWipeKey(wipe.id));
    } catch (thrown) {
      this.#log("warn", "state at a runtime was not wiped yet", {
        binding,
        ...describeCause(thrown),
      });
      return false;
    }
    return true;
  }
}
