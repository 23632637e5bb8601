/**
 * Gives the interpreter Linux's error numbers. Its C library has an order of its own, and C code
 * is compiled against that, so a call must answer in it. There is one place where such a number
 * becomes Python's, `PyErr_SetFromErrnoWithFilenameObjects`, and one where a number becomes
 * text, `strerror`: both ask the host instead. In one place C code looks at the number that
 * Python has, to see whether a call was interrupted: it is given Linux's number to compare with.
 *
 * The host calls take the places of two imports of features that a sealed guest does not have.
 *
 * @module
 */
import { Op, SectionId } from "../metering/opcodes.ts";
import { ModuleBorderError } from "./cpython.ts";
import { ERROR_NUMBER_CALL, ERROR_TEXT_CALL } from "./host/error_calls.ts";
import {
  bodyOf,
  encodeIndex,
  findOne,
  indexOf,
  indexOfImport,
  overwrite,
  type Patch,
  replaceBody,
  section,
  startPatch,
} from "./module_patch.ts";

/** Imports that are renamed: of promises, and of the dynamic linker. */
const NUMBER_IMPORT = "emscripten_promise_create";
const TEXT_IMPORT = "_emscripten_lookup_name";
const EINTR = { linux: 4, libc: 27 };
/** Alignment and offset of a plain load of 32 bits. */
const LOAD_SUFFIX = [Op.i32Load, 2, 0];

/** Renames an import and gives its index; the new name is as long. */
function renameImport(patch: Patch, from: string, to: string): number {
  const index = indexOfImport(patch, from);
  if (from.length !== to.length) throw new ModuleBorderError(`${to} is not as long as ${from}`);
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

/** The code that loads `errno`. */
function loadOfErrno(patch: Patch): number[] {
  const { start, end } = bodyOf(patch, "__errno_location");
  const code = [...patch.bytes.subarray(start, end)];
  if (code[0] !== 0 || code[1] !== Op.i32Const || code.at(-1) !== Op.end) {
    throw new ModuleBorderError("errno has no fixed address");
  }
  return [...code.slice(1, -1), ...LOAD_SUFFIX];
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

/** Puts Linux's errors in; to be done before the module is metered. */
export function putLinuxErrors(patch: Patch): void {
  const numberCall = renameImport(patch, NUMBER_IMPORT, ERROR_NUMBER_CALL);
  const textCall = renameImport(patch, TEXT_IMPORT, ERROR_TEXT_CALL);
  const load = loadOfErrno(patch);
  const raiser = bodyOf(patch, "PyErr_SetFromErrnoWithFilenameObjects");
  const at = findOne(patch.bytes, raiser, load, "The load of errno");
  overwrite(patch, at, load.length, [Op.call, ...encodeIndex(numberCall)]);
  patchInterruptTest(patch);
  replaceBody(patch, "strerror", [Op.localGet, 0, Op.call, ...encodeIndex(textCall)]);
}

/** A module with Linux's errors and no other change. */
export function withLinuxErrors(source: Uint8Array): Uint8Array<ArrayBuffer> {
  const patch = startPatch(source);
  putLinuxErrors(patch);
  return patch.bytes;
}
