/**
 * Makes waits for locks virtual, as sleep is. All waits for a lock go through one function,
 * `_PySemaphore_Wait`, and no other thread can end them: with a timeout the wait is a sleep that
 * times out, without one it never ends. The patch makes the function ask the host, by the call that
 * the driver uses for sleep.
 *
 * @module
 */
import type { ModulePatch } from "../../../../wasm/metering/module_patch.ts";
import { Op } from "../../../../wasm/metering/opcodes.ts";
import { WAIT_CALL, WAIT_DESCRIPTOR } from "../host/driver_calls.ts";

/** Parameters of the function: the semaphore, and the timeout in nanoseconds or -1. */
const TIMEOUT = 1;
/** `Py_PARK_TIMEOUT`. */
const TIMED_OUT = -2;

/** A constant as instructions encode it: signed LEB128. */
function encodeSigned(value: number): number[] {
  const low = value & 0x7f;
  const rest = value >> 7;
  const isLast = (rest === 0 && low < 0x40) || (rest === -1 && low >= 0x40);
  return isLast ? [low] : [low | 0x80, ...encodeSigned(rest)];
}

/** Applies the patch. It must run before the module is metered. */
export function putVirtualWaits(patch: ModulePatch): void {
  patch.replaceBody("_PySemaphore_Wait", [
    ...[Op.i32Const, ...encodeSigned(WAIT_DESCRIPTOR), Op.localGet, TIMEOUT],
    ...[Op.i64Const, 0, Op.i32Const, 0],
    ...[...patch.callImport(WAIT_CALL), Op.drop],
    ...[Op.i32Const, ...encodeSigned(TIMED_OUT)],
  ]);
}
