/**
 * Which functions can be called other than by a direct call.
 *
 * @module
 */
import { ByteReader } from "./byte_reader.ts";
import { InstructionReader } from "./instruction_reader.ts";
import type { ModuleLayout } from "./module_layout.ts";
import { Extern, Op, SectionId } from "./opcodes.ts";
import { skipValueType } from "./value_type.ts";

// Bits of the flags of an element segment.
const PASSIVE_OR_DECLARED = 1;
const EXPLICIT = 2;
const EXPRESSIONS = 4;

/**
 * Finds the functions that can be called other than by a direct call in the code: those the host
 * can name (exports, the start function) and those a table or a reference can hold (element
 * segments, `ref.func` outside the code section). The result has a 1 for each such function, by
 * index.
 */
export function findReferences(source: Uint8Array, layout: ModuleLayout): Uint8Array {
  const referenced = new Uint8Array(layout.importedFunctions + layout.functionTypes.length);
  for (const index of layout.exports.get(Extern.function)?.keys() ?? []) referenced[index] = 1;
  for (const section of layout.sections) {
    const reader = new ByteReader(source, section.start, section.end);
    if (section.id === SectionId.start) referenced[reader.u32()] = 1;
    else if (section.id === SectionId.element) new ElementReader(reader, referenced).read();
  }
  for (const index of layout.initialReferences) referenced[index] = 1;
  return referenced;
}

class ElementReader {
  readonly #reader: ByteReader;
  readonly #referenced: Uint8Array;
  readonly #instruction: InstructionReader;

  constructor(reader: ByteReader, referenced: Uint8Array) {
    this.#reader = reader;
    this.#referenced = referenced;
    this.#instruction = new InstructionReader(reader);
  }

  read(): void {
    const segments = this.#reader.count("element segments");
    for (let i = 0; i < segments; i++) this.#segment();
  }

  #segment(): void {
    const reader = this.#reader;
    const start = reader.pos;
    const flags = reader.u32();
    if (flags > 7) reader.fail(`unknown flags ${flags} of an element segment`, start);
    const active = (flags & PASSIVE_OR_DECLARED) === 0;
    if (active && (flags & EXPLICIT) !== 0) reader.u32();
    if (active) this.#expression();
    const expressions = (flags & EXPRESSIONS) !== 0;
    // Segments of the first form omit their element type.
    if ((flags & (PASSIVE_OR_DECLARED | EXPLICIT)) !== 0) {
      if (expressions) skipValueType(reader);
      else reader.u8();
    }
    const count = reader.count("elements");
    for (let i = 0; i < count; i++) {
      if (expressions) this.#expression();
      else this.#referenced[reader.u32()] = 1;
    }
  }

  #expression(): void {
    const instruction = this.#instruction;
    do {
      instruction.next();
      if (instruction.opcode === Op.refFunc) this.#referenced[instruction.immediate] = 1;
    } while (instruction.opcode !== Op.end);
  }
}
