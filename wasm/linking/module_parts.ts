/**
 * The parts of a module that the linker needs, besides those that the meter reads: names and types of
 * imports, initial values of globals, and the segments of tables and memories.
 *
 * @module
 */
import {
  ByteReader,
  Extern,
  InstructionReader,
  type Limits,
  type ModuleLayout,
  Op,
  readLayout,
  readLimits,
  SectionId,
  skipValueType,
  Type,
} from "@belljar/wasm-metering/binary";
import { type DylinkInfo, readDylink } from "./dylink_section.ts";

/** Offsets `[from, to)` in the bytes of a module. */
export type Range = readonly [from: number, to: number];

/** An import. */
export interface Import {
  readonly module: string;
  readonly name: string;
  /** Kind of import (`Extern`). */
  readonly kind: number;
  /** For functions and tags, the index of the type; for globals, the first byte of the value type. */
  readonly type: number;
}

/** An element segment: functions for a table. */
export interface ElementSegment {
  /** Start of an active segment in its table: a constant expression. */
  readonly offset: Range | undefined;
  readonly functions: readonly number[];
}

/** A data segment: bytes for a memory. */
export interface DataSegment {
  /** Start of an active segment in memory: a constant expression. */
  readonly offset: Range | undefined;
  readonly bytes: Range;
}

/** A defined table. */
export interface DefinedTable {
  readonly type: number;
  readonly limits: Limits;
}

/** The parts of a module. */
export interface ModuleParts {
  readonly bytes: Uint8Array;
  readonly layout: ModuleLayout;
  readonly functionImports: readonly Import[];
  readonly globalImports: readonly Import[];
  readonly tagImports: readonly Import[];
  /** Imported tables and memories. */
  readonly otherImports: readonly Import[];
  readonly tables: readonly DefinedTable[];
  /** Type index of each defined tag. */
  readonly tags: readonly number[];
  /** Initial value of each defined global: a constant expression. */
  readonly initialValues: readonly Range[];
  readonly elements: readonly ElementSegment[];
  readonly data: readonly DataSegment[];
  /** The function that is called at instantiation. */
  readonly start: number | undefined;
  readonly dylink: DylinkInfo | undefined;
}

/** Kinds of segments, as flags. */
const PASSIVE = 1;
const EXPLICIT_INDEX = 2;
const MAX_ELEMENT_FLAGS = 3;

/** Reads a module. Throws a MeterError when it is malformed. */
export function readParts(bytes: Uint8Array): ModuleParts {
  return new PartsReader(bytes).read();
}

class PartsReader {
  readonly #reader: ByteReader;
  readonly #imports: Import[] = [];
  readonly #tables: DefinedTable[] = [];
  readonly #tags: number[] = [];
  readonly #initialValues: Range[] = [];
  readonly #elements: ElementSegment[] = [];
  readonly #data: DataSegment[] = [];
  #start: number | undefined;

  constructor(bytes: Uint8Array) {
    this.#reader = new ByteReader(bytes);
  }

  read(): ModuleParts {
    const { bytes } = this.#reader;
    const layout = readLayout(bytes);
    for (const section of layout.sections) {
      this.#reader.pos = section.start;
      this.#reader.limit = section.end;
      this.#readSection(section.id);
    }
    const kindsOf = (...kinds: readonly number[]) =>
      this.#imports.filter(({ kind }) => kinds.includes(kind));
    return {
      bytes,
      layout,
      functionImports: kindsOf(Extern.function),
      globalImports: kindsOf(Extern.global),
      tagImports: kindsOf(Extern.tag),
      otherImports: kindsOf(Extern.table, Extern.memory),
      tables: this.#tables,
      tags: this.#tags,
      initialValues: this.#initialValues,
      elements: this.#elements,
      data: this.#data,
      start: this.#start,
      dylink: readDylink(bytes, layout.sections),
    };
  }

  #readSection(id: number): void {
    const reader = this.#reader;
    switch (id) {
      case SectionId.import:
        return this.#each(() => this.#imports.push(this.#readImport()));
      case SectionId.table:
        return this.#each(() => {
          if (reader.u8() === Type.empty) {
            reader.fail("table with an initial value", reader.pos - 1);
          }
          reader.pos--;
          const type = skipValueType(reader);
          this.#tables.push({ type, limits: readLimits(reader, "table") });
        });
      case SectionId.tag:
        return this.#each(() => {
          reader.u8();
          this.#tags.push(reader.u32());
        });
      case SectionId.global:
        return this.#each(() => {
          skipValueType(reader);
          reader.u8();
          this.#initialValues.push(this.#expression());
        });
      case SectionId.start:
        this.#start = reader.u32();
        return;
      case SectionId.element:
        return this.#each(() => this.#elements.push(this.#readElement()));
      case SectionId.data:
        return this.#each(() => this.#data.push(this.#readData()));
      default:
    }
  }

  #each(read: () => void): void {
    const count = this.#reader.count("entries");
    for (let i = 0; i < count; i++) read();
  }

  #readImport(): Import {
    const reader = this.#reader;
    const module = reader.name();
    const name = reader.name();
    const kind = reader.u8();
    return { module, name, kind, type: this.#importType(kind) };
  }

  #importType(kind: number): number {
    const reader = this.#reader;
    switch (kind) {
      case Extern.tag:
        reader.u8();
        return reader.u32();
      case Extern.global: {
        const type = skipValueType(reader);
        reader.u8();
        return type;
      }
      case Extern.table:
        skipValueType(reader);
        readLimits(reader, "table");
        return 0;
      case Extern.memory:
        readLimits(reader, "memory");
        return 0;
      default:
        return reader.u32();
    }
  }

  #readElement(): ElementSegment {
    const reader = this.#reader;
    const start = reader.pos;
    const flags = reader.u32();
    if (flags > MAX_ELEMENT_FLAGS) reader.fail(`element segment of kind ${flags}`, start);
    if (flags === EXPLICIT_INDEX && reader.u32() !== 0) {
      reader.fail("element segment for a second table", start);
    }
    const offset = (flags & PASSIVE) === 0 ? this.#expression() : undefined;
    if (flags !== 0 && reader.u8() !== 0) reader.fail("element segment of another type", start);
    const functions: number[] = [];
    this.#each(() => functions.push(reader.u32()));
    return { offset, functions };
  }

  #readData(): DataSegment {
    const reader = this.#reader;
    const start = reader.pos;
    const flags = reader.u32();
    if (flags > EXPLICIT_INDEX) reader.fail(`data segment of kind ${flags}`, start);
    if (flags === EXPLICIT_INDEX && reader.u32() !== 0) {
      reader.fail("data segment for a second memory", start);
    }
    const offset = flags === PASSIVE ? undefined : this.#expression();
    const length = reader.u32();
    const from = reader.pos;
    reader.skip(length);
    return { offset, bytes: [from, reader.pos] };
  }

  #expression(): Range {
    const from = this.#reader.pos;
    const instruction = new InstructionReader(this.#reader);
    do instruction.next(); while (instruction.opcode !== Op.end);
    return [from, this.#reader.pos];
  }
}
