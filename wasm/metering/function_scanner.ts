/**
 * The first pass over a function body: finds costs and the positions to edit.
 *
 * @module
 */
import { ByteReader } from "./byte_reader.ts";
import { Construct, ControlFlow, type TurnArm } from "./control_flow.ts";
import { Edit, EditList } from "./edits.ts";
import { InstructionReader } from "./instruction_reader.ts";
import { LookupFinder } from "./lookup_finder.ts";
import { hex, Misc, Op } from "./opcodes.ts";
import { RegionList } from "./regions.ts";
import { SwitchList } from "./switches.ts";

/** Maximum nesting of constructs; compilers stay far below. */
const MAX_NESTING = 50_000;

/** Opcodes that do more than cost one unit. */
const SPECIAL = specialOpcodes();

function specialOpcodes(): Uint8Array {
  const table = new Uint8Array(256);
  const plain: ReadonlySet<number> = new Set([0x1a, 0x1b, 0x1c]);
  for (let opcode = 0; opcode < 0x20; opcode++) {
    table[opcode] = plain.has(opcode) ? 0 : 1;
  }
  for (
    const opcode of [
      Op.globalSet,
      Op.i64Store,
      Op.f64Mul,
      Op.f64Div,
      Op.memorySize,
      Op.memoryGrow,
      Op.brOnNull,
      Op.brOnNonNull,
      Op.prefixMisc,
    ]
  ) table[opcode] = 1;
  return table;
}

/** Units of some instructions, above the one of each. */
export interface Surcharges {
  /** For a store of 64 bits. */
  readonly wideStoreUnits: number;
  /** For a multiplication or division of floats of 64 bits. */
  readonly floatUnits: number;
  /** For each doubling of a far place that is looked up in a hash table. */
  readonly lookupUnits: number;
  /** For beginning to unwind or to rewind the native stack. */
  readonly unwindUnits: number;
}

/**
 * Reads one function body. Its fields then hold what the rewriter needs: the regions with their
 * cost, and the positions to edit in ascending order.
 */
export class FunctionScanner {
  readonly #reader: ByteReader;
  readonly #instruction: InstructionReader;
  readonly #flow: ControlFlow;
  readonly #stackPointer: number;
  readonly #prepaid: Int32Array;
  readonly #surcharges: Surcharges;
  readonly #lookup = new LookupFinder();
  readonly regions = new RegionList();
  readonly switches = new SwitchList();
  readonly edits = new EditList();
  /** The function contains a call that returns. */
  calls = false;
  tailCalls = false;
  loops = 0;
  catches = false;
  tryTable = false;
  /** An i32 local is needed: a length on top of the stack is charged, or a switch gets an arm. */
  charged = false;
  /** Arms that switches get. */
  readonly turnArms: TurnArm[] = [];

  /**
   * `stackPointer` is the index of the global whose writes are to be found, or -1. `prepaid` holds
   * for each function what a direct call pays on top. `surcharges` are units above the
   * one of each instruction. `catches`: something in the module catches exceptions.
   */
  constructor(
    source: Uint8Array,
    stackPointer: number,
    prepaid: Int32Array,
    surcharges: Surcharges,
    catches: boolean,
  ) {
    this.#reader = new ByteReader(source);
    this.#instruction = new InstructionReader(this.#reader);
    this.#flow = new ControlFlow(this.regions, this.switches, catches);
    this.#stackPointer = stackPointer;
    this.#prepaid = prepaid;
    this.#surcharges = surcharges;
  }

