/**
 * Finds look-ups in hash tables.
 *
 * @module
 */
import type { InstructionReader } from "./instruction_reader.ts";
import { Op } from "./opcodes.ts";

/**
 * Sizes of an element, as a shift and as a factor. Tables of smaller ones have at most 65,536
 * places, which caches hold. What is larger is no table.
 */
const SHIFTS = { least: 2, most: 6 };
const BYTES = { least: 4, most: 64 };
/** The constant that makes `xor` a complement. */
const ALL_BITS = -1;
/** Stands for "no instruction". */
const NONE = -1;

/** The value on top of the stack. */
type Top = "other" | "index" | "complement" | "constant" | "constant above complement";

/**
 * Recognizes the address of an element at `hash & mask`: `i32.and` of two values that are not
 * constant, on the stack or in a local, times the size of an element. Alignments and tests of bits
 * have a constant mask, so hardly anything else looks like this. The index may be masked by a
 * constant as well, and be complemented, for a table that lies below its pointer.
 *
 * Locals are followed in the order of the code, without its branches.
 */
export class LookupFinder {
  /** Locals that hold an index. */
  readonly #indexes = new Set<number>();
  #top: Top = "other";
  /** The constant on top, if an index or its complement is below. */
  #size = 0;
  #afterConstant = false;
  /** Where the index of the last look-up is on top of the stack, not complemented. */
  position = NONE;

  /** A function body begins. */
  reset(): void {
    this.#indexes.clear();
    this.#top = "other";
    this.#afterConstant = false;
  }

  /** Whether the instruction is the last one of a look-up. */
  found({ opcode, immediate, start }: InstructionReader): boolean {
    const top = this.#top;
    const afterConstant = this.#afterConstant;
    this.#top = "other";
    this.#afterConstant = opcode === Op.i32Const;
    switch (opcode) {
      case Op.i32And:
        if (top === "constant" || !afterConstant) this.#top = "index";
        break;
      case Op.localGet:
        if (this.#indexes.has(immediate)) this.#top = "index";
        break;
      case Op.localSet:
      case Op.localTee:
        if (top === "index") this.#indexes.add(immediate);
        else this.#indexes.delete(immediate);
        if (opcode === Op.localTee) this.#top = top === "index" ? "index" : "other";
        break;
      case Op.i32Const:
        this.#size = immediate;
        if (top === "index") {
          this.position = start;
          this.#top = "constant";
        } else if (top === "complement") {
          this.#top = "constant above complement";
        }
        break;
      case Op.i32Xor:
        if (top === "constant" && this.#size === ALL_BITS) this.#top = "complement";
        break;
      case Op.i32Shl:
        return this.#scaled(top) && within(this.#size, SHIFTS);
      case Op.i32Mul:
        return this.#scaled(top) && within(this.#size, BYTES);
    }
    return false;
  }

  #scaled(top: Top): boolean {
    return top === "constant" || top === "constant above complement";
  }
}

function within(
  size: number,
  { least, most }: { readonly least: number; readonly most: number },
): boolean {
  return size >= least && size <= most;
}
