/**
 * The second pass over a function body: writes it with its charges, checks and padding.
 *
 * @module
 */
import { ByteReader } from "./byte_reader.ts";
import { ByteWriter } from "./byte_writer.ts";
import { type Locals, readLocals } from "./code_section.ts";
import type { TurnArm } from "./control_flow.ts";
import { Edit } from "./edits.ts";
import { MAX_BODY_BYTES, MAX_LOCALS } from "./engine_limits.ts";
import { FramePadder } from "./frame_padder.ts";
import { FuelCode } from "./fuel_code.ts";
import { FunctionScanner } from "./function_scanner.ts";
import { MemorySizeCode } from "./memory_size_code.ts";
import { MeterError } from "./meter_error.ts";
import type { FunctionType } from "./module_layout.ts";
import { Op, Type } from "./opcodes.ts";
import type { FunctionTask, RewriteSettings } from "./rewrite_task.ts";
import type { WrapperTypes } from "./wrapper_types.ts";

/** Stands for "no such index". */
const NONE = -1;

export interface RewriteCounts {
  functions: number;
  loops: number;
  chargePoints: number;
  checks: number;
  /** Functions whose entry the callers pay for. */
  prepaid: number;
  padded: number;
}

/**
 * Rewrites function bodies one after the other, callees before their callers where entries are
 * prepaid.
 */
export class FunctionRewriter {
  readonly #source: Uint8Array;
  readonly #settings: RewriteSettings;
  readonly #reader: ByteReader;
  readonly #scanner: FunctionScanner;
  readonly #body = new ByteWriter(4096);
  readonly #fuel: FuelCode;
  readonly #padder: FramePadder;
  /** Where the guest sees a size of its own. */
  readonly #memorySize: MemorySizeCode | undefined;
  /** The price of the entry, for a direct call of each function. */
  readonly #prepaid: Int32Array;
  readonly counts: RewriteCounts = {
    functions: 0,
    loops: 0,
    chargePoints: 0,
    checks: 0,
    prepaid: 0,
    padded: 0,
  };
  // State of the current function.
  #entryPaid = false;
  #entryChecked = false;
  /** Indexes of appended locals: the remaining fuel, and a length. */
  #fuelLocal = NONE;
  #lengthLocal = NONE;

  /**
   * `functions` is the number of all functions, including imported ones. `catches`: something in
   * the module catches exceptions.
   */
  constructor(
    source: Uint8Array,
    functions: number,
    settings: RewriteSettings,
    wrappers: WrapperTypes,
    catches: boolean,
  ) {
    this.#source = source;
    this.#settings = settings;
    this.#reader = new ByteReader(source);
    this.#prepaid = new Int32Array(functions);
    this.#scanner = new FunctionScanner(
      source,
      settings.stackPointer ?? NONE,
      this.#prepaid,
      settings.surcharges,
      catches,
    );
    this.#fuel = new FuelCode(this.#body, settings.fuelGlobal);
    this.#padder = new FramePadder(source, this.#body, settings, wrappers);
    const { pagesGlobal } = settings;
    this.#memorySize = pagesGlobal === undefined
      ? undefined
      : new MemorySizeCode(this.#body, pagesGlobal);
  }

