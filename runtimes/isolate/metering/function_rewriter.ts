import { ByteReader } from "./byte_reader.ts";
import { ByteWriter } from "./byte_writer.ts";
import { type FunctionBody, type Locals, readLocals } from "./code_section.ts";
import { Edit } from "./edits.ts";
import { MAX_BODY_BYTES, MAX_LOCALS } from "./engine_limits.ts";
import { FuelCode } from "./fuel_code.ts";
import { FunctionScanner } from "./function_scanner.ts";
import { MeterError } from "./meter_error.ts";
import type { FunctionType } from "./module_layout.ts";
import { Op, Type } from "./opcodes.ts";
import { paddingBytes, PaddingCode, type StackPadding } from "./stack_padding.ts";
import type { WrapperTypes } from "./wrapper_types.ts";

/** Stands for "no such global". */
const NONE = -1;

const NO_CONSTANTS: Int32Array = new Int32Array(0);

export interface RewriteSettings {
  readonly fuelGlobal: number;
  readonly mergeMax: number;
  readonly mergeBudget: number;
  /** Largest entry cost that callers pay. */
  readonly prepayMax: number;
  readonly padding: StackPadding | undefined;
  /** Index of the stack pointer, where frames are to be padded. */
  readonly stackPointer: number | undefined;
  /** Index of the global that holds the state of Asyncify, in modules that have it. */
  readonly asyncifyState: number | undefined;
}

/** One function to rewrite. */
export interface FunctionTask {
  /** In the index space of all functions. */
  readonly index: number;
  readonly body: FunctionBody;
  readonly type: FunctionType;
  /** The callers may pay for the entry. */
  readonly prepayable: boolean;
  /** The frame is to be padded, if the function calls anything. */
  readonly pad: boolean;
  /** Offsets of the constants that hold the size of the function's own frame, where it can be made larger. */
  readonly frame: Int32Array | undefined;
}

export interface RewriteCounts {
  functions: number;
  loops: number;
  chargePoints: number;
  checks: number;
  /** Functions whose entry the callers pay for. */
  prepaid: number;
  padded: number;
}

/** Rewrites function bodies one after the other, callees before their callers where entries are prepaid. */
export class FunctionRewriter {
  readonly #source: Uint8Array;
  readonly #settings: RewriteSettings;
  readonly #wrappers: WrapperTypes;
  readonly #reader: ByteReader;
  readonly #scanner: FunctionScanner;
  readonly #body = new ByteWriter(4096);
  readonly #fuel: FuelCode;
  readonly #stack: PaddingCode;
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
  // Of the function at hand.
  #padding = 0;
  /** The padding is written around the body, as there is no frame of its own to enlarge. */
  #wrapped = false;
  /** Constants to enlarge by the padding, and the next of them. */
  #constants: Int32Array = NO_CONSTANTS;
  #nextConstant = 0;
  #entryPaid = false;
  #entryChecked = false;
  /** Indexes of the appended locals: what is left of the fuel, a length, the stack pointer. */
  #fuelLocal = NONE;
  #lengthLocal = NONE;
  #stackLocal = NONE;

