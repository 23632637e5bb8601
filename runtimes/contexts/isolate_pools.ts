/**
 * The pools of one language: one for the current baseline, and one for each earlier baseline that a
 * snapshot still needs. A pool for an earlier one starts when a context needs it, has a single
 * isolate, and keeps none when idle.
 *
 * @module
 */
import { overload } from "../../wire/errors.ts";
import { EARLIER_IMAGES } from "../../wire/limits.ts";
import type { IsolatePool } from "../pool/pool.ts";

/** What the pools need. */
export interface IsolatePoolsOptions {
  /** Name of the current baseline. */
  readonly baseline: string;
  readonly present: IsolatePool;
  /**
   * Creates a pool of isolates with an earlier baseline; undefined when that baseline is not
   * available.
   */
  createEarlier(baseline: string): Promise<IsolatePool | undefined>;
}

const RETRY_AFTER_MS = 5_000;

/** The pools, by the baseline of their isolates. */
export class IsolatePools {
  readonly #options: IsolatePoolsOptions;
  readonly #earlier = new Map<string, Promise<IsolatePool | undefined>>();
  /** The existing pools of earlier baselines. */
  readonly #open = new Set<IsolatePool>();

  constructor(options: IsolatePoolsOptions) {
    this.#options = options;
  }

  /** The pool for a baseline; undefined when the baseline is not available. OVERLOADED. */
  async for(baseline: string): Promise<IsolatePool | undefined> {
    if (baseline === this.#options.baseline) return this.#options.present;
    if (!this.#earlier.has(baseline)) await this.#makeRoom();
    const known = this.#earlier.get(baseline); // a concurrent call may have created it
    if (known !== undefined) return await known;
    const made = this.#options.createEarlier(baseline);
    this.#earlier.set(baseline, made);
    const pool = await made.catch((cause) => {
      this.#earlier.delete(baseline);
      throw cause;
    });
    if (pool === undefined) this.#earlier.delete(baseline);
    else this.#open.add(pool);
    return pool;
  }

  /** Number of live isolates with earlier baselines. */
  earlierIsolates(): number {
    return [...this.#open].reduce((sum, pool) => sum + pool.health().isolates, 0);
  }

  /** Ends the isolates with earlier baselines. */
  async close(): Promise<void> {
    const pools = await Promise.allSettled(this.#earlier.values());
    await Promise.all(
      pools.map((pool) => pool.status === "fulfilled" ? pool.value?.close() : undefined),
    );
  }

  /** Drops pools without isolates. */
  async #makeRoom(): Promise<void> {
    if (this.#earlier.size < EARLIER_IMAGES) return;
    for (const [baseline, made] of this.#earlier) {
      const pool = await made;
      if (pool?.isInUse()) continue;
      this.#earlier.delete(baseline);
      if (pool === undefined) continue;
      this.#open.delete(pool);
      await pool.close();
    }
    if (this.#earlier.size >= EARLIER_IMAGES) {
      throw overload(
        "OVERLOADED",
        "Too many contexts of earlier versions are in use",
        "isolates",
        RETRY_AFTER_MS,
      );
    }
  }
}
