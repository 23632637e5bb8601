/**
 * Regions of a function, and how their costs are merged.
 *
 * @module
 */
import { Int32List } from "./int32_list.ts";

const NO_PARENT = -1;

/** How much a region pays for others, in units. */
export interface MergeLimits {
  /** For one region. */
  readonly max: number;
  /** For one region in which something is called. */
  readonly callMax: number;
  /** For all of them. */
  readonly budget: number;
}

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
  /** 1 for each region with a check where it is charged; the function entry is not among them. */
  readonly #checked = new Int32List();
  /** 1 for each region in which something is called. */
  readonly #calling = new Int32List();
  /** Number of regions when a switch ended each region, or 0. */
  readonly #switchedAt = new Int32List();
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
    this.#checked.clear();
    this.#calling.clear();
    this.#switchedAt.clear();
    this.#throwsBefore.clear();
    this.#throws = 0;
    this.#takenOver.clear();
  }

  /**
   * Adds the function entry or a loop header. Entering it costs one unit, so no call and no turn is
   * free.
   */
  addRoot(): number {
    const region = this.#add(NO_PARENT, 1);
    if (region > 0) this.#checked.set(region, 1);
    return region;
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
    this.#checked.push(0);
    this.#calling.push(0);
    this.#switchedAt.push(0);
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

  /** The region calls something. */
  noteCall(region: number): void {
    this.#calling.set(region, 1);
  }

  /** The region ends in a switch. */
  noteSwitch(region: number): void {
    this.#switchedAt.set(region, this.length);
  }

  /** A check stands where the region is charged. */
  checked(region: number): boolean {
    return this.#checked.at(region) === 1;
  }

  /**
   * Moves the cost of a region into several others, of which one always follows, and the check with
   * it.
   */
  move(region: number, others: readonly number[]): void {
    const cost = this.#costs.at(region);
    const checked = this.#checked.at(region);
    for (const other of others) {
      this.#costs.add(other, cost);
      if (checked === 1) this.#checked.set(other, 1);
    }
    this.#costs.set(region, 0);
    this.#checked.set(region, 0);
  }

  charge(region: number, units: number): void {
    this.#costs.add(region, units);
  }

  cost(region: number): number {
    return this.#costs.at(region);
  }

  /**
   * The region may be paid by its parent: it is no arm, and no code behind the switch that ends the
   * parent, which is on some of many paths only.
   */
  #mergeable(region: number, parent: number): boolean {
    if (parent === NO_PARENT || this.#arms.at(region) === 1) return false;
    const switchedAt = this.#switchedAt.at(parent);
    return switchedAt === 0 || region < switchedAt;
  }

  /**
   * Moves the cost of each region of at most `max` units to its parent, `callMax` if something is
   * called in it, as long as the parent has taken over no more than `budget` units. The sum charged
   * is then an upper bound of what runs, still the same on every run.
   */
  merge({ max, callMax, budget }: MergeLimits): void {
    for (let region = this.length - 1; region > 0; region--) {
      const cost = this.#costs.at(region);
      const parent = this.#parents.at(region);
      const largest = this.#calling.at(region) === 1 ? callMax : max;
      if (cost === 0 || cost > largest || !this.#mergeable(region, parent)) continue;
      if (this.#takenOver.at(parent) + cost > budget) continue;
      this.#takenOver.add(parent, cost);
      this.#costs.add(parent, cost);
      this.#costs.set(region, 0);
    }
  }
}
