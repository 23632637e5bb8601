/**
 * The parts of a module that the rewriter needs before the code: types, index spaces, exports.
 *
 * @module
 */
import { ByteReader } from "./byte_reader.ts";
import { InstructionReader } from "./instruction_reader.ts";
import { type Limits, readLimits } from "./limits.ts";
import { Extern, hex, Op, SectionId, Type } from "./opcodes.ts";
import { readSections, type Section } from "./sections.ts";
import { skipValueType } from "./value_type.ts";

export interface FunctionType {
  readonly parameters: number;
  readonly results: number;
  /** Equal for types with equal parameters and results. */
  readonly signature: string;
  /** The result types as they are encoded. */
  readonly resultBytes: Uint8Array;
}

export interface GlobalVariable {
  /** First byte of the value type. */
  readonly type: number;
  readonly mutable: boolean;
  /** Field name of an imported global. */
  readonly importedAs: string | undefined;
}

export interface ExportTarget {
  /** Kind of export (`Extern`). */
  readonly kind: number;
  readonly index: number;
}

/**
 * The parts of a module that the rewriter needs before the code. Index spaces include the imports.
 */
export interface ModuleLayout {
  readonly sections: readonly Section[];
  readonly types: readonly FunctionType[];
  readonly importedFunctions: number;
  /** Type index of each defined function. */
  readonly functionTypes: readonly number[];
  readonly globals: readonly GlobalVariable[];
  readonly tables: number;
  readonly memories: readonly Limits[];
  /** Functions that globals and tables refer to from the start. */
  readonly initialReferences: readonly number[];
  readonly exportsByName: ReadonlyMap<string, ExportTarget>;
  /** Exported indexes by kind (`Extern`), with one name each. */
  readonly exports: ReadonlyMap<number, ReadonlyMap<number, string>>;
}

export function readLayout(source: Uint8Array): ModuleLayout {
  return new LayoutReader(source).read();
}

class LayoutReader {
  readonly #reader: ByteReader;
  readonly #types: FunctionType[] = [];
  readonly #functionTypes: number[] = [];
  readonly #globals: GlobalVariable[] = [];
  readonly #memories: Limits[] = [];
  readonly #initialReferences: number[] = [];
  readonly #exportsByName = new Map<string, ExportTarget>();
  readonly #exports = new Map<number, Map<number, string>>();
  #importedFunctions = 0;
  #tables = 0;

  constructor(source: Uint8Array) {
    this.#reader = new ByteReader(source);
  }

  read(): ModuleLayout {
    const reader = this.#reader;
    const sections = readSections(reader);
    for (const section of sections) {
      reader.pos = section.start;
      reader.limit = section.end;
      if (this.#readSection(section.id) && reader.pos !== section.end) {
        reader.fail(`section ${section.id} has bytes behind its last entry`);
      }
    }
    return {
      sections,
      types: this.#types,
      importedFunctions: this.#importedFunctions,
      functionTypes: this.#functionTypes,
      globals: this.#globals,
      tables: this.#tables,
      memories: this.#memories,
      initialReferences: this.#initialReferences,
      exportsByName: this.#exportsByName,
      exports: this.#exports,
    };
  }

  /** Returns false for sections that are skipped. */
  #readSection(id: number): boolean {
    switch (id) {
      case SectionId.type:
        this.#each("types", () => this.#readType());
        return true;
      case SectionId.import:
        this.#each("imports", () => this.#readImport());
        return true;
      case SectionId.function:
        this.#each(
          "functions",
          () => this.#functionTypes.push(this.#typeIndex()),
        );
        return true;
      case SectionId.table:
        this.#each("tables", () => this.#readTable());
        return true;
      case SectionId.memory:
        this.#each(
          "memories",
          () => this.#memories.push(readLimits(this.#reader, "memory")),
        );
        return true;
      case SectionId.global:
        this.#each("globals", () => {
          this.#readGlobalType(undefined);
          this.#skipConstantExpression();
        });
        return true;
      case SectionId.export:
        this.#each("exports", () => this.#readExport());
        return true;
      case SectionId.custom:
        this.#reader.name();
        return false;
      default:
        return false;
    }
  }

  #each(what: string, read: () => void): void {
    const count = this.#reader.count(what);
    for (let i = 0; i < count; i++) read();
  }

  #readType(): void {
    const reader = this.#reader;
    const form = reader.u8();
    if (form !== Type.function) {
      reader.fail(`GC type ${hex(form)} is not supported`, reader.pos - 1);
    }
    const start = reader.pos;
    const parameters = reader.count("parameters");
    for (let i = 0; i < parameters; i++) skipValueType(reader);
    const results = reader.count("results");
    const from = reader.pos;
    for (let i = 0; i < results; i++) skipValueType(reader);
    const signature = reader.bytes.subarray(start, reader.pos).join();
    this.#types.push({
      signature,
      parameters,
      results,
      resultBytes: reader.bytes.subarray(from, reader.pos),
    });
  }

  #typeIndex(): number {
    const start = this.#reader.pos;
    const index = this.#reader.u32();
    if (index >= this.#types.length) {
      this.#reader.fail(`type ${index} does not exist`, start);
    }
    return index;
  }

  #readImport(): void {
    const reader = this.#reader;
    reader.name();
    const field = reader.name();
    const kind = reader.u8();
    switch (kind) {
      case Extern.function:
        this.#typeIndex();
        this.#importedFunctions++;
        return;
      case Extern.table:
        skipValueType(reader);
        readLimits(reader, "table");
        this.#tables++;
        return;
      case Extern.memory:
        this.#memories.push(readLimits(reader, "memory"));
        return;
      case Extern.global:
        return this.#readGlobalType(field);
      case Extern.tag:
        reader.u8();
        this.#typeIndex();
        return;
      default:
        reader.fail(`unknown kind of import ${kind}`, reader.pos - 1);
    }
  }

  #readTable(): void {
    const reader = this.#reader;
    const first = reader.u8();
    // 0x40 0x00 announces a table with an initial value.
    const initialised = first === Type.empty;
    if (initialised) reader.skip(1);
    else reader.pos--;
    skipValueType(reader);
    readLimits(reader, "table");
    if (initialised) this.#skipConstantExpression();
    this.#tables++;
  }

  #readGlobalType(importedAs: string | undefined): void {
    const reader = this.#reader;
    const type = skipValueType(reader);
    const mutability = reader.u8();
    if (mutability > 1) {
      reader.fail(`unknown flags ${mutability} of a global`, reader.pos - 1);
    }
    this.#globals.push({ type, mutable: mutability === 1, importedAs });
  }

  #skipConstantExpression(): void {
    const instruction = new InstructionReader(this.#reader);
    do {
      instruction.next();
      if (instruction.opcode === Op.refFunc) this.#initialReferences.push(instruction.immediate);
    } while (instruction.opcode !== Op.end);
  }

  #readExport(): void {
    const reader = this.#reader;
    const name = reader.name();
    const kind = reader.u8();
    if (kind > Extern.tag) {
      reader.fail(`unknown kind of export ${kind}`, reader.pos - 1);
    }
    const index = reader.u32();
    this.#exportsByName.set(name, { kind, index });
    const indexes = this.#exports.get(kind) ?? new Map<number, string>();
    if (!indexes.has(index)) indexes.set(index, name);
    this.#exports.set(kind, indexes);
  }
}
