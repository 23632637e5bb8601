/**
 * Gives Python programs Linux's error numbers. The C library has its own numbers, and C code is
 * compiled with them, so calls must still answer with these. One function turns such a number into
 * Python's (`PyErr_SetFromErrnoWithFilenameObjects`) and one turns it into text (`strerror`): the
 * patch makes both ask the host. One more function compares Python's number, to find whether a call
 * was interrupted (`_PyIO_trap_eintr`): the patch makes it compare with Linux's number.
 *
 * The two host calls replace imports of features that a sealed guest does not have.
 *
 * @module
 */
import {
  encodeIndex,
  type ModulePatch,
  ModulePatchError,
} from "../../../../wasm/metering/module_patch.ts";
import { Op, SectionId } from "../../../../wasm/metering/opcodes.ts";
import { ERROR_NUMBER_CALL, ERROR_TEXT_CALL } from "../host/error_calls.ts";

/** The imports that are renamed: one of promises, one of the dynamic linker. */
const NUMBER_IMPORT = "emscripten_promise_create";
const TEXT_IMPORT = "_emscripten_lookup_name";
const EINTR = { linux: 4, libc: 27 };
/** Alignment and offset of a plain load of 32 bits. */
const LOAD_SUFFIX = [Op.i32Load, 2, 0];

/** Renames an import and returns its index. The new name must be as long as the old one. */
function renameImport(patch: ModulePatch, from: string, to: string): number {
  const index = patch.importIndex(from);
  if (from.length !== to.length) throw new ModulePatchError(`${to} is not as long as ${from}`);
  const encoder = new TextEncoder();
  const name = [from.length, ...encoder.encode(from)];
  const at = patch.findOne(name, `the import ${from}`, patch.section(SectionId.import));
  patch.bytes.set(encoder.encode(to), at + 1);
  return index;
}

/** The code that loads `errno`. */
function loadOfErrno(patch: ModulePatch): number[] {
  const address = patch.code("__errno_location");
  if (address[0] !== Op.i32Const) throw new ModulePatchError("errno has no fixed address");
  return [...address, ...LOAD_SUFFIX];
}

/** `_PyIO_trap_eintr`: clears the error, then compares its number with EINTR. */
function patchInterruptTest(patch: ModulePatch): void {
  const test = [...patch.call("PyErr_Clear"), Op.localGet, 2, Op.i32Const, EINTR.libc];
  const place = patch.findOne(test, "the test for an interrupted call");
  patch.bytes[place + test.length - 1] = EINTR.linux;
}

/** Applies the patch. It must run before the module is metered. */
export function putLinuxErrors(patch: ModulePatch): void {
  const numberCall = renameImport(patch, NUMBER_IMPORT, ERROR_NUMBER_CALL);
  const textCall = renameImport(patch, TEXT_IMPORT, ERROR_TEXT_CALL);
  const load = loadOfErrno(patch);
  const raiser = patch.body("PyErr_SetFromErrnoWithFilenameObjects");
  const at = patch.findOne(load, "the load of errno", raiser);
  patch.overwrite(at, load.length, [Op.call, ...encodeIndex(numberCall)]);
  patchInterruptTest(patch);
  patch.replaceBody("strerror", [Op.localGet, 0, Op.call, ...encodeIndex(textCall)]);
}
