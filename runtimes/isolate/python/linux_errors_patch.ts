/**
 * Gives the interpreter Linux's error numbers. Its C library has an order of its own, and C code
 * is compiled against that, so a call must answer in it. There is one place where such a number
 * becomes Python's, `PyErr_SetFromErrnoWithFilenameObjects`, and one where a number becomes
 * text, `strerror`: both ask the host instead. In one place C code looks at the number that
 * Python has, to see whether a call was interrupted: it is given Linux's number to compare with.
 *
 * The host calls take the places of two imports of features that a sealed guest does not have.
 * Every change keeps its length, so nothing moves in the module.
 *
 * @module
 */
import { ByteReader } from "../metering/byte_reader.ts";
import { readBodies } from "../metering/code_section.ts";
import { type ModuleLayout, readLayout } from "../metering/module_layout.ts";
import { Extern, Op, SectionId } from "../metering/opcodes.ts";
import { ModuleBorderError } from "./cpython.ts";
import { ERROR_NUMBER_CALL, ERROR_TEXT_CALL } from "./host/error_calls.ts";

/** Imports that are renamed: of promises, and of the dynamic linker. */
const NUMBER_IMPORT = "emscripten_promise_create";
const TEXT_IMPORT = "_emscripten_lookup_name";
const EINTR = { linux: 4, libc: 27 };
/** Alignment and offset of a plain load of 32 bits. */
const LOAD_SUFFIX = [Op.i32Load, 2, 0];

interface Patch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly layout: ModuleLayout;
}

function encodeIndex(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...encodeIndex(value >>> 7)];
}

function isAt(bytes: Uint8Array, at: number, wanted: readonly number[]): boolean {
  return wanted.every((byte, index) => bytes[at + index] === byte);
}

/** The one place of a byte sequence in a range. */
function findOne(
  bytes: Uint8Array,
  range: { readonly start: number; readonly end: number },
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

function section({ layout }: Patch, id: number) {
  const found = layout.sections.find((item) => item.id === id);
  if (found === undefined) throw new ModuleBorderError(`The module has no section ${id}`);
  return found;
}

/** Place of an exported function's body in the module. */
function bodyOf(patch: Patch, name: string) {
  const { layout, bytes } = patch;
  const target = layout.exportsByName.get(name);
  const code = section(patch, SectionId.code);
  const reader = new ByteReader(bytes, code.start, code.end);
  const bodies = readBodies(reader, layout.functionTypes.length);
  const body = target?.kind === Extern.function
    ? bodies[target.index - layout.importedFunctions]
    : undefined;
  if (body === undefined) throw new ModuleBorderError(`The module exports no function ${name}`);
  return body;
}

/** Renames an import and gives its index; the new name is as long. */
function renameImport(patch: Patch, source: readonly string[], from: string, to: string): number {
  const index = source.indexOf(from);
  if (index < 0 || from.length !== to.length) {
    throw new ModuleBorderError(`The module imports no ${from}`);
  }
  const encoder = new TextEncoder();
  const at = findOne(
    patch.bytes,
    section(patch, SectionId.import),
    [from.length, ...encoder.encode(from)],
    `The import ${from}`,
  );
  patch.bytes.set(encoder.encode(to), at + 1);
  return index;
}

/** Writes code over code, filled up with instructions that do nothing. */
function overwrite({ bytes }: Patch, at: number, length: number, code: readonly number[]): void {
  if (code.length > length) throw new ModuleBorderError("The patch is longer than its place");
  bytes.fill(Op.nop, at, at + length);
  bytes.set(code, at);
}

/** The code that loads `errno`. */
function loadOfErrno(patch: Patch): number[] {
  const { start, end } = bodyOf(patch, "__errno_location");
  const code = [...patch.bytes.subarray(start, end)];
  if (code[0] !== 0 || code[1] !== Op.i32Const || code.at(-1) !== Op.end) {
    throw new ModuleBorderError("errno has no fixed address");
  }
  return [...code.slice(1, -1), ...LOAD_SUFFIX];
}

function indexOf({ layout }: Patch, name: string): number {
  const target = layout.exportsByName.get(name);
  if (target?.kind === Extern.function) return target.index;
  throw new ModuleBorderError(`The module exports no function ${name}`);
}

/** `_PyIO_trap_eintr`: clears the error, then compares its number with EINTR. */
function patchInterruptTest(patch: Patch): void {
  const compare = [Op.localGet, 2, Op.i32Const, EINTR.libc];
  const call = [Op.call, ...encodeIndex(indexOf(patch, "PyErr_Clear"))];
  const place = findOne(
    patch.bytes,
    section(patch, SectionId.code),
    [...call, ...compare],
    "The test for an interrupted call",
  );
  patch.bytes[place + call.length + compare.length - 1] = EINTR.linux;
}

/** The module with Linux's errors; to be done before it is metered. */
export function withLinuxErrors(source: Uint8Array): Uint8Array<ArrayBuffer> {
  const patch: Patch = { bytes: new Uint8Array(source), layout: readLayout(source) };
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(patch.bytes))
    .filter(({ kind }) => kind === "function").map(({ name }) => name);
  const numberCall = renameImport(patch, imports, NUMBER_IMPORT, ERROR_NUMBER_CALL);
  const textCall = renameImport(patch, imports, TEXT_IMPORT, ERROR_TEXT_CALL);
  const load = loadOfErrno(patch);
  const raiser = bodyOf(patch, "PyErr_SetFromErrnoWithFilenameObjects");
  const at = findOne(patch.bytes, raiser, load, "The load of errno");
  overwrite(patch, at, load.length, [Op.call, ...encodeIndex(numberCall)]);
  patchInterruptTest(patch);
  const text = bodyOf(patch, "strerror");
  const noLocals = 0;
  overwrite(patch, text.start, text.end - text.start - 1, [
    ...[noLocals, Op.localGet, 0, Op.call, ...encodeIndex(textCall)],
  ]);
  return patch.bytes;
}
