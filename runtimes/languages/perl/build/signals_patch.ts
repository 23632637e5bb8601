/**
 * Lets an alarm interrupt a program that computes. Perl was built for a system without signals, but
 * it still has the parts that deliver one: a word that says that a signal is pending, which it
 * checks wherever a program can be interrupted; a function that it then calls; and a function that
 * calls the handler. In this build the first function only clears the word. The patch makes it
 * check whether the remaining fuel means that the alarm is due, and then call the handler. While no
 * alarm is set the word is zero, so there is no extra cost.
 *
 * A handler can die and can use `eval`: Perl's stack is then unwound and rewound. The inserted code
 * supports that, because nothing follows its last call, and the code before that call is skipped
 * during rewinding.
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
import { Op, Type } from "../../../../wasm/metering/opcodes.ts";
import { BUFFER, IN_BUFFER, PENDING_SIGNAL } from "../host/added_parts.ts";

const I64_LOAD = 0x29;
const I32_EQZ = 0x45;
const I32_LT_S = 0x48;
const I32_OR = 0x72;
const I32_SHL = 0x74;
const NO_LOCALS = 0;

const LOAD = [Op.i32Load, 2, 0];
const STORE = [Op.i32Store, 2, 0];
/** Maximum number of signals that Perl holds back. */
const MAX_PENDING = [Op.i32Const, 0xf7, 0];
const NO_HANDLER = 'SIG%s handler "%2p" not defined.\n';

/** An unused function: `() -> ()`. Its body has enough space for the inserted code. */
const RING = "zeroperl_shutdown";

/** The count of pending signals goes up by one. */
const COUNTING = [
  ...[...ADDRESS, ...ADDRESS, ...LOAD, Op.localTee, ANY, Op.i32Const, 1, Op.i32Add],
  ...[Op.localTee, ANY, ...STORE, Op.localGet, ANY, ...MAX_PENDING, I32_LT_S],
];
/** The handler of a signal is looked up by its number. */
const LOOKUP = [
  ...[...ADDRESS, ...LOAD, Op.localGet, 0, Op.i32Const, 2, I32_SHL, Op.i32Add, ...LOAD],
  ...[Op.localTee, ANY, I32_EQZ, Op.localSet, ANY],
];

function addressAt(patch: ModulePatch, place: number): number[] {
  return [...patch.bytes.subarray(place, place + ADDRESS.length)];
}

/** The address of something in the buffer, as a constant. */
export function inBuffer(patch: ModulePatch, distance: number): number[] {
  const code = patch.code(BUFFER);
  if (code.length !== ADDRESS.length || code[0] !== Op.i32Const) {
    throw new ModulePatchError(`${BUFFER} does something else`);
  }
  const address = code.slice(1).reduce((sum, byte, at) => sum + (byte & 0x7f) * 2 ** (7 * at), 0);
  return [Op.i32Const, ...encodeIndex(address + distance)];
}

/** Applies the patch. */
export function ringAlarms(patch: ModulePatch): void {
  const pending = addressAt(patch, patch.findOne(COUNTING, "the count of pending signals"));
  const clearing = [NO_LOCALS, ...pending, Op.i32Const, 0, ...STORE, Op.end];
  const cleared = patch.findOne(clearing, "the delivery of signals");
  const complaint = [Op.i32Const, ...encodeIndex(patch.addressOf(NO_HANDLER))];
  const callHandler = patch.callOf(patch.findOne(complaint, "the handler of a signal"));
  const handlers = addressAt(patch, patch.findOne(LOOKUP, "the handlers of signals"));
  const unwinding = patch.code("asyncify_get_state");

  patch.replaceBody(PENDING_SIGNAL, pending);
  patch.overwrite(cleared + 1, clearing.length - 2, patch.call(RING));
  patch.replaceBody(RING, [
    ...[Op.globalGet, ...encodeIndex(patch.fuelGlobal)],
    ...[...inBuffer(patch, IN_BUFFER.alarm), I64_LOAD, 3, 0, Op.i64LtS],
    ...[...unwinding, I32_OR, Op.if, Type.empty],
    ...[...unwinding, I32_EQZ, Op.if, Type.empty],
    ...[...pending, Op.i32Const, 0, ...STORE],
    ...[...handlers, ...LOAD, ...inBuffer(patch, IN_BUFFER.alarmHandler), ...LOAD, ...STORE],
    ...[Op.end, Op.i32Const, 0, ...callHandler, Op.end],
  ]);
}
