/**
 * Gives Perl Linux's error numbers. Its C library has its own numbers, and C code is compiled with
 * them, so calls must return them. A number becomes a value in one place (reading `$!`), a value
 * becomes a number in two (setting `$!` and `$^E`), and a number becomes text in two. The patch
 * makes these places use the tables of `error_tables.ts`.
 *
 * The inserted code calls functions that are exported for embedding programs and are otherwise
 * unused: their bodies are replaced.
 *
 * @module
 */
import {
  ADDRESS,
  ANY,
  encodeIndex,
  type ModulePatch,
  ModulePatchError,
} from "../../../../wasm/metering/module_patch.ts";
import { Op } from "../../../../wasm/metering/opcodes.ts";
import { BUFFER } from "../host/added_parts.ts";
import { POINTER_OFFSET, TABLE } from "./error_tables.ts";

/** Opcodes that are used only here. */
const I32_AND = 0x71;
const I32_SHL = 0x74;
const I32_LOAD8_U = 0x2d;
const I32_LOAD16_U = 0x2f;
const I64_STORE32 = 0x3e;
const I32_WRAP_I64 = 0xa7;
const I32_LE_U = 0x4d;
const F64_CONVERT_I32_S = 0xb7;

/** Functions whose bodies are replaced: `() -> i32`, `(i32) -> i32`, `(i32) -> ()`. */
const READ_ERRNO = "zeroperl_can_evaluate";
const TO_LINUX = "zeroperl_is_undef";
const SET_ERRNO = "zeroperl_set_host_error";

const LOAD = [Op.i32Load, 2, 0];

/** `errno` is loaded, stored, and converted to a Perl number. */
const READING = [...ADDRESS, ...LOAD, Op.localTee, ANY, F64_CONVERT_I32_S, Op.localSet, ANY];
/** The text of a number up to 76, through a table of offsets. */
const TELLING = [
  ...[Op.localGet, 0, Op.i32Const, 0, Op.localGet, 0, Op.i32Const, 0xcc, 0, I32_LE_U, Op.select],
  ...[Op.i32Const, 1, I32_SHL, ...ADDRESS, Op.i32Add, I32_LOAD16_U, 1, 0, ...ADDRESS, Op.i32Add],
];

/** A number below 256, from the top of the stack. */
const MASK = [Op.i32Const, 0xff, 0x01, I32_AND];

/** The code that loads the pointer to the tables. */
function loadTables(patch: ModulePatch): number[] {
  const address = patch.code(BUFFER);
  if (address.length !== ADDRESS.length || address[0] !== Op.i32Const) {
    throw new ModulePatchError(`${BUFFER} does something else`);
  }
  return [...address, Op.i32Load, 2, ...encodeIndex(POINTER_OFFSET)];
}

/** Applies the patch. */
export function putLinuxErrors(patch: ModulePatch): void {
  const { bytes } = patch;
  const reading = patch.findOne(READING, "the reading of $!");
  const errno = [...bytes.subarray(reading, reading + ADDRESS.length)];
  const [kept = 0, , , set = 0] = bytes.subarray(reading + ADDRESS.length + LOAD.length + 1);
  const setting = [...errno, Op.localGet, ANY, I64_STORE32, 2, 0];
  const settings = patch.find(setting, 2, "the setting of $! and $^E");
  const tellings = patch.find(TELLING, 2, "the text of an error");
  const tables = loadTables(patch);

  patch.replaceBody(READ_ERRNO, [...errno, ...LOAD]);
  patch.replaceBody(TO_LINUX, [
    ...[...tables, Op.localGet, 0, ...MASK, Op.i32Add, I32_LOAD8_U, 0],
    ...encodeIndex(TABLE.toLinux),
  ]);
  patch.replaceBody(SET_ERRNO, [
    ...[...errno, ...tables, Op.localGet, 0, ...MASK, Op.i32Add, I32_LOAD8_U, 0],
    ...[...encodeIndex(TABLE.fromLinux), Op.i32Store, 2, 0],
  ]);
  patch.overwrite(reading, READING.length, [
    ...[...patch.call(READ_ERRNO), Op.localTee, kept, ...patch.call(TO_LINUX)],
    ...[F64_CONVERT_I32_S, Op.localSet, set],
  ]);
  for (const at of settings) {
    const local = bytes[at + errno.length + 1] ?? 0;
    const code = [Op.localGet, local, I32_WRAP_I64, ...patch.call(SET_ERRNO)];
    patch.overwrite(at, setting.length, code);
  }
  for (const at of tellings) {
    patch.overwrite(at, TELLING.length, [
      ...[...tables, Op.localGet, 0, ...MASK, Op.i32Const, 2, I32_SHL, Op.i32Add],
      ...[Op.i32Load, 2, ...encodeIndex(TABLE.texts)],
    ]);
  }
}
