/**
 * The pools of one language: that of the present image, and one for each earlier image that a
 * snapshot still needs. An earlier one is started when a context wants it, has a single isolate,
 * and keeps none when idle.
 *
 * @module
 */
import { overload } from "../../wire/errors.ts";
import { EARLIER_IMAGES } from "../../wire/limits.ts";
import type { IsolatePool } from "../pool/pool.ts";

/** What the pools are made from. */
export interface IsolatePoolsOptions {
  /** Name of the present image. */
  readonly baseline: string;
  readonly present: IsolatePool;
  /** A pool of isolates with an earlier image; undefined when the image is not to be had. */
  createEarlier(baseline: string): Promise<IsolatePool | undefined>;
}

const RETRY_AFTER_MS = 5_000;

/** Pools by the image of their isolates. */
export class IsolatePools {
  readonly #options: IsolatePoolsOptions;
  readonly #earlier = new Map<string, Promise<IsolatePool | undefined>>();
  /** Those of earlier images that are there. */
  readonly #open = new Set<IsolatePool>();

  constructor(options: IsolatePoolsOptions) {
    this.#options = options;
  }

  /** The pool for an image; undefined when the image is not to be had. OVERLOADED. */
  async for(baseline: string): Promise<IsolatePool | undefined> {
    if (baseline === this.#options.baseline) return this.#options.present;
    if (!this.#earlier.has(baseline)) await this.#makeRoom();
    const known = this.#earlier.get(baseline); // somebody else may have been faster
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

  /** Isolates of earlier images that are alive now. */
  earlierIsolates(): number {
    return [...this.#open].reduce((sum, pool) => sum + pool.health().isolates, 0);
  }

  /** Ends the isolates of earlier images. */
  async close(): Promise<void> {
    const pools = await Promise.allSettled(this.#earlier.values());
    await Promise.all(
      pools.map((pool) => pool.status === "fulfilled" ? pool.value?.close() : undefined),
    );
  }

  /** Gives up pools whose isolates have all been given back. */
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
