/**
 * Changes the module's code where it stands, before it is metered. Every change keeps its length,
 * so nothing moves.
 *
 * @module
 */
import { ByteReader } from "../metering/byte_reader.ts";
import { type FunctionBody, readBodies } from "../metering/code_section.ts";
import { type ModuleLayout, readLayout } from "../metering/module_layout.ts";
import { Extern, Op, SectionId } from "../metering/opcodes.ts";
import { ZeroPerlAbiError } from "./zeroperl.ts";

/** Any byte, in a pattern. */
export const ANY = -1;
/** An address in the module's data, as `i32.const` has it. */
export const ADDRESS: readonly number[] = [Op.i32Const, ANY, ANY, ANY, ANY];

const NO_LOCALS = 0;

/** LEB128 of what is not negative. */
export function encodeIndex(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...encodeIndex(value >>> 7)];
}

/** A copy of a module that is being changed. */
export class ModulePatch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #layout: ModuleLayout;

  constructor(source: Uint8Array) {
    this.bytes = new Uint8Array(source);
    this.#layout = readLayout(source);
  }

  /** The places of a pattern in the code, of which there must be so many. */
  find(pattern: readonly number[], count: number, what: string): number[] {
    const { bytes } = this;
    const code = this.#section(SectionId.code);
    const [first = ANY] = pattern;
    const places: number[] = [];
    for (let at = bytes.indexOf(first, code.start); at >= 0; at = bytes.indexOf(first, at + 1)) {
      if (at + pattern.length > code.end) break;
      if (pattern.every((byte, index) => byte === ANY || bytes[at + index] === byte)) {
        places.push(at);
      }
    }
    if (places.length === count) return places;
    throw new ZeroPerlAbiError(`${what}: ${places.length} places, not ${count}`);
  }

  /** The code that calls an exported function. */
  call(name: string): number[] {
    return [Op.call, ...encodeIndex(this.#index(name))];
  }

  /** The instructions of an exported function that has no locals. */
  code(name: string): number[] {
    const { start, end } = this.#body(name);
    if (this.bytes[start] !== NO_LOCALS) throw new ZeroPerlAbiError(`${name} has locals`);
    return [...this.bytes.subarray(start + 1, end - 1)];
  }

  /** Gives an exported function other code, without locals. */
  replaceBody(name: string, code: readonly number[]): void {
    const { start, end } = this.#body(name);
    this.overwrite(start, end - start - 1, [NO_LOCALS, ...code]);
  }

  /** Writes code over code, filled up with instructions that do nothing. */
  overwrite(at: number, length: number, code: readonly number[]): void {
    if (code.length > length) throw new ZeroPerlAbiError("what is put in is longer than its place");
    this.bytes.fill(Op.nop, at, at + length);
    this.bytes.set(code, at);
  }

  /** Where in memory a text lies that ends with a zero, from the first segment of the data. */
  addressOf(text: string): number {
    const { start, end } = this.#section(SectionId.data);
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
    throw new ZeroPerlAbiError(`the module has no text "${text}"`);
  }

  #section(id: number): FunctionBody {
    const found = this.#layout.sections.find((section) => section.id === id);
    if (found === undefined) throw new ZeroPerlAbiError(`the module has no section ${id}`);
    return found;
  }

  #index(name: string): number {
    const target = this.#layout.exportsByName.get(name);
    if (target?.kind === Extern.function) return target.index;
    throw new ZeroPerlAbiError(`no function ${name}`);
  }

  #body(name: string): FunctionBody {
    const { start, end } = this.#section(SectionId.code);
    const reader = new ByteReader(this.bytes, start, end);
    const bodies = readBodies(reader, this.#layout.functionTypes.length);
    const body = bodies[this.#index(name) - this.#layout.importedFunctions];
    if (body === undefined) throw new ZeroPerlAbiError(`no code for ${name}`);
    return body;
  }
}
