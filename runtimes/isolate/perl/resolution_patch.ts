/**
 * Gives Perl a second order in which methods are looked up, C3: Perl asks the function that a
 * class's order names for the class's linearization. The module has no such function for C3, so one
 * is put in its table that asks the host.
 *
 * An error of the host's is thrown here. Nothing follows that, and the host is not asked again when
 * Perl's stack is wound up, so a handler of errors may evaluate.
 *
 * @module
 */
import { ANY, encodeIndex, type ModulePatch, ModulePatchError } from "../metering/module_patch.ts";
import { Op, Type } from "../metering/opcodes.ts";
import { RESOLVE, RESOLVE_C3, RESOLVE_ELEMENT } from "./added_parts.ts";
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
