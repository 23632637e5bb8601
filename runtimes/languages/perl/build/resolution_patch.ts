/**
 * Gives Perl a second method resolution order, C3. Perl calls the function of a class's order to
 * get the class's linearization. The module has no such function for C3, so a function that calls
 * the host is added to its table.
 *
 * An error from the host is thrown here, as the last step, and the host is not called again when
 * Perl's stack is rewound, so an error handler may use `eval`.
 *
 * @module
 */
import {
  ANY,
  encodeIndex,
  type ModulePatch,
  ModulePatchError,
} from "../../../../wasm/metering/module_patch.ts";
import { Op, Type } from "../../../../wasm/metering/opcodes.ts";
import { RESOLVE, RESOLVE_C3, RESOLVE_ELEMENT } from "../host/added_parts.ts";
import { inBuffer } from "./signals_patch.ts";

const I32_EQZ = 0x45;

const RECURSION = "Recursive inheritance detected in package '%2p'";

/** Applies the patch. */
export function resolveMethods(patch: ModulePatch): void {
  const message = [Op.i32Const, ...encodeIndex(patch.addressOf(RECURSION))];
  const complaint = [...message, Op.localGet, ANY, Op.call, ANY, ANY];
  const at = patch.findOne(complaint, "the complaint of a recursion");
  const die = [...patch.bytes.subarray(at + complaint.length - 3, at + complaint.length)];
  const ask = patch.callImport("call_host_function");
  const unwinding = patch.code("asyncify_get_state");
  patch.replaceBody(RESOLVE, [
    ...[Op.block, Type.empty, ...unwinding, Op.brIf, 0],
    ...[Op.i32Const, ...encodeIndex(RESOLVE_C3), Op.localGet, 0, Op.localGet, 1, ...ask],
    ...[Op.localTee, 0, I32_EQZ, Op.brIf, 0, Op.localGet, 0, Op.return, Op.end],
    ...[...inBuffer(patch, 0), Op.i32Const, 0, ...die, Op.i32Const, 0],
  ]);
  const element = patch.addTableElement();
  if (element !== RESOLVE_ELEMENT) {
    throw new ModulePatchError(`the table has ${element} elements`);
  }
}
