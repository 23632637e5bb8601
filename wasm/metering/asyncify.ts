/**
 * Modules that Binaryen's Asyncify has changed: how they are recognised, and what padding does in
 * them.
 *
 * @module
 */
import { ByteReader } from "./byte_reader.ts";
import type { ByteWriter } from "./byte_writer.ts";
import type { FunctionBody } from "./code_section.ts";
import { MeterError } from "./meter_error.ts";
import type { ModuleLayout } from "./module_layout.ts";
import { Extern, Op, Type } from "./opcodes.ts";

const GET_STATE = "asyncify_get_state";
const START_UNWIND = "asyncify_start_unwind";
const START_REWIND = "asyncify_start_rewind";

/**
 * Offset of the end of the room in the structure that Asyncify's functions take; the fill level is
 * at 0.
 */
const END_OFFSET = 4;
const POINTER_BYTES = 4;
const ALIGN_4 = 2;

/** The additions of Binaryen's Asyncify to a module. */
export interface Asyncify {
  /**
   * Index of the global that is 0 while the module runs as usual, and not while it unwinds or
   * rewinds.
   */
  readonly state: number;
  /**
   * Indexes of the functions that begin to unwind and to rewind; both take the address of the room
   * to use.
   */
  readonly startUnwind: number;
  readonly startRewind: number;
}

/** Undefined for modules without Asyncify. The state is read from the function that returns it. */
export function findAsyncify(
  source: Uint8Array,
  layout: ModuleLayout,
  bodies: readonly FunctionBody[],
): Asyncify | undefined {
  const getState = exportedFunction(layout, GET_STATE);
  if (getState === undefined) return undefined;
  const startUnwind = exportedFunction(layout, START_UNWIND);
  const startRewind = exportedFunction(layout, START_REWIND);
  if (startUnwind === undefined || startRewind === undefined) {
    throw new MeterError(`"${GET_STATE}" is exported without the other functions of Asyncify`);
  }
  const state = readState(source, bodies[getState - layout.importedFunctions]);
  return { state, startUnwind, startRewind };
}

function exportedFunction(layout: ModuleLayout, name: string): number | undefined {
  const target = layout.exportsByName.get(name);
  return target?.kind === Extern.function ? target.index : undefined;
}

function readState(source: Uint8Array, body: FunctionBody | undefined): number {
  if (body !== undefined) {
    const reader = new ByteReader(source, body.start, body.end);
    if (reader.u8() === 0 && reader.u8() === Op.globalGet) {
      const global = reader.u32();
      if (reader.u8() === Op.end) return global;
    }
  }
  throw new MeterError(`the state of Asyncify cannot be read from "${GET_STATE}"`, body?.start);
}

/**
 * Writes the prologue of Asyncify's functions, so that they also save the stack pointer. It is kept
 * in the last bytes of the room for the unwound stack. Without that, frames left by a `longjmp`
 * built on Asyncify would never be taken back, nor their padding.
 */
export class AsyncifyCode {
  readonly #out: ByteWriter;
  readonly #stackPointer: number;

  constructor(out: ByteWriter, stackPointer: number) {
    this.#out = out;
    this.#stackPointer = stackPointer;
  }

  save(): void {
    this.#place();
    this.#out.u8(Op.globalGet);
    this.#out.u32(this.#stackPointer);
    this.#out.u8(Op.i32Store);
    this.#memoryArgument(0);
  }

  /** Traps if the unwound stack has reached the place of the pointer. */
  restore(): void {
    const out = this.#out;
    this.#loadFromRoom(0);
    this.#place();
    out.u8(Op.i32GtU);
    out.u8(Op.if);
    out.u8(Type.empty);
    out.u8(Op.unreachable);
    out.u8(Op.end);
    this.#place();
    out.u8(Op.i32Load);
    this.#memoryArgument(0);
    out.u8(Op.globalSet);
    out.u32(this.#stackPointer);
  }

  /** Pushes the address of the last bytes of the room. */
  #place(): void {
    this.#loadFromRoom(END_OFFSET);
    this.#out.u8(Op.i32Const);
    this.#out.s32(POINTER_BYTES);
    this.#out.u8(Op.i32Sub);
  }

  #loadFromRoom(offset: number): void {
    this.#out.u8(Op.localGet);
    this.#out.u32(0);
    this.#out.u8(Op.i32Load);
    this.#memoryArgument(offset);
  }

  #memoryArgument(offset: number): void {
    this.#out.u32(ALIGN_4);
    this.#out.u32(offset);
  }
}
