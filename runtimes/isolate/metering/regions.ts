/**
 * Regions of a function, and how their costs are merged.
 *
 * @module
 */
import { Int32List } from "./int32_list.ts";

const NO_PARENT = -1;

/**
 * The regions of one function: stretches of code that run equally often, so one charge at the first
 * of them pays for all. Roots are the function entry and each loop header; every other region has a
 * parent that dominates it inside the same loop. Regions are numbered in the order of their
 * positions.
 */
export class RegionList {
  readonly #parents = new Int32List();
  readonly #costs = new Int32List();
  readonly #arms = new Int32List();
  /** Number of instructions before each region that may throw. */
  readonly #throwsBefore = new Int32List();
  readonly #takenOver = new Int32List();

  #throws = 0;

  get length(): number {
    return this.#costs.length;
  }

  clear(): void {
    this.#parents.clear();
    this.#costs.clear();
    this.#arms.clear();
    this.#throwsBefore.clear();
    this.#throws = 0;
    this.#takenOver.clear();
  }

  /**
   * Adds the function entry or a loop header. Entering it costs one unit, so no call and no turn is
   * free.
   */
  addRoot(): number {
    return this.#add(NO_PARENT, 1);
  }

  addChild(parent: number): number {
    return this.#add(parent, 0);
  }

  /** Adds a child that always pays for itself: one arm of a switch, of which most do not run. */
  addArm(parent: number): number {
    const region = this.#add(parent, 0);
    this.#arms.set(region, 1);
    return region;
  }

  #add(parent: number, cost: number): number {
    this.#arms.push(0);
    this.#throwsBefore.push(this.#throws);
    this.#parents.push(parent);
    this.#costs.push(cost);
    this.#takenOver.push(0);
    return this.#costs.length - 1;
  }

  /** An exception may leave the code here. */
  noteThrow(): void {
    this.#throws++;
  }

  /** An exception may have left the code since the region began. */
  mayHaveThrown(region: number): boolean {
    return this.#throwsBefore.at(region) !== this.#throws;
  }

  charge(region: number, units: number): void {
    this.#costs.add(region, units);
  }

  clearCost(region: number): void {
    this.#costs.set(region, 0);
  }

  cost(region: number): number {
    return this.#costs.at(region);
  }

  #mergeable(region: number): boolean {
    return this.#parents.at(region) !== NO_PARENT && this.#arms.at(region) === 0;
  }

  /**
   * Moves the cost of each region of at most `largest` units to its parent, as long as the parent
   * has taken over no more than `budget` units. The sum charged is then an upper bound of what
   * runs, still the same on every run.
   */
  merge(largest: number, budget: number): void {
    for (let region = this.length - 1; region > 0; region--) {
      const cost = this.#costs.at(region);
      if (cost === 0 || cost > largest || !this.#mergeable(region)) continue;
      const parent = this.#parents.at(region);
      if (this.#takenOver.at(parent) + cost > budget) continue;
      this.#takenOver.add(parent, cost);
      this.#costs.add(parent, cost);
      this.#costs.set(region, 0);
    }
  }
}
