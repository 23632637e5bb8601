/**
 * Removes from a function what Asyncify added for rewinding, for calls in which nothing rewinds.
 *
 * @module
 */
import type { ByteReader } from "./byte_reader.ts";
import type { ByteWriter } from "./byte_writer.ts";
import { InstructionReader } from "./instruction_reader.ts";
import { Op } from "./opcodes.ts";

/** One instruction: of the source, or new. */
export interface Instruction {
  readonly opcode: number;
  /** The first index, label or 32-bit constant. */
  readonly immediate: number;
  /** Offsets in the source; a new instruction has none. */
  readonly start: number;
  readonly end: number;
}

/** States of Asyncify. */
const UNWINDING = 1;
const REWINDING = 2;

const NEW = -1;

/** All instructions between the reader's position and its limit. */
export function readInstructions(reader: ByteReader): readonly Instruction[] {
  const instruction = new InstructionReader(reader);
  const found: Instruction[] = [];
  while (reader.pos < reader.limit) {
    instruction.next();
    const { opcode, immediate, start } = instruction;
    found.push({ opcode, immediate, start, end: reader.pos });
  }
  return found;
}

/**
 * Asyncify has changed a function with these instructions: it begins by asking whether the stack is
 * rewound, and asks after calls whether it is unwound.
 */
export function isInstrumented(code: readonly Instruction[], state: number): boolean {
  const first = code.findIndex((item) => isGet(item, state));
  return first >= 0 && code.slice(0, first).every(({ opcode }) => opcode === Op.block) &&
    isStateTest(code, first, REWINDING) &&
    code.some((item, at) => isGet(item, state) && isUnwindingExit(code, at));
}

function isGet(item: Instruction | undefined, global: number): boolean {
  return item?.opcode === Op.globalGet && item.immediate === global;
}

function isStateTest(code: readonly Instruction[], at: number, value: number): boolean {
  const constant = code[at + 1];
  return constant?.opcode === Op.i32Const && constant.immediate === value &&
    code[at + 2]?.opcode === Op.i32Eq;
}

/** After a call: leaves the function when the stack is being unwound. */
function isUnwindingExit(code: readonly Instruction[], at: number): boolean {
  return isStateTest(code, at, UNWINDING) && code[at + 3]?.opcode === Op.brIf;
}

/** Writes instructions whose source is `source`. */
export function writeInstructions(
  code: readonly Instruction[],
  source: Uint8Array,
  out: ByteWriter,
): void {
  for (const { opcode, immediate, start, end } of code) {
    out.u8(opcode);
    if (start !== NEW) out.copy(source, start + 1, end);
    else if (opcode === Op.i32Const) out.s32(immediate);
  }
}

/**
 * The instructions of a function as they run when it is entered in the normal state. From then on
 * the state is normal except between a call that unwinds and the exit behind it. So all other
 * reads of the state are zero. Branches that depend on them are decided, and what cannot run is left
 * out. Labels keep their depths.
 */
export function foldNormalState(
  code: readonly Instruction[],
  state: number,
): readonly Instruction[] {
  return new Folder(code, state).fold();
}

class Folder {
  readonly #code: readonly Instruction[];
  readonly #state: number;
  readonly #out: Instruction[] = [];
  /** For each open construct: whether its `else` is left out. */
  readonly #open: boolean[] = [];

  constructor(code: readonly Instruction[], state: number) {
    this.#code = code;
    this.#state = state;
  }

