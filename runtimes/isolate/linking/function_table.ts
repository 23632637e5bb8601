/**
 * The function table of the linked module: which function is where, and the places that are added.
 *
 * @module
 */
import { evaluate } from "./constant_expression.ts";
import type { ModuleParts } from "./module_parts.ts";

/** Places of functions, by their indexes in the linked module. */
export class FunctionTable {
  readonly #slots = new Map<number, number>();
  readonly #end: number;
  /** Functions that no segment of the modules has: they follow behind all segments. */
  readonly added: number[] = [];

  /** `end` is the place behind the regions of all modules. */
  constructor(main: ModuleParts, end: number) {
    this.#end = end;
    for (const { offset, functions } of main.elements) {
      if (offset === undefined) continue;
      this.place(functions, evaluate(main, offset, () => NaN));
    }
  }

  /** Where the added functions begin. */
  get end(): number {
    return this.#end;
  }

  get length(): number {
    return this.#end + this.added.length;
  }

  /** Notes functions that a segment puts into the table from a place on. */
  place(functions: readonly number[], from: number): void {
    functions.forEach((index, position) => {
      if (!this.#slots.has(index)) this.#slots.set(index, from + position);
    });
  }

  /** The place of a function; a function that has none gets one. */
  slotOf(index: number): number {
    const known = this.#slots.get(index);
    if (known !== undefined) return known;
    const slot = this.#end + this.added.push(index) - 1;
    this.#slots.set(index, slot);
    return slot;
  }
}
