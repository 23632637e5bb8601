/**
 * The `br_table` instructions of a function, and how their costs move into their arms.
 *
 * @module
 */
import type { RegionList } from "./regions.ts";

interface Switch {
  /** Region that ends in the `br_table`. */
  readonly region: number;
  readonly arms: number[];
  /** Targets whose region is not known yet. */
  pending: number;
}

/** The `br_table` instructions of one function, with the regions they lead to. */
export class SwitchList {
  readonly #switches: Switch[] = [];

  clear(): void {
    this.#switches.length = 0;
  }

  /** Adds a switch at the end of `region` and returns its number. */
  add(region: number): number {
    this.#switches.push({ region, arms: [], pending: 0 });
    return this.#switches.length - 1;
  }

  /** Announces a target, of which each must turn out to begin a region of its own. */
  addTarget(number: number): void {
    const entry = this.#switches[number];
    if (entry !== undefined) entry.pending++;
  }

  /** A target turned out to begin this region. */
  addArm(number: number, region: number): void {
    const entry = this.#switches[number];
    if (entry === undefined) return;
    entry.arms.push(region);
    entry.pending--;
  }

  /**
   * Moves the cost of each region of at most `largest` units that ends in a switch into all arms,
   * with its check: one of them always follows, and charges anyway. (Regions which an exception may
   * leave, to be caught, do not take part.) An interpreter's main loop then charges once for each
   * step. An arm that is reached in another way as well pays that little too much there.
   *
   * The function entry keeps its check.
   */
  sink(regions: RegionList, largest: number): void {
    for (const { region, arms, pending } of this.#switches) {
      const cost = regions.cost(region);
      if (pending > 0 || cost === 0 || cost > largest) continue;
      regions.move(region, arms);
    }
  }
}
