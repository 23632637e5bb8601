/**
 * The function table of the linked module: the table index of each function, and the added entries.
 *
 * @module
 */
import { evaluate } from "./constant_expression.ts";
import type { ModuleParts } from "./module_parts.ts";

/** Table indexes of functions, by their function indexes in the linked module. */
export class FunctionTable {
  readonly #slots = new Map<number, number>();
  readonly #end: number;
  /** Functions that are in no segment of the modules. They follow behind all segments. */
  readonly added: number[] = [];

  /** `end` is the table index behind the regions of all modules. */
  constructor(main: ModuleParts, end: number) {
    this.#end = end;
    for (const { offset, functions } of main.elements) {
      if (offset === undefined) continue;
      this.place(functions, evaluate(main, offset, () => NaN));
    }
  }

  /** Table index of the first added function. */
  get end(): number {
    return this.#end;
  }

  get length(): number {
    return this.#end + this.added.length;
  }

  /** Records the functions that a segment puts into the table, beginning at an index. */
  place(functions: readonly number[], from: number): void {
    functions.forEach((index, position) => {
      if (!this.#slots.has(index)) this.#slots.set(index, from + position);
    });
  }

  /** The table index of a function. A function without an entry gets one. */
  slotOf(index: number): number {
    const known = this.#slots.get(index);
    if (known !== undefined) return known;
    const slot = this.#end + this.added.push(index) - 1;
    this.#slots.set(index, slot);
    return slot;
  }
}
