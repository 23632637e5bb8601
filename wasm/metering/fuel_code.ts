/**
 * The instructions that charge fuel and check it.
 *
 * @module
 */
import type { ByteWriter } from "./byte_writer.ts";
import { Op, Type } from "./opcodes.ts";

/**
 * Units for a byte that bulk memory work moves or fills. Memory outside the caches takes up to
 * 0.2 ns a byte at any length, the time of 2 to 4 units of an empty loop.
 */
const UNITS_PER_BYTE = 3;
/** Units for each page of 64 KiB a memory grows by: its first use takes some 10 µs. */
const UNITS_PER_PAGE = 100_000;
/**
 * Places of a hash table below 2 to this power cost nothing more: the processor's caches hold them.
 */
const NEAR_PLACES_LOG = 14;
const WORD_BITS = 32;

/**
 * Writes the instructions that subtract units from the fuel global. A check traps (`unreachable`)
 * as soon as the global is negative; it stays negative, so whatever runs afterwards traps at its
 * next check.
 */
export class FuelCode {
  readonly #out: ByteWriter;
  readonly #global: number;

  constructor(out: ByteWriter, fuelGlobal: number) {
    this.#out = out;
    this.#global = fuelGlobal;
  }

  charge(units: number): void {
    this.#begin();
    this.#constant(units);
    this.#out.u8(Op.i64Sub);
    this.#out.u8(Op.globalSet);
    this.#out.u32(this.#global);
  }

  check(): void {
    this.#begin();
    this.#trapIfNegative();
  }

  /** `scratch` is an i64 local. */
  chargeAndCheck(units: number, scratch: number): void {
    this.#begin();
    this.#constant(units);
    this.#finishWithCheck(scratch);
  }

  /** Charges for the bytes whose number (i32) is on top of the stack, and leaves it there. */
  chargeBytes(length: number, scratch: number): void {
    this.#chargeTimes(UNITS_PER_BYTE, length, scratch);
  }

  /** The same for table elements, one unit each. */
  chargeElements(length: number, scratch: number): void {
    this.#beginLength(length);
    this.#finishLength(length, scratch);
  }

  /** The same for pages a memory is to grow by. */
  chargePages(length: number, scratch: number): void {
    this.#chargeTimes(UNITS_PER_PAGE, length, scratch);
  }

  /**
   * Charges for a look-up of the place (i32) on top of the stack, and leaves it there. A place pays
   * the units once for each doubling from the near ones to it. There is no check: the next loop
   * header or entry has one.
   */
  chargeLookup(units: number, place: number): void {
    const out = this.#out;
    this.#local(Op.localTee, place);
    this.#local(Op.localGet, place);
    this.#word(NEAR_PLACES_LOG);
    out.u8(Op.i32ShrU);
    out.u8(Op.if);
    out.u8(Type.empty);
    this.#begin();
    this.#word(WORD_BITS - NEAR_PLACES_LOG);
    this.#local(Op.localGet, place);
    out.u8(Op.i32Clz);
    out.u8(Op.i32Sub);
    out.u8(Op.i64ExtendI32U);
    this.#constant(units);
    out.u8(Op.i64Mul);
    out.u8(Op.i64Sub);
    out.u8(Op.globalSet);
    out.u32(this.#global);
    out.u8(Op.end);
  }

  /** Lengths are unsigned 32-bit numbers, so the product stays far below 64 bits. */
  #chargeTimes(units: number, length: number, scratch: number): void {
    this.#beginLength(length);
    this.#constant(units);
    this.#out.u8(Op.i64Mul);
    this.#finishLength(length, scratch);
  }

  #beginLength(length: number): void {
    this.#local(Op.localSet, length);
    this.#begin();
    this.#local(Op.localGet, length);
    this.#out.u8(Op.i64ExtendI32U);
  }

  #finishLength(length: number, scratch: number): void {
    this.#finishWithCheck(scratch);
    this.#local(Op.localGet, length);
  }

  #begin(): void {
    this.#out.u8(Op.globalGet);
    this.#out.u32(this.#global);
  }

  #finishWithCheck(scratch: number): void {
    const out = this.#out;
    out.u8(Op.i64Sub);
    this.#local(Op.localTee, scratch);
    out.u8(Op.globalSet);
    out.u32(this.#global);
    this.#local(Op.localGet, scratch);
    this.#trapIfNegative();
  }

  /** Consumes an i64 from the stack. */
  #trapIfNegative(): void {
    const out = this.#out;
    this.#constant(0);
    out.u8(Op.i64LtS);
    out.u8(Op.if);
    out.u8(Type.empty);
    out.u8(Op.unreachable);
    out.u8(Op.end);
  }

  #constant(value: number): void {
    this.#out.u8(Op.i64Const);
    this.#out.s32(value);
  }

  #word(value: number): void {
    this.#out.u8(Op.i32Const);
    this.#out.s32(value);
  }

  #local(opcode: number, index: number): void {
    this.#out.u8(opcode);
    this.#out.u32(index);
  }
}
