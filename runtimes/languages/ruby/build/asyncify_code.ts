/**
 * WebAssembly that is inserted before the bodies of Asyncify's `start_unwind` and `start_rewind`.
 * Both take the address of a buffer's two words: the end of its data, and the end of its space.
 *
 * @module
 */
import { ByteWriter } from "../../../../wasm/metering/byte_writer.ts";
import { Op, Type } from "../../../../wasm/metering/opcodes.ts";

/** A part of memory. */
export interface CodePosition {
  readonly from: number;
  readonly to: number;
}

/** Memory areas, apart from each other and from the C stack. */
export interface UnwindPlaces {
  /** Entries of the kept buffers; its first word is the address after the last entry. */
  readonly entries: CodePosition;
  /** The shared buffer of scans and throws. */
  readonly scan: CodePosition;
  /** Data of the kept buffers. */
  readonly kept: CodePosition;
}

/** The addresses and indexes that the code uses. */
export interface UnwindBuffers {
  readonly places: UnwindPlaces;
  /** Addresses of the static buffers. */
  readonly statics: readonly number[];
  /** Index of the stack pointer. */
  readonly stackPointer: number;
  /** The main stack lies below this address. */
  readonly stackTop: number;
  /** Address of a word that becomes 1 when the stack of a fiber is unwound. */
  readonly fiberLeft: number;
}

/** Opcodes on 32-bit integers. */
const LOAD = 0x28;
const STORE = 0x36;
const EQUAL = 0x46;
const LESS = 0x49;
const GREATER = 0x4b;
const AT_MOST = 0x4d;
const AND = 0x71;
const OR = 0x72;

/** `align` of a 32-bit access. */
const WORD_ALIGNMENT = 2;
/** Fields of an entry: stack pointer, owner, end of the data. */
const ENTRY_BYTES = 12;
const OWNER = 4;
const DATA_END = 8;
/** The second word of a buffer. */
const ROOM_END = 4;

const POINTER = 0;
/** Address after the last entry. */
const LAST = 1;
/** The start of a new entry's data. */
const START = 2;

class Code {
  readonly #out = new ByteWriter();

  constructor() {
    this.#out.u32(1); // one group of locals: LAST and START
    this.#out.u32(2);
    this.#out.u8(Type.i32);
  }

  op(...codes: readonly number[]): this {
    for (const code of codes) this.#out.u8(code);
    return this;
  }

  get(local: number): this {
    return this.#indexed(Op.localGet, local);
  }

  set(local: number): this {
    return this.#indexed(Op.localSet, local);
  }

  global(index: number): this {
    return this.#indexed(Op.globalGet, index);
  }

  constant(value: number): this {
    this.#out.u8(Op.i32Const);
    this.#out.s32(value);
    return this;
  }

  load(offset: number): this {
    return this.#access(LOAD, offset);
  }

  store(offset: number): this {
    return this.#access(STORE, offset);
  }

  branchIf(depth: number): this {
    return this.#indexed(Op.brIf, depth);
  }

  branch(depth: number): this {
    return this.#indexed(Op.br, depth);
  }

  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#out.toBytes();
  }

  #indexed(code: number, index: number): this {
    this.#out.u8(code);
    this.#out.u32(index);
    return this;
  }

  #access(code: number, offset: number): this {
    this.#out.u8(code);
    this.#out.u32(WORD_ALIGNMENT);
    this.#out.u32(offset);
    return this;
  }
}

function firstEntry({ places }: UnwindBuffers): number {
  return places.entries.from + ENTRY_BYTES;
}

/** Leaves 1 when the buffer is one of the static ones. */
function isStatic(code: Code, { statics }: UnwindBuffers): void {
  statics.forEach((address, index) => {
    code.get(POINTER).constant(address).op(EQUAL);
    if (index > 0) code.op(OR);
  });
}

function setRoom(code: Code, place: CodePosition): void {
  code.get(POINTER).constant(place.from).store(0);
  code.get(POINTER).constant(place.to).store(ROOM_END);
}

/**
 * Drops the entries of frames that no longer exist: LAST becomes the address after the last
 * remaining entry.
 */
function dropEntries(code: Code, buffers: UnwindBuffers): void {
  code.constant(buffers.places.entries.from).load(0).set(LAST);
  code.op(Op.block, Type.empty, Op.loop, Type.empty);
  code.get(LAST).constant(firstEntry(buffers)).op(AT_MOST).branchIf(1);
  code.get(LAST).constant(ENTRY_BYTES).op(Op.i32Sub).load(0);
  code.global(buffers.stackPointer).op(GREATER).branchIf(1);
  code.get(LAST).constant(ENTRY_BYTES).op(Op.i32Sub).set(LAST);
  code.branch(0).op(Op.end, Op.end);
}

/** Appends an entry, and gives its space to the buffer. */
function addEntry(code: Code, buffers: UnwindBuffers): void {
  const { entries, kept } = buffers.places;
  code.get(LAST).constant(firstEntry(buffers)).op(GREATER).op(Op.if, Type.empty);
  code.get(LAST).constant(ENTRY_BYTES).op(Op.i32Sub).load(DATA_END).set(START);
  code.op(Op.else);
  code.constant(firstEntry(buffers)).set(LAST).constant(kept.from).set(START);
  code.op(Op.end);
  code.get(LAST).global(buffers.stackPointer).store(0);
  code.get(LAST).get(POINTER).store(OWNER);
  code.get(LAST).constant(kept.to).store(DATA_END);
  code.constant(entries.from).get(LAST).constant(ENTRY_BYTES).op(Op.i32Add).store(0);
  code.get(POINTER).get(START).store(0);
  code.get(POINTER).constant(kept.to).store(ROOM_END);
}

/** Before `start_unwind`: gives the buffer its space. The stack of a fiber has a buffer of its own. */
export function startUnwindCode(buffers: UnwindBuffers): Uint8Array<ArrayBuffer> {
  const code = new Code();
  isStatic(code, buffers);
  code.op(Op.if, Type.empty);
  setRoom(code, buffers.places.scan);
  code.op(Op.else);
  code.global(buffers.stackPointer).constant(buffers.stackTop).op(LESS).op(Op.if, Type.empty);
  dropEntries(code, buffers);
  addEntry(code, buffers);
  code.op(Op.else);
  code.constant(buffers.fiberLeft).constant(1).store(0);
  code.op(Op.end, Op.end);
  return code.toBytes();
}

/**
 * Before `start_rewind`: ends a scan's buffer at the end of its data, because the collector reads
 * all of it, and records the end of the last entry's data.
 */
export function startRewindCode(buffers: UnwindBuffers): Uint8Array<ArrayBuffer> {
  const { entries, kept } = buffers.places;
  const code = new Code();
  isStatic(code, buffers);
  code.op(Op.if, Type.empty);
  code.get(POINTER).get(POINTER).load(0).store(ROOM_END);
  code.op(Op.else);
  code.constant(entries.from).load(0).constant(ENTRY_BYTES).op(Op.i32Sub).set(LAST);
  code.get(LAST).constant(firstEntry(buffers)).op(LESS).op(Op.if, Type.empty, Op.else);
  code.get(LAST).load(OWNER).get(POINTER).op(EQUAL);
  code.get(POINTER).load(0).constant(kept.from).op(Op.i32Sub);
  code.constant(kept.to - kept.from).op(AT_MOST).op(AND).op(Op.if, Type.empty);
  code.get(LAST).get(POINTER).load(0).store(DATA_END);
  code.op(Op.end, Op.end, Op.end);
  return code.toBytes();
}
