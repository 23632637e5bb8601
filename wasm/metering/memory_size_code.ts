/**
 * The instructions that ask for the size of a memory and change it, where the guest sees a size of its
 * own.
 *
 * @module
 */
import type { ByteWriter } from "./byte_writer.ts";
import { MAX_PAGES } from "./limits.ts";
import { Op, Type } from "./opcodes.ts";

/** Result of a `memory.grow` that fails. */
const FAILED = -1;

/** Writes the instructions for the first memory. Its size for the guest is in a global, in pages. */
export class MemorySizeCode {
  readonly #out: ByteWriter;
  readonly #global: number;

  constructor(out: ByteWriter, global: number) {
    this.#out = out;
    this.#global = global;
  }

  /** In place of `memory.size`. */
  size(): void {
    this.#index(Op.globalGet, this.#global);
  }

  /**
   * In place of `memory.grow`. The memory grows only where it is smaller than the guest's size
   * becomes. `pages` is an i32 local.
   */
  grow(pages: number): void {
    const out = this.#out;
    this.#index(Op.localSet, pages);
    this.#constant(MAX_PAGES);
    this.size();
    out.u8(Op.i32Sub);
    this.#index(Op.localGet, pages);
    out.u8(Op.i32LtU);
    this.#failedOr(() => {
      this.size();
      this.#index(Op.localGet, pages);
      out.u8(Op.i32Add);
      this.#index(Op.localTee, pages); // from here on the size that is wanted
      this.#memory(Op.memorySize);
      out.u8(Op.i32GtU);
      out.u8(Op.if);
      out.u8(Type.i32);
      this.#index(Op.localGet, pages);
      this.#memory(Op.memorySize);
      out.u8(Op.i32Sub);
      this.#memory(Op.memoryGrow);
      out.u8(Op.else);
      this.#constant(0);
      out.u8(Op.end);
      this.#constant(FAILED);
      out.u8(Op.i32Eq);
      this.#failedOr(() => {
        this.size();
        this.#index(Op.localGet, pages);
        this.#index(Op.globalSet, this.#global);
      });
    });
  }

  /** Consumes a condition. Gives the result of a failure if it holds, otherwise what `write` leaves. */
  #failedOr(write: () => void): void {
    this.#out.u8(Op.if);
    this.#out.u8(Type.i32);
    this.#constant(FAILED);
    this.#out.u8(Op.else);
    write();
    this.#out.u8(Op.end);
  }

  #memory(opcode: number): void {
    this.#index(opcode, 0);
  }

  #constant(value: number): void {
    this.#out.u8(Op.i32Const);
    this.#out.s32(value);
  }

  #index(opcode: number, index: number): void {
    this.#out.u8(opcode);
    this.#out.u32(index);
  }
}
