/**
 * Writes the linked module: each section holds the interpreter's entries, then those that the side
 * modules add.
 *
 * @module
 */
import {
  ByteReader,
  ByteWriter,
  Extern,
  Op,
  PREAMBLE_BYTES,
  readLocals,
  type Section,
  SectionId,
  Type,
  WASM_PAGE_BYTES,
} from "@belljar/wasm-metering/binary";
import type { FunctionTable } from "./function_table.ts";
import type { HeapBase } from "./heap_base.ts";
import { InstructionCopier } from "./instruction_copier.ts";
import { LinkError, workOn } from "./link_error.ts";
import type { ModuleParts, Range } from "./module_parts.ts";
import { NOT_MAPPED, type PlacedSide, type Placement } from "./placement.ts";
import { bodiesOf } from "./start_function.ts";
import type { Symbols } from "./symbols.ts";

/** An added export. */
export interface AddedExport {
  readonly name: string;
  /** Index of the function. */
  readonly index: number;
}

/** The parts that the module is written from. */
export interface LinkedParts {
  readonly main: ModuleParts;
  readonly placement: Placement;
  readonly symbols: Symbols;
  readonly table: FunctionTable;
  readonly exports: readonly AddedExport[];
  /** Start of the heap in the linked module, and the address of the word that holds it. */
  readonly heap: HeapBase;
}

const EXTENDED = [
  SectionId.type,
  SectionId.function,
  SectionId.tag,
  SectionId.global,
  SectionId.export,
  SectionId.element,
  SectionId.code,
  SectionId.data,
] as const;
const WORD_BYTES = 4;
const PLAIN_TAG = 0;
/** The body of a function that is never called. It has no locals and traps. */
const NO_BODY = [3, 0, Op.unreachable, Op.end];

/** Writes the module. Throws a LinkError. */
export function writeLinked(parts: LinkedParts): Uint8Array<ArrayBuffer> {
  return new LinkedWriter(parts).write();
}

function writeConstant(out: ByteWriter, value: number): void {
  out.u8(Op.i32Const);
  out.s32(value);
  out.u8(Op.end);
}

class LinkedWriter {
  readonly #parts: LinkedParts;
  readonly #sides: readonly PlacedSide[];

  constructor(parts: LinkedParts) {
    this.#parts = parts;
    this.#sides = parts.placement.sides;
  }

  write(): Uint8Array<ArrayBuffer> {
    const { bytes, layout: { sections } } = this.#parts.main;
    for (const id of EXTENDED) {
      if (!sections.some((section) => section.id === id)) {
        throw new LinkError(`The interpreter has no section ${id}`);
      }
    }
    const added = this.#sides.reduce((sum, { parts }) => sum + parts.bytes.length, 0);
    const out = new ByteWriter(bytes.length + added);
    out.copy(bytes, 0, PREAMBLE_BYTES);
    const hasCount = sections.some(({ id }) => id === SectionId.dataCount);
    for (const section of sections) {
      if (section.id === SectionId.code && !hasCount) this.#writeDataCount(out);
      this.#writeSection(section, out);
    }
    return out.toBytes();
  }

  /** Writes the count of data segments. Its section comes directly before the code. */
  #writeDataCount(out: ByteWriter): void {
    const content = new ByteWriter();
    content.u32(this.#dataCount);
    this.#writeContent(SectionId.dataCount, content, out);
  }

  #writeSection(section: Section, out: ByteWriter): void {
    if (section.id === SectionId.dataCount) return this.#writeDataCount(out);
    const content = this.#contentOf(section);
    if (content !== undefined) this.#writeContent(section.id, content, out);
    else out.copy(this.#parts.main.bytes, section.header, section.end);
  }

