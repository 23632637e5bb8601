/**
 * Lists of edits, from the pass that finds them to the pass that makes them.
 *
 * @module
 */
import { Int32List } from "./int32_list.ts";

/** Kinds of edits of a function body. */
export const Edit = {
  /** Function entry; argument: its region. */
  enter: 0,
  /** A `br_table` that gets an arm for the header of a loop; argument: number of the arm. */
  turnArm: 1,
  /** Beginning of a region; argument: the region. */
  charge: 2,
  /** A length in bytes, elements or pages is on top of the stack. */
  chargeBytes: 3,
  chargeElements: 4,
  chargePages: 5,
  /** A `return`; argument: the number of constructs it leaves. */
  return: 6,
  tailCall: 7,
  enterTry: 8,
  enterCatch: 9,
  /** A write to the stack pointer. */
  setStackPointer: 10,
  /** A place of a hash table is on top of the stack. */
  chargeLookup: 11,
  /** A `memory.size`. */
  memorySize: 12,
} as const;

/** Positions in a function body to edit, in ascending order. */
export class EditList {
  readonly #positions = new Int32List();
  readonly #kinds = new Int32List();
  readonly #arguments = new Int32List();

  get length(): number {
    return this.#positions.length;
  }

  clear(): void {
    this.#positions.clear();
    this.#kinds.clear();
    this.#arguments.clear();
  }

  push(position: number, kind: number, argument: number): void {
    this.#positions.push(position);
    this.#kinds.push(kind);
    this.#arguments.push(argument);
  }

  position(index: number): number {
    return this.#positions.at(index);
  }

  kind(index: number): number {
    return this.#kinds.at(index);
  }

  argument(index: number): number {
    return this.#arguments.at(index);
  }
}
