/**
 * Padding of one function's frame while its body is rewritten.
 *
 * @module
 */
import { AsyncifyCode } from "./asyncify.ts";
import { ByteReader } from "./byte_reader.ts";
import type { ByteWriter } from "./byte_writer.ts";
import type { Locals } from "./code_section.ts";
import { Edit } from "./edits.ts";
import type { FunctionScanner } from "./function_scanner.ts";
import { MeterError } from "./meter_error.ts";
import type { FunctionType } from "./module_layout.ts";
import { Op } from "./opcodes.ts";
import type { FunctionTask, RewriteSettings } from "./rewrite_task.ts";
import { paddingBytes, PaddingCode } from "./stack_padding.ts";
import type { WrapperTypes } from "./wrapper_types.ts";

/** Stands for "no such index". */
const NONE = -1;

const NO_CONSTANTS: Int32Array = new Int32Array(0);

/**
 * Pads the frame of the current function, in one of two ways. A function that opens and closes a
 * frame of its own gets a larger one, by its constants. Any other is wrapped in a block that every
 * way out leads through, with the pointer moved before and moved back after it.
 */
export class FramePadder {
  readonly #source: Uint8Array;
  readonly #settings: RewriteSettings;
  readonly #wrappers: WrapperTypes;
  readonly #out: ByteWriter;
  readonly #reader: ByteReader;
  readonly #stack: PaddingCode;
  readonly #asyncify: AsyncifyCode;
  #index = NONE;
  #padding = 0;
  #wrapped = false;
  /** Offsets of the constants to enlarge, and the next of them. */
  #constants = NO_CONSTANTS;
  #nextConstant = 0;
  #followsPointer = false;
  /**
   * Local that follows the stack pointer of this frame, for when an exception comes in from deeper
   * ones.
   */
  #pointerLocal = NONE;

  constructor(
    source: Uint8Array,
    out: ByteWriter,
    settings: RewriteSettings,
    wrappers: WrapperTypes,
  ) {
    this.#source = source;
    this.#settings = settings;
    this.#wrappers = wrappers;
    this.#out = out;
    this.#reader = new ByteReader(source);
    const pointer = settings.stackPointer ?? NONE;
    this.#stack = new PaddingCode(out, pointer, settings.asyncify?.state);
    this.#asyncify = new AsyncifyCode(out, pointer);
  }

  /** Starts the next function. */
  begin(task: FunctionTask, scanner: FunctionScanner, locals: Locals): void {
    this.#index = task.index;
    this.#padding = this.#choosePadding(task, scanner, locals);
    this.#wrapped = this.#padding > 0 && task.frame === undefined;
    this.#constants = this.#padding > 0 && task.frame !== undefined ? task.frame : NO_CONSTANTS;
    this.#nextConstant = 0;
    this.#followsPointer = this.#settings.padding !== undefined && scanner.calls && scanner.catches;
    this.#pointerLocal = NONE;
  }

  #choosePadding(
    task: FunctionTask,
    { calls, tailCalls, catches, tryTable }: FunctionScanner,
    locals: Locals,
  ): number {
    const { padding, asyncify } = this.#settings;
    if (padding === undefined || !(calls || tailCalls)) return 0;
    if (tryTable || (catches && asyncify !== undefined)) {
      throw new MeterError(
        `stack padding does not support ${tryTable ? "try_table" : "catch with Asyncify"}, ` +
          `used in function ${task.index}`,
        task.body.start,
      );
    }
    return task.pad ? paddingBytes(locals.count, padding) : 0;
  }

  /** The function gets a larger frame. */
  get pads(): boolean {
    return this.#padding > 0;
  }

  /** The function needs an i32 local. */
  get needsLocal(): boolean {
    return this.#followsPointer;
  }

  useLocal(index: number): void {
    this.#pointerLocal = index;
  }

  /** Writes the prologue of the function. */
  enter(type: FunctionType): void {
    const { asyncify } = this.#settings;
    if (this.#index === asyncify?.startUnwind) this.#asyncify.save();
    else if (this.#index === asyncify?.startRewind) this.#asyncify.restore();
    if (!this.#wrapped) return;
    this.#stack.push(this.#padding);
    this.#out.u8(Op.block);
    this.#wrappers.writeBlockType(type, this.#out);
  }

  /** Writes the epilogue: the `end` of the function has closed the wrapper block. */
  leave(): void {
    if (!this.#wrapped) return;
    this.#stack.pop(this.#padding);
    this.#out.u8(Op.end);
  }

  /** Writes one edit. Returns the number of source bytes it stands for. */
  edit(kind: number, argument: number): number {
    if (this.#wrapped && kind === Edit.return) {
      this.#out.u8(Op.br);
      this.#out.u32(argument);
      return 1;
    }
    if (this.#wrapped && kind === Edit.tailCall) this.#stack.pop(this.#padding);
    if (this.#pointerLocal === NONE) return 0;
    if (kind === Edit.enterTry) this.#stack.save(this.#pointerLocal);
    else if (kind === Edit.setStackPointer) this.#stack.saveWritten(this.#pointerLocal);
    else if (kind === Edit.enterCatch) this.#stack.restore(this.#pointerLocal);
    return 0;
  }

  /** Copies instructions of the source, and enlarges the frame sizes among them. */
  copy(from: number, to: number): void {
    let copied = from;
    for (;;) {
      const constant = this.#constants[this.#nextConstant] ?? to;
      if (constant >= to) break;
      this.#nextConstant++;
      this.#reader.pos = constant + 1;
      const size = this.#reader.s32();
      this.#out.copy(this.#source, copied, constant + 1);
      this.#out.s32(size + this.#padding);
      copied = this.#reader.pos;
    }
    this.#out.copy(this.#source, copied, to);
  }
}
