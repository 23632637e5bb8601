/**
 * Reads instructions one by one: opcode, immediates, offsets.
 *
 * @module
 */
import type { ByteReader } from "./byte_reader.ts";
import { hex, Misc, Op, Type } from "./opcodes.ts";
import { skipValueType } from "./value_type.ts";

/** The immediates after an opcode in the binary. */
const Shape = {
  unknown: 0,
  none: 1,
  blockType: 2,
  index: 3,
  twoIndexes: 4,
  memoryArgument: 5,
  i32: 6,
  i64: 7,
  f32: 8,
  f64: 9,
  brTable: 10,
  types: 11,
  tryTable: 12,
  heapType: 13,
  misc: 14,
  simd: 15,
  atomic: 16,
} as const;

const SHAPES = shapes();

function shapes(): Uint8Array {
  const table = new Uint8Array(256);
  table.fill(Shape.none, 0x45, 0xc5);
  table.fill(Shape.memoryArgument, 0x28, 0x3f);
  table.fill(Shape.index, 0x20, 0x27);
  const none = [
    0x00,
    0x01,
    0x05,
    0x0a,
    0x0b,
    0x0f,
    0x19,
    0x1a,
    0x1b,
    0xd1,
    0xd3,
    0xd4,
  ];
  for (const opcode of none) table[opcode] = Shape.none;
  const index = [
    0x07,
    0x08,
    0x09,
    0x0c,
    0x0d,
    0x10,
    0x12,
    0x14,
    0x15,
    0x18,
    0x3f,
    0x40,
    0xd2,
    0xd5,
    0xd6,
  ];
  for (const opcode of index) table[opcode] = Shape.index;
  for (const opcode of [Op.block, Op.loop, Op.if, Op.try]) {
    table[opcode] = Shape.blockType;
  }
  table[Op.callIndirect] = Shape.twoIndexes;
  table[Op.returnCallIndirect] = Shape.twoIndexes;
  table[Op.brTable] = Shape.brTable;
  table[Op.selectTyped] = Shape.types;
  table[Op.tryTable] = Shape.tryTable;
  table[Op.i32Const] = Shape.i32;
  table[Op.i64Const] = Shape.i64;
  table[0x43] = Shape.f32;
  table[0x44] = Shape.f64;
  table[Op.refNull] = Shape.heapType;
  table[Op.prefixMisc] = Shape.misc;
  table[Op.prefixSimd] = Shape.simd;
  table[Op.prefixAtomic] = Shape.atomic;
  return table;
}

/** Reads one instruction after the other and leaves its parts in the fields. */
export class InstructionReader {
  readonly #reader: ByteReader;
  /** Offset of the opcode. */
  start = 0;
  opcode = 0;
  /** Opcode after a prefix byte. */
  sub = 0;
  /** The first index, label or 32-bit constant. */
  immediate = 0;
  /** Labels of `br_table` and of the catch clauses of `try_table`. */
  readonly labels: number[] = [];
  /** The type of the block, loop, `if` or `try` is no index, so a block has no parameters. */
  plainBlock = false;

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  next(): void {
    const reader = this.#reader;
    this.start = reader.pos;
    const opcode = reader.u8();
    this.opcode = opcode;
    switch (SHAPES[opcode]) {
      case Shape.none:
        return;
      case Shape.index:
        this.immediate = reader.u32();
        return;
      case Shape.memoryArgument:
        this.#memoryArgument();
        return;
      case Shape.i32:
        this.immediate = reader.s32();
        return;
      case Shape.i64:
        return reader.skipLeb64();
      case Shape.f32:
        return reader.skip(4);
      case Shape.f64:
        return reader.skip(8);
      case Shape.blockType:
        return this.#blockType();
      case Shape.twoIndexes:
        this.immediate = reader.u32();
        reader.u32();
        return;
      default:
        this.#rare(opcode);
    }
  }

  #rare(opcode: number): void {
    switch (SHAPES[opcode]) {
      case Shape.brTable:
        return this.#brTable();
      case Shape.types:
        return this.#types();
      case Shape.tryTable:
        return this.#tryTable();
      case Shape.heapType:
        return this.#reader.skipLeb32();
      case Shape.misc:
        return this.#misc();
      case Shape.simd:
        return this.#simd();
      case Shape.atomic:
        return this.#atomic();
      default:
        if (opcode === Op.prefixGc) {
          this.#reader.fail(
            "GC instructions are not supported: opcode 0xfb",
            this.start,
          );
        }
        this.#reader.fail(`unknown opcode ${hex(opcode)}`, this.start);
    }
  }

  /** A value type, `0x40` for none, or an index into the type section as a signed number. */
  #blockType(): void {
    const reader = this.#reader;
    const first = reader.u8();
    this.plainBlock = first >= Type.empty && first <= Type.i32;
    if (first === Type.empty) return;
    reader.pos--;
    if (this.plainBlock) skipValueType(reader);
    else reader.skipLeb32();
  }

  #memoryArgument(): void {
    const align = this.#reader.u32();
    // Bit 6 says that the index of the memory follows.
    if ((align & 0x40) !== 0) this.#reader.u32();
    this.#reader.u32();
  }

  #brTable(): void {
    const reader = this.#reader;
    const count = reader.count("br_table labels");
    this.labels.length = 0;
    for (let i = 0; i <= count; i++) this.labels.push(reader.u32());
  }

  #types(): void {
    const count = this.#reader.count("select types");
    for (let i = 0; i < count; i++) skipValueType(this.#reader);
  }

  #tryTable(): void {
    const reader = this.#reader;
    this.#blockType();
    const count = reader.count("catch clauses");
    this.labels.length = 0;
    for (let i = 0; i < count; i++) {
      const kind = reader.u8();
      if (kind > 3) {
        reader.fail(`unknown kind of catch clause ${kind}`, reader.pos - 1);
      }
      if (kind < 2) reader.u32();
      this.labels.push(reader.u32());
    }
  }

  #misc(): void {
    const reader = this.#reader;
    this.sub = reader.u32();
    switch (this.sub) {
      case Misc.memoryInit:
      case Misc.memoryCopy:
      case Misc.tableInit:
      case Misc.tableCopy:
        reader.u32();
        reader.u32();
        return;
      case Misc.dataDrop:
      case Misc.memoryFill:
      case Misc.elemDrop:
      case Misc.tableGrow:
      case Misc.tableSize:
      case Misc.tableFill:
        reader.u32();
        return;
      default:
        if (this.sub > Misc.lastSaturatingTruncation) this.#unknownSub();
    }
  }

  #simd(): void {
    const reader = this.#reader;
    const sub = this.sub = reader.u32();
    if (sub <= 11 || sub === 92 || sub === 93) this.#memoryArgument();
    else if (sub === 12 || sub === 13) reader.skip(16);
    else if (sub >= 21 && sub <= 34) reader.skip(1);
    else if (sub >= 84 && sub <= 91) {
      this.#memoryArgument();
      reader.skip(1);
    } else if (sub > 0x113) this.#unknownSub();
  }

  #atomic(): void {
    this.sub = this.#reader.u32();
    if (this.sub === 3) this.#reader.skip(1);
    else if (this.sub <= 2 || (this.sub >= 0x10 && this.sub <= 0x4e)) {
      this.#memoryArgument();
    } else this.#unknownSub();
  }

  #unknownSub(): never {
    this.#reader.fail(
      `unknown opcode ${hex(this.opcode)} ${hex(this.sub)}`,
      this.start,
    );
  }
}