  fold(): readonly Instruction[] {
    for (let at = 0; at < this.#code.length;) at = this.#take(at);
    return this.#out;
  }

  /** Takes one instruction or several. Returns the index of the next. */
  #take(at: number): number {
    const item = this.#code[at];
    if (item === undefined) return at + 1;
    if (isGet(item, this.#state)) return this.#readState(at);
    const condition = this.#constant(1);
    if (condition !== undefined) {
      switch (item.opcode) {
        case Op.i32Eqz:
          this.#replace(1, condition === 0 ? 1 : 0);
          return at + 1;
        case Op.if:
          return this.#decideIf(item, at, condition);
        case Op.brIf:
          return this.#decideBranch(item, at, condition);
        case Op.select:
          if (condition === 0 && this.#selectSecond()) return at + 1;
      }
    }
    if (item.opcode === Op.select && this.#selectNegated()) return at + 1;
    if (item.opcode === Op.else && this.#open.at(-1) === true) return this.#endOf(at + 1);
    if (item.opcode === Op.end) this.#open.pop();
    else if (opens(item)) this.#open.push(false);
    this.#out.push(item);
    return at + 1;
  }

  #readState(at: number): number {
    if (isUnwindingExit(this.#code, at)) {
      this.#out.push(...this.#code.slice(at, at + 4));
      return at + 4;
    }
    if (isStateTest(this.#code, at, REWINDING) || isStateTest(this.#code, at, UNWINDING)) {
      this.#out.push(constant(0));
      return at + 3;
    }
    this.#out.push(constant(0));
    return at + 1;
  }

  #decideIf(item: Instruction, at: number, condition: number): number {
    this.#out.pop();
    const otherwise = this.#endOf(at + 1, true);
    const hasElse = this.#code[otherwise]?.opcode === Op.else;
    if (condition === 0 && !hasElse) return otherwise + 1;
    this.#out.push({ ...item, opcode: Op.block });
    this.#open.push(condition !== 0);
    return condition === 0 ? otherwise + 1 : at + 1;
  }

  /** Code behind a branch that is always taken is left out. */
  #decideBranch(item: Instruction, at: number, condition: number): number {
    this.#out.pop();
    if (condition === 0) return at + 1;
    this.#out.push({ ...item, opcode: Op.br });
    return this.#endOf(at + 1, true);
  }

  /** For `x, constant, 0, select`, whose value is the constant, if x is simple. */
  #selectSecond(): boolean {
    const value = this.#constant(2);
    const length = this.#operandLength();
    if (value === undefined || length === 0) return false;
    this.#replace(length + 2, value);
    return true;
  }

  /** Number of instructions of the operand before the last two constants; 0 for any other code. */
  #operandLength(): number {
    const [last, before, first] = [this.#last(3), this.#last(4), this.#last(5)];
    if (last?.opcode === Op.localGet || last?.opcode === Op.i32Const) return 1;
    const compares = last?.opcode === Op.i32Eq && before?.opcode === Op.i32Const &&
      first?.opcode === Op.localGet;
    return compares ? 3 : 0;
  }

  /** For `0, 1, x, select`, which is `x == 0`. */
  #selectNegated(): boolean {
    const local = this.#last(1);
    if (local?.opcode !== Op.localGet) return false;
    if (this.#constant(2) !== 1 || this.#constant(3) !== 0) return false;
    this.#out.length -= 3;
    this.#out.push(local, { opcode: Op.i32Eqz, immediate: 0, start: NEW, end: NEW });
    return true;
  }

  #last(back: number): Instruction | undefined {
    return this.#out[this.#out.length - back];
  }

  /** The value of an instruction written before, if it is a constant. */
  #constant(back: number): number | undefined {
    const item = this.#last(back);
    return item?.opcode === Op.i32Const ? item.immediate : undefined;
  }

  #replace(count: number, value: number): void {
    this.#out.length -= count;
    this.#out.push(constant(value));
  }

  /** Index of the `end`, or of the `else`, that closes the construct around an index. */
  #endOf(from: number, orElse = false): number {
    let depth = 0;
    for (let at = from; at < this.#code.length; at++) {
      const item = this.#code[at];
      if (item === undefined) break;
      if (opens(item)) depth++;
      else if (depth === 0 && (item.opcode === Op.end || (orElse && item.opcode === Op.else))) {
        return at;
      } else if (item.opcode === Op.end) depth--;
    }
    return this.#code.length;
  }
}

function opens({ opcode }: Instruction): boolean {
  return opcode === Op.block || opcode === Op.loop || opcode === Op.if || opcode === Op.try;
}

function constant(value: number): Instruction {
  return { opcode: Op.i32Const, immediate: value, start: NEW, end: NEW };
}
