/**
 * The start function that LLVM's linker writes into a side module. It sets globals to addresses and
 * clears memory. Isolates run no start function, because their memory comes from an image. Therefore
 * the build evaluates it, and the globals become constants.
 *
 * @module
 */
import {
  ByteReader,
  type FunctionBody,
  hex,
  InstructionReader,
  Misc,
  Op,
  readBodies,
  SectionId,
} from "@belljar/wasm-metering/binary";
import { LinkError } from "./link_error.ts";
import { NOT_MAPPED, type PlacedSide } from "./placement.ts";

/** The bodies of a module's functions. */
export function bodiesOf({ parts }: PlacedSide): readonly FunctionBody[] {
  const { bytes, layout } = parts;
  const section = layout.sections.find(({ id }) => id === SectionId.code);
  if (section === undefined) return [];
  return readBodies(new ByteReader(bytes, section.start, section.end), layout.functionTypes.length);
}

/** Evaluates the start function of a side module, if it has one. Throws a LinkError or a MeterError. */
export function evaluateStart(side: PlacedSide): void {
  const { start } = side.parts;
  if (start !== undefined) new StartFunction(side).evaluate(start);
  checkGlobals(side);
}

/** Refuses mutable globals of a side module: no image and no snapshot would hold their state. */
function checkGlobals({ parts, globalMap, module: { label } }: PlacedSide): void {
  const imported = parts.globalImports.length;
  parts.layout.globals.forEach(({ mutable }, index) => {
    if (index >= imported && mutable && globalMap[index] !== NOT_MAPPED) {
      throw new LinkError(`${label} keeps state in a global of its own`);
    }
  });
}

class StartFunction {
  readonly #side: PlacedSide;
  readonly #bodies: readonly FunctionBody[];
  readonly #stack: number[] = [];

  constructor(side: PlacedSide) {
    this.#side = side;
    this.#bodies = bodiesOf(side);
  }

  evaluate(index: number): void {
    const { parts, done } = this.#side;
    const body = this.#bodies[index - parts.layout.importedFunctions];
    if (body === undefined || done.has(index)) this.#refuse("a call");
    done.add(index);
    const reader = new ByteReader(parts.bytes, body.start, body.end);
    if (reader.u8() !== 0) this.#refuse("locals");
    const instruction = new InstructionReader(reader);
    for (;;) {
      instruction.next();
      if (instruction.opcode === Op.end) return;
      this.#step(instruction);
    }
  }

  #step({ opcode, sub, immediate }: InstructionReader): void {
    const { constants, globalMap, parts } = this.#side;
    switch (opcode) {
      case Op.i32Const:
        this.#stack.push(immediate);
        return;
      case Op.i32Add:
        this.#stack.push((this.#pop() + this.#pop()) | 0);
        return;
      case Op.call:
        return this.evaluate(immediate);
      case Op.globalGet:
        if (globalMap[immediate] !== NOT_MAPPED) this.#refuse("a global");
        this.#stack.push(constants[immediate] ?? 0);
        return;
      case Op.globalSet:
        if (immediate < parts.globalImports.length) this.#refuse("a global");
        constants[immediate] = this.#pop();
        globalMap[immediate] = NOT_MAPPED;
        return;
      default:
        if (opcode === Op.prefixMisc && sub === Misc.memoryFill) return this.#fill();
        this.#refuse(`the instruction ${hex(opcode)}`);
    }
  }

  /** Accepts clearing the module's own memory, which is zero already. Refuses other fills. */
  #fill(): void {
    const { memoryBase, dylink } = this.#side;
    const [length, value, at] = [this.#pop() >>> 0, this.#pop(), this.#pop() >>> 0];
    const isOwn = at >= memoryBase && at + length <= memoryBase + dylink.memoryBytes;
    if (value !== 0 || !isOwn) this.#refuse("memory that it fills");
  }

  #pop(): number {
    return this.#stack.pop() ?? this.#refuse("a value that is not there");
  }

  #refuse(what: string): never {
    throw new LinkError(`${this.#side.module.label} has a start function with ${what}`);
  }
}
