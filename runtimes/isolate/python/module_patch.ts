/**
 * Changes a module's code where it stands. Every change keeps its length, so nothing moves.
 *
 * @module
 */
import { ByteReader } from "../metering/byte_reader.ts";
import { readBodies } from "../metering/code_section.ts";
import { type ModuleLayout, readLayout } from "../metering/module_layout.ts";
import { Extern, Op, SectionId } from "../metering/opcodes.ts";
import { ModuleBorderError } from "./cpython.ts";

/** A copy of a module that is being changed, and where its parts are. */
export interface Patch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly layout: ModuleLayout;
  /** Names of the imported functions, in their order. */
  readonly imports: readonly string[];
}

/** A range of the module's bytes. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Begins a change; the source stays as it is. */
export function startPatch(source: Uint8Array): Patch {
  const bytes = new Uint8Array(source);
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes))
    .filter(({ kind }) => kind === "function").map(({ name }) => name);
  return { bytes, layout: readLayout(source), imports };
}

/** An index as instructions hold it: LEB128. */
export function encodeIndex(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...encodeIndex(value >>> 7)];
}

function isAt(bytes: Uint8Array, at: number, wanted: readonly number[]): boolean {
  return wanted.every((byte, index) => bytes[at + index] === byte);
}

/** The one place of a byte sequence in a range. */
export function findOne(
  bytes: Uint8Array,
  range: Place,
  wanted: readonly number[],
  what: string,
): number {
  const places: number[] = [];
  for (let at = range.start; at + wanted.length <= range.end; at++) {
    if (isAt(bytes, at, wanted)) places.push(at);
  }
  const [place] = places;
  if (place === undefined || places.length > 1) {
    throw new ModuleBorderError(`${what} is there ${places.length} times, not once`);
  }
  return place;
}

/** A section of the module. */
export function section({ layout }: Patch, id: number): Place {
  const found = layout.sections.find((item) => item.id === id);
  if (found === undefined) throw new ModuleBorderError(`The module has no section ${id}`);
  return found;
}

/** Index of an exported function. */
export function indexOf({ layout }: Patch, name: string): number {
  const target = layout.exportsByName.get(name);
  if (target?.kind === Extern.function) return target.index;
  throw new ModuleBorderError(`The module exports no function ${name}`);
}

/** Index of an imported function. */
export function indexOfImport({ imports }: Patch, name: string): number {
  const index = imports.indexOf(name);
  if (index < 0) throw new ModuleBorderError(`The module imports no ${name}`);
  return index;
}

/** Place of an exported function's body in the module. */
export function bodyOf(patch: Patch, name: string): Place {
  const { layout, bytes } = patch;
  const code = section(patch, SectionId.code);
  const reader = new ByteReader(bytes, code.start, code.end);
  const bodies = readBodies(reader, layout.functionTypes.length);
  const body = bodies[indexOf(patch, name) - layout.importedFunctions];
  if (body === undefined) throw new ModuleBorderError(`The module has no code for ${name}`);
  return body;
}

/** Writes code over code, filled up with instructions that do nothing. */
export function overwrite(
  { bytes }: Patch,
  at: number,
  length: number,
  code: readonly number[],
): void {
  if (code.length > length) throw new ModuleBorderError("The patch is longer than its place");
  bytes.fill(Op.nop, at, at + length);
  bytes.set(code, at);
}

/** Gives an exported function other code, without locals. */
export function replaceBody(patch: Patch, name: string, code: readonly number[]): void {
  const { start, end } = bodyOf(patch, name);
  const noLocals = 0;
  overwrite(patch, start, end - start - 1, [noLocals, ...code]);
}