  /** `functions` is the number of all functions, the imported ones included. */
  constructor(
    source: Uint8Array,
    functions: number,
    settings: RewriteSettings,
    wrappers: WrapperTypes,
  ) {
    this.#source = source;
    this.#settings = settings;
    this.#wrappers = wrappers;
    this.#reader = new ByteReader(source);
    this.#prepaid = new Int32Array(functions);
    this.#scanner = new FunctionScanner(source, settings.stackPointer ?? NONE, this.#prepaid);
    this.#fuel = new FuelCode(this.#body, settings.fuelGlobal);
    this.#stack = new PaddingCode(
      this.#body,
      settings.stackPointer ?? NONE,
      settings.asyncifyState,
    );
  }

  /** Appends the new body with its length to `out`. */
  rewrite(task: FunctionTask, out: ByteWriter): void {
    const { body, type } = task;
    this.#reader.pos = body.start;
    this.#reader.limit = body.end;
    const locals = readLocals(this.#reader, type.parameters);
    this.#scanner.scan(locals.end, body.end);
    this.#scanner.regions.merge(this.#settings.mergeMax, this.#settings.mergeBudget);
    this.#scanner.switches.sink(this.#scanner.regions, this.#settings.mergeMax);
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
    const scanner = this.#scanner;
    const entry = scanner.regions.cost(0);
    this.#entryPaid = task.prepayable && entry <= this.#settings.prepayMax;
    this.#prepaid[task.index] = this.#entryPaid ? entry : 0;
    // What runs without calls and loops ends soon: the check of the caller is enough.
    this.#entryChecked = !this.#entryPaid &&
      (scanner.calls || scanner.tailCalls || scanner.loops > 0);
    this.#padding = this.#choosePadding(task, locals);
    this.#wrapped = this.#padding > 0 && task.frame === undefined;
    this.#constants = this.#padding > 0 && task.frame !== undefined ? task.frame : NO_CONSTANTS;
    this.#nextConstant = 0;
    this.counts.functions++;
    this.counts.loops += scanner.loops;
    if (this.#entryPaid) this.counts.prepaid++;
    if (this.#padding > 0) this.counts.padded++;
  }

  #choosePadding(task: FunctionTask, locals: Locals): number {
    const { padding } = this.#settings;
    if (padding === undefined || !this.#scanner.calls) return 0;
    const { catches, tryTable } = this.#scanner;
    if (tryTable || (catches && this.#settings.asyncifyState !== undefined)) {
      throw new MeterError(
        `stack padding does not support ${tryTable ? "try_table" : "catch with Asyncify"}, ` +
          `used in function ${task.index}`,
        task.body.start,
      );
    }
    return task.pad ? paddingBytes(locals.count, padding) : 0;
  }

  /** Writes the declaration of the locals and appends those the injected code needs. */
  #writeLocals(locals: Locals): void {
    const scanner = this.#scanner;
    const fuel = this.#entryChecked || scanner.loops > 0 || scanner.charged;
    const stack = this.#settings.padding !== undefined && scanner.calls && scanner.catches;
    const added = Number(fuel) + Number(scanner.charged) + Number(stack);
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
    this.#lengthLocal = scanner.charged ? this.#appendLocal(Type.i32, next++) : NONE;
    this.#stackLocal = stack ? this.#appendLocal(Type.i32, next++) : NONE;
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
        this.#copy(copied, position);
        copied = position;
      }
      copied += this.#edit(edits.kind(i), edits.argument(i), type);
    }
    this.#copy(copied, end);
    if (!this.#wrapped) return;
    // The `end` just copied closes the wrapper block.
    this.#stack.pop(this.#padding);
    this.#body.u8(Op.end);
  }

  /** Copies instructions, and enlarges the frame sizes among them. */
  #copy(from: number, to: number): void {
    let copied = from;
    for (;;) {
      const constant = this.#constants[this.#nextConstant] ?? to;
      if (constant >= to) break;
      this.#nextConstant++;
      this.#reader.pos = constant + 1;
      const size = this.#reader.s32();
      this.#body.copy(this.#source, copied, constant + 1);
      this.#body.s32(size + this.#padding);
      copied = this.#reader.pos;
    }
    this.#body.copy(this.#source, copied, to);
  }

  /** Writes one edit. Returns the number of source bytes it stands for. */
  #edit(kind: number, argument: number, type: FunctionType): number {
    switch (kind) {
      case Edit.enter:
        if (!this.#entryPaid) this.#charge(argument, this.#entryChecked);
        this.#openFrame(type);
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
      default:
        return this.#editStack(kind, argument);
    }
  }

  #editStack(kind: number, argument: number): number {
    if (kind === Edit.return && this.#wrapped) {
      this.#body.u8(Op.br);
      this.#body.u32(argument);
      return 1;
    }
    if (kind === Edit.tailCall && this.#wrapped) this.#stack.pop(this.#padding);
    if (this.#stackLocal === NONE) return 0;
    if (kind === Edit.enterTry) this.#stack.save(this.#stackLocal);
    else if (kind === Edit.setStackPointer) this.#stack.saveWritten(this.#stackLocal);
    else if (kind === Edit.enterCatch) this.#stack.restore(this.#stackLocal);
    return 0;
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

  #openFrame(type: FunctionType): void {
    if (!this.#wrapped) return;
    this.#stack.push(this.#padding);
    this.#body.u8(Op.block);
    this.#wrappers.writeBlockType(type, this.#body);
  }
}
