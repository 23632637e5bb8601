/**
 * Calls of the driver and the interpreter's locks to the host, disguised as `fadvise` on
 * descriptors that are never open.
 *
 * @module
 */
import { refused } from "./file_call.ts";
import type { GuestProcess } from "./guest_process.ts";

/** Import name of the call. */
export const WAIT_CALL = "__syscall_fadvise64";
/** Advice on it is a sleep; the offset is the duration in nanoseconds. */
const SLEEP_DESCRIPTOR = 0x7fff_5eed;
/** Advice on it fails while files other than the three streams are open. */
const OPEN_FILES_DESCRIPTOR = 0x7fff_5eee;
/** Advice on it is a wait that only time can end; a negative offset means forever. */
export const WAIT_DESCRIPTOR = 0x7fff_5eef;
/**
 * Advice on it sets the alarm; the offset is the time until it is due, the length the time between
 * later ones, in nanoseconds. 0 is none.
 */
const ALARM_DESCRIPTOR = 0x7fff_5ef0;
const LAST_STREAM = 2;
const NS_PER_MS = 1e6;
/** Fuel for a call. */
const CALL_FUEL = 5_000;

/** The call by its import name. */
export function driverCalls(process: GuestProcess) {
  return {
    [WAIT_CALL]: (descriptor: number, nanoseconds: bigint, length: bigint) => {
      process.charge(CALL_FUEL);
      if (descriptor === SLEEP_DESCRIPTOR) process.sleep(Number(nanoseconds) / NS_PER_MS);
      if (descriptor === WAIT_DESCRIPTOR) {
        process.sleep(nanoseconds < 0n ? Infinity : Number(nanoseconds) / NS_PER_MS);
      }
      if (descriptor === ALARM_DESCRIPTOR) {
        process.alarm.set(Number(nanoseconds) / NS_PER_MS, Number(length) / NS_PER_MS);
      }
      if (descriptor !== OPEN_FILES_DESCRIPTOR) return 0;
      const { descriptors } = process.files;
      return descriptors.numbers().some((number) => number > LAST_STREAM) ? refused("EBUSY") : 0;
    },
  };
}
