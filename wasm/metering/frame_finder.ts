/**
 * Finds the frames on the linear stack that can be enlarged by a constant.
 *
 * @module
 */
import type { InstructionReader } from "./instruction_reader.ts";
import { Int32List } from "./int32_list.ts";
import { Op } from "./opcodes.ts";

const NONE = -1;
/** Number of instructions the finder looks back. */
const HISTORY = 4;
const LAST_CONTROL = 0x1f;

/** Largest frame that is enlarged; beyond it, the sum could exceed 31 bits. */
const MAX_FRAME_BYTES = 1 << 24;

/**
 * Finds functions that open one frame on the linear stack and close it in the way compilers do:
 *
 *     sp = f = sp - K    straight from the entry, f written nowhere else
 *     sp = f + K         before each way out
 *     sp = f             after exceptions
 *
 * Such a frame is made larger by changing the constants K, which costs nothing at run time.
 */
export class FrameFinder {
  readonly #stackPointer: number;
  readonly #opcodes = new Int32Array(HISTORY);
  readonly #immediates = new Int32Array(HISTORY);
  readonly #offsets = new Int32Array(HISTORY);
  #count = 0;
  /** Local that holds the frame pointer, once the frame is open. */
  #pointer = NONE;
  #size = 0;
  #straight = true;
  #regular = true;
  readonly #constants = new Int32List();
  readonly #frames = new Map<number, Int32Array>();

  constructor(stackPointer: number) {
    this.#stackPointer = stackPointer;
  }

  begin(): void {
    this.#opcodes.fill(NONE);
    this.#pointer = NONE;
    this.#straight = true;
    this.#regular = true;
    this.#constants.clear();
  }

  /** Takes the instruction just read. */
  visit({ opcode, immediate, start }: InstructionReader): void {
    if (opcode <= LAST_CONTROL) {
      this.#straight = false;
    } else if (opcode === Op.globalSet) {
      if (immediate === this.#stackPointer) this.#regular &&= this.#isFrameWrite();
    } else if ((opcode === Op.localSet || opcode === Op.localTee) && immediate === this.#pointer) {
      this.#regular = false;
    }
    const slot = this.#count++ % HISTORY;
    this.#opcodes[slot] = opcode;
    this.#immediates[slot] = immediate;
    this.#offsets[slot] = start;
  }

  /** Ends the function. */
  end(index: number): void {
    if (this.#regular && this.#pointer !== NONE) this.#frames.set(index, this.#constants.toArray());
  }

  /**
   * Offsets of the `i32.const` instructions that hold the frame size, if the function has such a
   * frame.
   */
  frame(index: number): Int32Array | undefined {
    return this.#frames.get(index);
  }

  #isFrameWrite(): boolean {
    return this.#pointer === NONE ? this.#opensFrame() : this.#closesFrame() || this.#resetsFrame();
  }

  #opensFrame(): boolean {
    const opens = this.#straight && this.#is(4, Op.globalGet, this.#stackPointer) &&
      this.#is(3, Op.i32Const) && this.#is(2, Op.i32Sub) && this.#is(1, Op.localTee);
    if (!opens) return false;
    this.#size = this.#immediate(3);
    if (this.#size < 0 || this.#size > MAX_FRAME_BYTES) return false;
    this.#pointer = this.#immediate(1);
    this.#constants.push(this.#offset(3));
    return true;
  }

  #closesFrame(): boolean {
    const closes = this.#is(3, Op.localGet, this.#pointer) &&
      this.#is(2, Op.i32Const, this.#size) && this.#is(1, Op.i32Add);
    if (closes) this.#constants.push(this.#offset(2));
    return closes;
  }

  #resetsFrame(): boolean {
    return this.#is(1, Op.localGet, this.#pointer);
  }

  #is(back: number, opcode: number, immediate?: number): boolean {
    const slot = this.#slot(back);
    return this.#opcodes[slot] === opcode &&
      (immediate === undefined || this.#immediates[slot] === immediate);
  }

  #immediate(back: number): number {
    return this.#immediates[this.#slot(back)] ?? 0;
  }

  #offset(back: number): number {
    return this.#offsets[this.#slot(back)] ?? 0;
  }

  #slot(back: number): number {
    return (this.#count - back + HISTORY) % HISTORY;
  }
}
