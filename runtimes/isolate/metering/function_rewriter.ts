/**
 * The second pass over a function body: writes it with its charges, checks and padding.
 *
 * @module
 */
import { ByteReader } from "./byte_reader.ts";
import { ByteWriter } from "./byte_writer.ts";
import { type Locals, readLocals } from "./code_section.ts";
import { Edit } from "./edits.ts";
import { MAX_BODY_BYTES, MAX_LOCALS } from "./engine_limits.ts";
import { FramePadder } from "./frame_padder.ts";
import { FuelCode } from "./fuel_code.ts";
import { FunctionScanner } from "./function_scanner.ts";
import { MeterError } from "./meter_error.ts";
import type { FunctionType } from "./module_layout.ts";
import { Type } from "./opcodes.ts";
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
  /** What a direct call of each function pays for its entry. */
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

  /** `functions` is the number of all functions, including imported ones. */
  constructor(
    source: Uint8Array,
    functions: number,
    settings: RewriteSettings,
    wrappers: WrapperTypes,
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
    );
    this.#fuel = new FuelCode(this.#body, settings.fuelGlobal);
    this.#padder = new FramePadder(source, this.#body, settings, wrappers);
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
    const { mergeMax, mergeBudget, prepayMax, asyncify, surcharges } = this.#settings;
    if (task.index === asyncify?.startUnwind || task.index === asyncify?.startRewind) {
      regions.charge(0, surcharges.unwindUnits);
    }
    regions.merge(mergeMax, mergeBudget);
    switches.sink(regions, mergeMax);
    const entry = regions.cost(0);
    this.#entryPaid = task.prepayable && entry <= prepayMax;
    this.#prepaid[task.index] = this.#entryPaid ? entry : 0;
    // Code without calls and loops ends soon: the caller's check is enough.
    this.#entryChecked = !this.#entryPaid && (calls || tailCalls || loops > 0);
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
      copied += this.#edit(edits.kind(i), edits.argument(i), type);
    }
    this.#padder.copy(copied, end);
    this.#padder.leave();
  }

  /** Writes one edit. Returns the number of source bytes it stands for. */
  #edit(kind: number, argument: number, type: FunctionType): number {
    switch (kind) {
      case Edit.enter:
        if (!this.#entryPaid) this.#charge(argument, this.#entryChecked);
        this.#padder.enter(type);
        return 0;
      case Edit.turn:
        this.#charge(argument, true);
        return 0;
      case Edit.charge:
        this.#charge(argument, false);
        return 0;
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
        return 0;
      case Edit.chargeLookup:
        this.counts.chargePoints++;
        this.#fuel.chargeLookup(this.#settings.surcharges.lookupUnits, this.#lengthLocal);
        return 0;
      default:
        return this.#padder.edit(kind, argument);
    }
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