  /** Scans the instructions in `[start, end)`. */
  scan(start: number, end: number): void {
    this.#reader.pos = start;
    this.#reader.limit = end;
    this.regions.clear();
    this.switches.clear();
    this.edits.clear();
    this.turnArms.length = 0;
    this.calls =
      this.tailCalls =
      this.catches =
      this.tryTable =
      this.charged =
        false;
    this.loops = 0;
    this.#flow.begin();
    this.edits.push(start, Edit.enter, this.#flow.region);
    this.#instructions();
    if (this.#reader.pos !== end) {
      this.#reader.fail("function body has bytes behind its end");
    }
  }

  #instructions(): void {
    const instruction = this.#instruction;
    const flow = this.#flow;
    const lookups = this.#surcharges.lookupUnits > 0;
    this.#lookup.reset();
    for (;;) {
      instruction.next();
      if (lookups && this.#lookup.found(instruction)) {
        this.#lookupEdit();
      }
      if (SPECIAL[instruction.opcode] === 0) flow.charge(1);
      else if (this.#special(instruction.opcode)) return;
    }
  }

  /** Returns true at the end of the function. */
  #special(opcode: number): boolean {
    switch (opcode) {
      case Op.nop:
        break;
      case Op.block:
        this.#open(Construct.block);
        break;
      case Op.loop:
        this.#loop();
        break;
      case Op.if:
        this.#flow.charge(1);
        this.#open(Construct.if);
        this.#regionEdit();
        break;
      case Op.else:
        this.#checkOpen(opcode);
        this.#flow.nextArm(Construct.else);
        this.#regionEdit();
        break;
      case Op.end:
        if (this.#flow.depth === 0) return true;
        this.#close();
        break;
      case Op.br:
      case Op.brIf:
      case Op.brOnNull:
      case Op.brOnNonNull:
        this.#branch(opcode);
        break;
      case Op.brTable:
        this.#switch();
        break;
      case Op.globalSet:
        this.#flow.charge(1);
        if (this.#instruction.immediate === this.#stackPointer) {
          this.#editBefore(Edit.setStackPointer);
        }
        break;
      case Op.i64Store:
        this.#flow.charge(1 + this.#surcharges.wideStoreUnits);
        break;
      case Op.f64Mul:
      case Op.f64Div:
        this.#flow.charge(1 + this.#surcharges.floatUnits);
        break;
      case Op.memorySize:
        this.#flow.charge(1);
        this.#editBefore(Edit.memorySize);
        break;
      case Op.memoryGrow:
        this.#flow.charge(1);
        this.#lengthEdit(Edit.chargePages);
        break;
      case Op.prefixMisc:
        this.#flow.charge(1);
        this.#misc();
        break;
      default:
        this.#callOrException(opcode);
    }
    return false;
  }

  #callOrException(opcode: number): void {
    switch (opcode) {
      case Op.call:
        this.#prepay();
        this.#call();
        break;
      case Op.callIndirect:
      case Op.callRef:
        this.#call();
        break;
      case Op.returnCall:
        this.#prepay();
        this.tailCalls = true;
        this.#leave(Edit.tailCall);
        break;
      case Op.returnCallIndirect:
      case Op.returnCallRef:
        this.tailCalls = true;
        this.#leave(Edit.tailCall);
        break;
      case Op.return:
        this.#return();
        break;
      case Op.unreachable:
      case Op.throw:
      case Op.rethrow:
      case Op.throwRef:
        this.#leave(undefined);
        break;
      case Op.try:
        this.edits.push(this.#instruction.start, Edit.enterTry, 0);
        this.#open(Construct.try);
        break;
      case Op.catch:
      case Op.catchAll:
        this.#checkOpen(opcode);
        this.#flow.nextArm(Construct.try);
        this.catches = true;
        this.edits.push(this.#reader.pos, Edit.enterCatch, 0);
        this.#regionEdit();
        break;
      case Op.delegate:
        this.#checkOpen(opcode);
        this.#close();
        break;
      case Op.tryTable:
        // The labels of the catch clauses count from outside the construct.
        this.tryTable = true;
        this.#catchLabels();
        this.#open(Construct.block);
        break;
      default:
        this.#reader.fail(
          `unknown opcode ${hex(opcode)}`,
          this.#instruction.start,
        );
    }
  }

  #call(): void {
    this.#flow.charge(1);
    this.#flow.call();
    this.calls = true;
  }

  #prepay(): void {
    this.#flow.charge(this.#prepaid[this.#instruction.immediate] ?? 0);
  }

  #open(kind: number): void {
    if (this.#flow.depth >= MAX_NESTING) {
      this.#reader.fail(`blocks are nested more than ${MAX_NESTING} deep`, this.#instruction.start);
    }
    this.#flow.open(kind, !this.#instruction.plainBlock);
  }

  #loop(): void {
    this.loops++;
    this.#open(Construct.loop);
    if (!this.#flow.dead) {
      this.edits.push(this.#reader.pos, Edit.charge, this.#flow.region);
    }
  }

  #switch(): void {
    this.#flow.charge(1);
    this.#checkLabel(this.#flow.switch(this.#instruction.labels));
    const { turnArm } = this.#flow;
    if (turnArm !== undefined) {
      this.charged = true;
      this.edits.push(this.#instruction.start, Edit.turnArm, this.turnArms.length);
      this.turnArms.push(turnArm);
    }
    this.#flow.stop();
  }

  #branch(opcode: number): void {
    this.#flow.charge(1);
    this.#checkLabel(this.#flow.branch(this.#instruction.immediate));
    if (opcode === Op.br) {
      this.#flow.stop();
    } else {
      this.#flow.split();
      this.#regionEdit();
    }
  }

  #catchLabels(): void {
    for (const label of this.#instruction.labels) this.#checkLabel(this.#flow.branch(label));
  }

  #checkLabel(exists: boolean): void {
    if (!exists) {
      this.#reader.fail("branch to a label that does not exist", this.#instruction.start);
    }
  }

  #return(): void {
    this.#flow.charge(1);
    this.#flow.branch(this.#flow.depth);
    this.edits.push(this.#instruction.start, Edit.return, this.#flow.depth);
    this.#flow.stop();
  }

  #leave(edit: number | undefined): void {
    this.#flow.charge(1);
    if (edit !== undefined) this.#editBefore(edit);
    this.#flow.leave();
  }

  #close(): void {
    const before = this.regions.length;
    this.#flow.close();
    if (this.regions.length > before) this.#regionEdit();
  }

  #misc(): void {
    switch (this.#instruction.sub) {
      case Misc.memoryInit:
      case Misc.memoryCopy:
      case Misc.memoryFill:
        this.#lengthEdit(Edit.chargeBytes);
        break;
      case Misc.tableInit:
      case Misc.tableCopy:
      case Misc.tableGrow:
      case Misc.tableFill:
        this.#lengthEdit(Edit.chargeElements);
        break;
      default:
    }
  }

  #lengthEdit(kind: number): void {
    if (this.#flow.dead) return;
    this.charged = true;
    this.#editBefore(kind);
  }

  #lookupEdit(): void {
    if (this.#flow.dead) return;
    this.charged = true;
    this.edits.push(this.#lookup.position, Edit.chargeLookup, 0);
  }

  #editBefore(kind: number): void {
    this.edits.push(this.#instruction.start, kind, 0);
  }

  /** The current region begins after the instruction just read. */
  #regionEdit(): void {
    if (!this.#flow.dead) {
      this.edits.push(this.#reader.pos, Edit.charge, this.#flow.region);
    }
  }

  #checkOpen(opcode: number): void {
    if (this.#flow.depth === 0) {
      this.#reader.fail(
        `opcode ${hex(opcode)} outside a block`,
        this.#instruction.start,
      );
    }
  }
}
