/**
 * Makes the linear stack grow with the native one: the settings and the code.
 *
 * @module
 */
import type { ByteWriter } from "./byte_writer.ts";
import { Op } from "./opcodes.ts";

/** The stack of the C ABI is aligned to this many bytes at every call. */
const ALIGNMENT = 16;

/**
 * Makes the linear ("shadow") stack grow with the native one. The interpreters bound their
 * recursion by the distance their stack pointer has moved, but locals live in native frames only,
 * so V8's stack can overflow first. Each padded function moves the pointer by an estimate of its
 * native frame.
 */
export interface StackPadding {
  /** Index of the stack pointer; "auto" finds it by name or by how functions begin. */
  readonly global: number | "auto";
  /** Bytes for each frame. @default {128} */
  readonly base?: number;
  /** Bytes for each parameter and local of the function. @default {8} */
  readonly perLocal?: number;
  /**
   * Functions with fewer parameters and locals are padded only where a cycle of calls has no other
   * to pad.
   * @default {8}
   */
  readonly minimumLocals?: number;
  /** Pad exported functions as well. @default {false} */
  readonly exported?: boolean;
}

/** Writes the code that moves the stack pointer. */
export class PaddingCode {
  readonly #out: ByteWriter;
  readonly #global: number;
  readonly #asyncifyState: number | undefined;

  /**
   * With `asyncifyState` the pointer moves only while that global is 0: functions that are left and
   * entered again to unwind and rewind the stack keep their frames on the linear stack, and their
   * padding with them.
   */
  constructor(out: ByteWriter, stackPointer: number, asyncifyState: number | undefined) {
    this.#out = out;
    this.#global = stackPointer;
    this.#asyncifyState = asyncifyState;
  }

  push(bytes: number): void {
    this.#move(bytes, Op.i32Sub);
  }

  pop(bytes: number): void {
    this.#move(bytes, Op.i32Add);
  }

  #move(bytes: number, operation: number): void {
    const out = this.#out;
    out.u8(Op.globalGet);
    out.u32(this.#global);
    if (this.#asyncifyState !== undefined) this.#constant(0);
    this.#constant(bytes);
    if (this.#asyncifyState !== undefined) {
      out.u8(Op.globalGet);
      out.u32(this.#asyncifyState);
      out.u8(Op.select);
    }
    out.u8(operation);
    out.u8(Op.globalSet);
    out.u32(this.#global);
  }

  #constant(value: number): void {
    this.#out.u8(Op.i32Const);
    this.#out.s32(value);
  }

  /** Keeps the current stack pointer in `local`. */
  save(local: number): void {
    this.#out.u8(Op.globalGet);
    this.#out.u32(this.#global);
    this.#out.u8(Op.localSet);
    this.#out.u32(local);
  }

  /** Before a write to the stack pointer: keeps the value in `local` as well. */
  saveWritten(local: number): void {
    this.#out.u8(Op.localTee);
    this.#out.u32(local);
  }

  restore(local: number): void {
    this.#out.u8(Op.localGet);
    this.#out.u32(local);
    this.#out.u8(Op.globalSet);
    this.#out.u32(this.#global);
  }
}

/** Bytes of padding for a function with `locals` parameters and locals. */
export function paddingBytes(locals: number, padding: StackPadding): number {
  const bytes = (padding.base ?? 128) + (padding.perLocal ?? 8) * locals;
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