  /** Appends the new body with its length to `out`. */
  rewrite(task: FunctionTask, out: ByteWriter): void {
    const { body, type } = task;
    this.#reader.pos = body.start;
    this.#reader.limit = body.end;
    const locals = readLocals(this.#reader, type.parameters);
    this.#scanner.scan(locals.end, body.end);
    this.#plan(task, locals);
    this.#body.clear();
    this.#writeLocals(locals);
    this.#writeInstructions(locals.end, body.end, type);
    if (this.#body.length > MAX_BODY_BYTES) {
      throw new MeterError(
        `function ${task.index} becomes larger than ${MAX_BODY_BYTES} bytes`,
        body.start,
      );
    }
    out.u32(this.#body.length);
    out.append(this.#body);
  }

  #plan(task: FunctionTask, locals: Locals): void {
    const { regions, switches, calls, tailCalls, loops } = this.#scanner;
    const { merging, prepayMax, asyncify, surcharges } = this.#settings;
    if (task.index === asyncify?.startUnwind || task.index === asyncify?.startRewind) {
      regions.charge(0, surcharges.unwindUnits);
    }
    regions.merge(merging);
    switches.sink(regions, merging.max);
    const entry = regions.cost(0);
    this.#entryPaid = task.prepayable && entry <= prepayMax;
    this.#prepaid[task.index] = this.#entryPaid ? entry : 0;
    // Code without calls ends soon, or comes to a loop with a check of its own.
    this.#entryChecked = !this.#entryPaid && (calls || tailCalls);
    this.#padder.begin(task, this.#scanner, locals);
    this.counts.functions++;
    this.counts.loops += loops;
    if (this.#entryPaid) this.counts.prepaid++;
    if (this.#padder.pads) this.counts.padded++;
  }

  /** Writes the declaration of the locals and appends those the injected code needs. */
  #writeLocals(locals: Locals): void {
    const { loops, charged } = this.#scanner;
    const fuel = this.#entryChecked || loops > 0 || charged;
    const added = Number(fuel) + Number(charged) + Number(this.#padder.needsLocal);
    if (locals.count + added > MAX_LOCALS) {
      throw new MeterError(
        `function has ${locals.count} locals, no room for ${added} more`,
        locals.start,
      );
    }
    this.#body.u32(locals.groups + added);
    this.#body.copy(this.#source, locals.start, locals.end);
    let next = locals.count;
    this.#fuelLocal = fuel ? this.#appendLocal(Type.i64, next++) : NONE;
    this.#lengthLocal = charged ? this.#appendLocal(Type.i32, next++) : NONE;
    if (this.#padder.needsLocal) this.#padder.useLocal(this.#appendLocal(Type.i32, next));
  }

  #appendLocal(type: number, index: number): number {
    this.#body.u8(1);
    this.#body.u8(type);
    return index;
  }

  #writeInstructions(start: number, end: number, type: FunctionType): void {
    const edits = this.#scanner.edits;
    let copied = start;
    for (let i = 0; i < edits.length; i++) {
      const position = edits.position(i);
      if (position > copied) {
        this.#padder.copy(copied, position);
        copied = position;
      }
      copied += this.#edit(i, type);
    }
    this.#padder.copy(copied, end);
    this.#padder.leave();
  }

  /** Writes one edit. Returns the number of source bytes it stands for. */
  #edit(index: number, type: FunctionType): number {
    const { edits } = this.#scanner;
    const kind = edits.kind(index);
    const argument = edits.argument(index);
    switch (kind) {
      case Edit.enter:
        if (!this.#entryPaid) this.#charge(argument, this.#entryChecked);
        this.#padder.enter(type);
        return 0;
      case Edit.charge:
        this.#charge(argument, this.#scanner.regions.checked(argument));
        return 0;
      case Edit.turnArm:
        return this.#writeSwitch(edits.position(index), this.#scanner.turnArms[argument]);
      case Edit.chargeBytes:
        this.#countCheck();
        this.#fuel.chargeBytes(this.#lengthLocal, this.#fuelLocal);
        return 0;
      case Edit.chargeElements:
        this.#countCheck();
        this.#fuel.chargeElements(this.#lengthLocal, this.#fuelLocal);
        return 0;
      case Edit.chargePages:
        this.#countCheck();
        this.#fuel.chargePages(this.#lengthLocal, this.#fuelLocal);
        return this.#insteadOf(edits.position(index), (code) => code.grow(this.#lengthLocal));
      case Edit.memorySize:
        return this.#insteadOf(edits.position(index), (code) => code.size());
      case Edit.chargeLookup:
        this.counts.chargePoints++;
        this.#fuel.chargeLookup(this.#settings.surcharges.lookupUnits, this.#lengthLocal);
        return 0;
      default:
        return this.#padder.edit(kind, argument);
    }
  }

  /**
   * Writes code in place of an instruction for the first memory, where the guest sees a size of its
   * own. Returns the number of source bytes that it stands for.
   */
  #insteadOf(position: number, write: (code: MemorySizeCode) => void): number {
    if (this.#memorySize === undefined) return 0;
    const reader = this.#reader;
    reader.pos = position + 1; // behind the opcode
    if (reader.u32() !== 0) return 0;
    write(this.#memorySize);
    return reader.pos - position;
  }

  /**
   * Writes a `br_table` inside a block, behind which the targets that are a loop come to an arm.
   * Returns the number of source bytes it stands for.
   */
  #writeSwitch(position: number, arm: TurnArm | undefined): number {
    if (arm === undefined) throw new RangeError("no such arm of a switch");
    const { label, region } = arm;
    const reader = this.#reader;
    const out = this.#body;
    reader.pos = position + 1; // behind the opcode
    const last = reader.u32();
    out.u8(Op.localSet);
    out.u32(this.#lengthLocal);
    out.u8(Op.block);
    out.u8(Type.empty);
    out.u8(Op.localGet);
    out.u32(this.#lengthLocal);
    out.u8(Op.brTable);
    out.u32(last);
    for (let i = 0; i <= last; i++) {
      const target = reader.u32();
      out.u32(target === label ? 0 : target + 1);
    }
    out.u8(Op.end);
    this.#charge(region, this.#scanner.regions.checked(region));
    out.u8(Op.br);
    out.u32(label);
    return reader.pos - position;
  }

  #charge(region: number, check: boolean): void {
    const units = this.#scanner.regions.cost(region);
    if (check && units === 0) {
      this.counts.checks++;
      this.#fuel.check();
    } else if (check) {
      this.#countCheck();
      this.#fuel.chargeAndCheck(units, this.#fuelLocal);
    } else if (units > 0) {
      this.counts.chargePoints++;
      this.#fuel.charge(units);
    }
  }

  #countCheck(): void {
    this.counts.chargePoints++;
    this.counts.checks++;
  }
}
