/**
 * Copies the instructions of a side module into the linked module. Replaces indexes by new ones, and
 * reads of globals that hold addresses by constants.
 *
 * @module
 */
import {
  ByteReader,
  type ByteWriter,
  InstructionReader,
  Misc,
  Op,
  Type,
} from "@belljar/wasm-metering/binary";
import { LinkError } from "./link_error.ts";
import { NOT_MAPPED, type PlacedSide } from "./placement.ts";

const TABLE_GET = 0x25;
const TABLE_SET = 0x26;
/** A block type whose first byte is from `Type.empty` up to here is a value type; any other is an index. */
const PAST_VALUE_TYPES = 0x80;

/** Instructions that no side module may have, and their descriptions in messages. */
const REFUSED: ReadonlyMap<number, string> = new Map([
  [Op.tryTable, "has try_table, the later form of exceptions"],
  [Op.throwRef, "has throw_ref, the later form of exceptions"],
  [Op.callRef, "calls functions by typed references"],
  [Op.returnCallRef, "calls functions by typed references"],
  [Op.memoryGrow, "grows the memory by itself"],
  [TABLE_GET, "reads the function table"],
  [TABLE_SET, "changes the function table"],
  [Op.prefixAtomic, "has instructions for threads"],
]);

/** Copies the instructions of one side module. */
export class InstructionCopier {
  readonly #side: PlacedSide;
  readonly #out: ByteWriter;
  /** Offset of the first byte that is not copied yet. */
  #from = 0;

  constructor(side: PlacedSide, out: ByteWriter) {
    this.#side = side;
    this.#out = out;
  }

  /** Copies from `from` to `to`. Throws a LinkError, a MeterError. */
  copy(from: number, to: number): void {
    const reader = new ByteReader(this.#side.parts.bytes, from, to);
    const instruction = new InstructionReader(reader);
    this.#from = from;
    while (reader.pos < to) {
      instruction.next();
      this.#copyOne(instruction, reader.pos);
    }
    this.#copyUntil(to);
  }

  /** Copies the bytes before an offset unchanged. */
  #copyUntil(offset: number): void {
    this.#out.copy(this.#side.parts.bytes, this.#from, offset);
    this.#from = offset;
  }

  /** Copies an instruction up to its first index. The caller writes the index and the rest. */
  #copyHead(start: number, end: number): void {
    this.#copyUntil(start + 1);
    this.#from = end;
  }

  #copyOne({ opcode, sub, start, immediate }: InstructionReader, end: number): void {
    const { typeMap, functionMap, tagMap, globalMap, module: { label } } = this.#side;
    const refused = REFUSED.get(opcode);
    if (refused !== undefined) throw new LinkError(`${label} ${refused}`);
    switch (opcode) {
      case Op.block:
      case Op.loop:
      case Op.if:
      case Op.try:
        return this.#copyBlock(start, end);
      case Op.call:
      case Op.returnCall:
      case Op.refFunc:
        return this.#copyIndex(functionMap, immediate, start, end);
      case Op.callIndirect:
      case Op.returnCallIndirect:
        this.#copyIndex(typeMap, immediate, start, end);
        // The table index is always 0: a side module imports one table and defines none.
        return this.#out.u32(0);
      case Op.catch:
      case Op.throw:
        return this.#copyIndex(tagMap, immediate, start, end);
      case Op.globalGet:
        return this.#copyGlobalGet(immediate, start, end);
      case Op.globalSet:
        if (globalMap[immediate] === NOT_MAPPED) {
          throw new LinkError(`${label} changes an address of the linker`);
        }
        return this.#copyIndex(globalMap, immediate, start, end);
      case Op.prefixMisc:
        return this.#copyMisc(sub, start, end);
      default:
    }
  }

  #copyIndex(map: Int32Array, index: number, start: number, end: number): void {
    const { module: { label } } = this.#side;
    const found = map[index] ?? NOT_MAPPED;
    if (found === NOT_MAPPED) throw new LinkError(`${label} has an index ${index} of nothing`);
    this.#copyHead(start, end);
    this.#out.u32(found);
  }

  /** Maps the type of a block. It is an index if the block takes values or returns several. */
  #copyBlock(start: number, end: number): void {
    const { parts: { bytes }, typeMap } = this.#side;
    const reader = new ByteReader(bytes, start + 1, end);
    const first = reader.u8();
    if (first >= Type.empty && first < PAST_VALUE_TYPES) return;
    reader.pos--;
    const type = typeMap[reader.s32()] ?? NOT_MAPPED;
    this.#copyHead(start, end);
    this.#out.s32(type);
  }

  #copyGlobalGet(index: number, start: number, end: number): void {
    const { globalMap, constants } = this.#side;
    const mapped = globalMap[index] ?? NOT_MAPPED;
    this.#copyUntil(start);
    this.#from = end;
    this.#out.u8(mapped === NOT_MAPPED ? Op.i32Const : Op.globalGet);
    if (mapped === NOT_MAPPED) this.#out.s32(constants[index] ?? 0);
    else this.#out.u32(mapped);
  }

  #copyMisc(sub: number, start: number, end: number): void {
    const { firstData, parts: { bytes }, module: { label } } = this.#side;
    if (sub >= Misc.tableInit) throw new LinkError(`${label} changes the function table`);
    if (sub !== Misc.memoryInit && sub !== Misc.dataDrop) return;
    const reader = new ByteReader(bytes, start + 1, end);
    reader.u32(); // the opcode behind the prefix
    this.#copyUntil(reader.pos);
    this.#out.u32(firstData + reader.u32());
    this.#from = reader.pos;
  }
}
