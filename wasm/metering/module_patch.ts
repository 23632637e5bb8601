/**
 * Changes a module in place, before it is metered. Every change keeps its length, so
 * nothing moves.
 *
 * @module
 */
import { ByteReader } from "./byte_reader.ts";
import { readBodies, readLocals } from "./code_section.ts";
import { InstructionReader } from "./instruction_reader.ts";
import { type ModuleLayout, readLayout } from "./module_layout.ts";
import { Extern, Op, SectionId, Type } from "./opcodes.ts";

/** The module does not match a change. */
export class ModulePatchError extends Error {
  override readonly name = "ModulePatchError";
}

/** A range of the module's bytes. */
export interface CodePosition {
  readonly start: number;
  readonly end: number;
}

/** Any byte, in a pattern. */
export const ANY = -1;
/** An address in the module's data, as `i32.const` has it. */
export const ADDRESS: readonly number[] = [Op.i32Const, ANY, ANY, ANY, ANY];

const NO_LOCALS = 0;

/** LEB128 of a number that is not negative. */
export function encodeIndex(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...encodeIndex(value >>> 7)];
}

/**
 * A copy of a module that is being changed. A lookup without a result throws a ModulePatchError.
 */
export class ModulePatch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #layout: ModuleLayout;
  #imports: readonly string[] | undefined;

  constructor(source: Uint8Array) {
    this.bytes = new Uint8Array(source);
    this.#layout = readLayout(source);
  }

  /** The positions of a pattern in the code. Throws unless there are `count`. */
  find(pattern: readonly number[], count: number, what: string): number[] {
    return this.#findIn(this.section(SectionId.code), pattern, count, what);
  }

  /** The only position of a pattern, in the code or in a part of the module. */
  findOne(pattern: readonly number[], what: string, within?: CodePosition): number {
    const [place = 0] = this.#findIn(within ?? this.section(SectionId.code), pattern, 1, what);
    return place;
  }

  /** The code that calls an exported function. */
  call(name: string): number[] {
    return [Op.call, ...encodeIndex(this.#index(name))];
  }

  /** The code that calls an imported function. */
  callImport(name: string): number[] {
    return [Op.call, ...encodeIndex(this.importIndex(name))];
  }

  /** The code that calls the function whose body contains an offset. */
  callOf(place: number): number[] {
    const bodies = this.#bodies();
    const index = bodies.findIndex(({ start, end }) => start <= place && place < end);
    if (index < 0) throw new ModulePatchError(`no function has code at ${place}`);
    return [Op.call, ...encodeIndex(this.#layout.importedFunctions + index)];
  }

  /** Index of the only function of the module with these parameters and results. */
  functionOfType(parameters: readonly number[], results: readonly number[]): number {
    const { types, functionTypes, importedFunctions } = this.#layout;
    const signature = [parameters.length, ...parameters, results.length, ...results].join();
    const found = [...functionTypes.keys()]
      .filter((at) => types[functionTypes[at] ?? -1]?.signature === signature);
    const [one = 0] = found;
    if (found.length === 1) return importedFunctions + one;
    throw new ModulePatchError(`${found.length} functions have the type ${signature}`);
  }

  /** Gives an exported function, which nothing calls, the type of another function. */
  retype(name: string, like: number): void {
    const { importedFunctions, functionTypes } = this.#layout;
    const { start, end } = this.section(SectionId.function);
    const reader = new ByteReader(this.bytes, start, end);
    const type = encodeIndex(functionTypes[like - importedFunctions] ?? 0);
    reader.u32(); // how many functions there are
    for (let at = importedFunctions; at < this.#index(name); at++) reader.u32();
    const from = reader.pos;
    reader.u32();
    if (reader.pos - from !== type.length) throw new ModulePatchError(`no place for a type`);
    this.bytes.set(type, from);
  }

  /** Makes the calls of one function calls of an exported one. Throws unless there are `count`. */
  redirectCalls(from: number, name: string, count: number): void {
    const call = [Op.call, ...encodeIndex(from)];
    const other = this.call(name);
    if (call.length !== other.length) throw new ModulePatchError(`no place for a call of ${name}`);
    const places = this.#bodies().flatMap((body) => this.#callsIn(body, call));
    if (places.length !== count) {
      throw new ModulePatchError(`${places.length} calls of function ${from}, not ${count}`);
    }
    for (const place of places) this.bytes.set(other, place);
  }

  /** The positions of an instruction in a function's code. */
  #callsIn(body: CodePosition, call: readonly number[]): number[] {
    const reader = new ByteReader(this.bytes, body.start, body.end);
    reader.pos = readLocals(reader, 0).end;
    const instructions = new InstructionReader(reader);
    const places: number[] = [];
    while (reader.pos < body.end) {
      instructions.next();
      const { start } = instructions;
      if (call.every((byte, index) => this.bytes[start + index] === byte)) places.push(start);
    }
    return places;
  }

  /** Index of the global that counts fuel, once the module is metered. */
  get fuelGlobal(): number {
    return this.#layout.globals.length;
  }

  /** Adds one element to the module's only table, and returns its index. */
  addTableElement(): number {
    const { start, end } = this.section(SectionId.table);
    const reader = new ByteReader(this.bytes, start, end);
    const isPlain = reader.u32() === 1 && reader.u8() === Type.funcref && reader.u8() === 1;
    const from = reader.pos;
    const [length, maximum] = [reader.u32(), reader.u32()];
    const longer = encodeIndex(length + 1);
    if (!isPlain || length !== maximum || 2 * longer.length !== reader.pos - from) {
      throw new ModulePatchError("the module's table is another");
    }
    this.bytes.set([...longer, ...longer], from);
    return length;
  }

  /** Index of an imported function, by its name in the source. */
  importIndex(name: string): number {
    this.#imports ??= WebAssembly.Module.imports(new WebAssembly.Module(this.bytes))
      .filter(({ kind }) => kind === "function").map((found) => found.name);
    const index = this.#imports.indexOf(name);
    if (index < 0) throw new ModulePatchError(`the module imports no ${name}`);
    return index;
  }

  /** The instructions of an exported function that has no locals. */
  code(name: string): number[] {
    const { start, end } = this.body(name);
    if (this.bytes[start] !== NO_LOCALS) throw new ModulePatchError(`${name} has locals`);
    return [...this.bytes.subarray(start + 1, end - 1)];
  }

  /** Replaces the code of an exported function, without locals. */
  replaceBody(name: string, code: readonly number[]): void {
    const { start, end } = this.body(name);
    this.overwrite(start, end - start - 1, [NO_LOCALS, ...code]);
  }

  /** Overwrites code, and pads the rest with `nop`. */
  overwrite(at: number, length: number, code: readonly number[]): void {
    if (code.length > length) {
      throw new ModulePatchError("the replacement is longer than its place");
    }
    this.bytes.fill(Op.nop, at, at + length);
    this.bytes.set(code, at);
  }

  /** Memory address of a zero-terminated text in the first data segment. */
  addressOf(text: string): number {
    const { start, end } = this.section(SectionId.data);
    const reader = new ByteReader(this.bytes, start, end);
    reader.u32(); // how many segments there are
    const isActive = reader.u32() === 0 && reader.u8() === Op.i32Const;
    const address = reader.s32();
    reader.u8();
    const length = reader.u32();
    const wanted = new TextEncoder().encode(`\0${text}\0`);
    const segment = this.bytes.subarray(reader.pos, reader.pos + length);
    for (let at = segment.indexOf(0); at >= 0 && isActive; at = segment.indexOf(0, at + 1)) {
      if (wanted.every((byte, index) => segment[at + index] === byte)) return address + at + 1;
    }
    throw new ModulePatchError(`the module has no text "${text}"`);
  }

  /** A section of the module. */
  section(id: number): CodePosition {
    const found = this.#layout.sections.find((section) => section.id === id);
    if (found === undefined) throw new ModulePatchError(`the module has no section ${id}`);
    return found;
  }

  /** The body of an exported function. */
  body(name: string): CodePosition {
    const body = this.#bodies()[this.#index(name) - this.#layout.importedFunctions];
    if (body === undefined) throw new ModulePatchError(`the module has no code for ${name}`);
    return body;
  }

  #bodies(): readonly CodePosition[] {
    const { start, end } = this.section(SectionId.code);
    const reader = new ByteReader(this.bytes, start, end);
    return readBodies(reader, this.#layout.functionTypes.length);
  }

  #findIn(
    { start, end }: CodePosition,
    pattern: readonly number[],
    count: number,
    what: string,
  ): number[] {
    const { bytes } = this;
    const [first = ANY] = pattern;
    const places: number[] = [];
    for (let at = bytes.indexOf(first, start); at >= 0; at = bytes.indexOf(first, at + 1)) {
      if (at + pattern.length > end) break;
      if (pattern.every((byte, index) => byte === ANY || bytes[at + index] === byte)) {
        places.push(at);
      }
    }
    if (places.length === count) return places;
    throw new ModulePatchError(`${what}: ${places.length} places, not ${count}`);
  }

  #index(name: string): number {
    const target = this.#layout.exportsByName.get(name);
    if (target?.kind === Extern.function) return target.index;
    throw new ModulePatchError(`the module exports no function ${name}`);
  }
}