  #writeContent(id: number, content: ByteWriter, out: ByteWriter): void {
    out.u8(id);
    out.u32(content.length);
    out.append(content);
  }

  /** The new content of a section; undefined when it stays unchanged. */
  #contentOf(section: Section): ByteWriter | undefined {
    switch (section.id) {
      case SectionId.type:
        return this.#types(section);
      case SectionId.function:
        return this.#functions(section);
      case SectionId.table:
        return this.#tables();
      case SectionId.memory:
        return this.#memory();
      case SectionId.tag:
        return this.#tags(section);
      case SectionId.global:
        return this.#globals(section);
      case SectionId.export:
        return this.#exports(section);
      case SectionId.element:
        return this.#elements(section);
      case SectionId.code:
        return this.#code(section);
      case SectionId.data:
        return this.#data(section);
      default:
        return undefined;
    }
  }

  /** The count of all entries of a section, added ones too, and then the interpreter's entries. */
  #extended({ start, end }: Section, added: number): ByteWriter {
    const { bytes } = this.#parts.main;
    const out = new ByteWriter(end - start);
    const reader = new ByteReader(bytes, start, end);
    out.u32(reader.u32() + added);
    out.copy(bytes, reader.pos, end);
    return out;
  }

  #count(of: (side: PlacedSide) => number): number {
    return this.#sides.reduce((sum, side) => sum + of(side), 0);
  }

  #types(section: Section): ByteWriter {
    const { addedTypes } = this.#parts.placement;
    const out = this.#extended(section, addedTypes.length);
    for (const signature of addedTypes) {
      out.u8(Type.function);
      out.copy(Uint8Array.from(signature.split(","), Number));
    }
    return out;
  }

  #functions(section: Section): ByteWriter {
    const { main: { layout }, placement: { functionTypes } } = this.#parts;
    const own = layout.importedFunctions + layout.functionTypes.length;
    const added = functionTypes.slice(own);
    const out = this.#extended(section, added.length);
    for (const type of added) out.u32(type);
    return out;
  }

  /** The function table is the first table. It can still grow by as much as before. */
  #tables(): ByteWriter {
    const { main: { bytes, tables }, table } = this.#parts;
    const out = new ByteWriter();
    out.u32(tables.length);
    tables.forEach(({ type, limits: { start, end, flags, minimum, maximum } }, index) => {
      out.u8(type);
      if (index > 0) return out.copy(bytes, start, end);
      out.u8(flags);
      out.u32(table.length);
      if (maximum !== undefined) out.u32(maximum - minimum + table.length);
    });
    return out;
  }

  #memory(): ByteWriter {
    const { main: { layout: { memories } }, heap: { base } } = this.#parts;
    const [memory] = memories;
    if (memory === undefined) throw new LinkError("The interpreter has no memory");
    const out = new ByteWriter();
    out.u32(1);
    out.u8(memory.flags);
    out.u32(Math.max(memory.minimum, Math.ceil(base / WASM_PAGE_BYTES)));
    if (memory.maximum !== undefined) out.u32(memory.maximum);
    return out;
  }

  #tags(section: Section): ByteWriter {
    const out = this.#extended(section, this.#count(({ parts }) => parts.tags.length));
    for (const { parts, typeMap } of this.#sides) {
      for (const type of parts.tags) {
        out.u8(PLAIN_TAG);
        out.u32(typeMap[type] ?? NOT_MAPPED);
      }
    }
    return out;
  }

  #globals(section: Section): ByteWriter {
    const out = this.#extended(section, this.#count(({ parts }) => parts.initialValues.length));
    for (const side of this.#sides) {
      const { globalImports, initialValues, layout } = side.parts;
      initialValues.forEach((range, index) => {
        out.u8(layout.globals[globalImports.length + index]?.type ?? Type.i32);
        out.u8(0); // immutable: the others have become constants
        this.#expression(side, range, out);
      });
    }
    return out;
  }

  #expression(side: PlacedSide, [from, to]: Range, out: ByteWriter): void {
    workOn(side.module.label, () => new InstructionCopier(side, out).copy(from, to));
  }

  #exports(section: Section): ByteWriter {
    const { exports } = this.#parts;
    const out = this.#extended(section, exports.length);
    for (const { name, index } of exports) {
      out.name(name);
      out.u8(Extern.function);
      out.u32(index);
    }
    return out;
  }

  /** Keeps active segments only: no instruction reads the others. */
  #elements(section: Section): ByteWriter {
    const { symbols, table } = this.#parts;
    const segments = this.#count(({ parts }) => parts.elements.length);
    const added = table.added.length > 0 ? 1 : 0;
    const out = this.#extended(section, segments + added);
    for (const side of this.#sides) {
      for (const { offset, functions } of side.parts.elements) {
        // Kind 3 declares the functions that `ref.func` may name.
        out.u32(offset === undefined ? 3 : 0);
        if (offset === undefined) out.u8(0);
        else writeConstant(out, symbols.offsetOf(side, offset));
        out.u32(functions.length);
        for (const index of functions) out.u32(side.functionMap[index] ?? NOT_MAPPED);
      }
    }
    if (added > 0) {
      out.u32(0);
      writeConstant(out, table.end);
      out.u32(table.added.length);
      for (const index of table.added) out.u32(index);
    }
    return out;
  }

  #code(section: Section): ByteWriter {
    const out = this.#extended(
      section,
      this.#count(({ parts }) => parts.layout.functionTypes.length),
    );
    for (const side of this.#sides) workOn(side.module.label, () => this.#codeOf(side, out));
    return out;
  }

  #codeOf(side: PlacedSide, out: ByteWriter): void {
    const { parts: { bytes, layout }, done } = side;
    const body = new ByteWriter(WASM_PAGE_BYTES);
    const copier = new InstructionCopier(side, body);
    bodiesOf(side).forEach(({ start, end }, position) => {
      if (done.has(layout.importedFunctions + position)) {
        for (const byte of NO_BODY) out.u8(byte);
        return;
      }
      const type = layout.types[layout.functionTypes[position] ?? 0];
      const locals = readLocals(new ByteReader(bytes, start, end), type?.parameters ?? 0);
      body.clear();
      body.copy(bytes, start, locals.end);
      copier.copy(locals.end, end);
      out.u32(body.length);
      out.append(body);
    });
  }

  get #dataCount(): number {
    return this.#parts.main.data.length + this.#count(({ parts }) => parts.data.length) + 1;
  }

  #data(section: Section): ByteWriter {
    const { heap } = this.#parts;
    const out = this.#extended(section, this.#dataCount - this.#parts.main.data.length);
    for (const side of this.#sides) this.#dataOf(side, out);
    out.u32(0);
    writeConstant(out, heap.wordAt);
    out.u32(WORD_BYTES);
    for (const shift of [0, 8, 16, 24]) out.u8((heap.base >>> shift) & 0xff);
    return out;
  }

  /** Writes the data of the side modules. Each may write only to its own region. */
  #dataOf(side: PlacedSide, out: ByteWriter): void {
    const { parts, memoryBase, dylink, module: { label } } = side;
    for (const { offset, bytes: [from, to] } of parts.data) {
      out.u32(offset === undefined ? 1 : 0);
      if (offset !== undefined) {
        const at = this.#parts.symbols.offsetOf(side, offset);
        if (at < memoryBase || at + to - from > memoryBase + dylink.memoryBytes) {
          throw new LinkError(`${label} has data outside of its region of memory`);
        }
        writeConstant(out, at);
      }
      out.u32(to - from);
      out.copy(parts.bytes, from, to);
    }
  }
}
