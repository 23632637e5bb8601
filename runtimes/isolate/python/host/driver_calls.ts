/**
 * What the driver has to say to the host, as pieces of advice on descriptors that are never open.
 *
 * @module
 */
import { refused } from "./file_call.ts";
import type { GuestProcess } from "./guest_process.ts";

/** Advice on it is a sleep; its offset is the length in nanoseconds. */
const SLEEP_DESCRIPTOR = 0x7fff_5eed;
/** Advice on it fails while files are open beside the three streams. */
const OPEN_FILES_DESCRIPTOR = 0x7fff_5eee;
const LAST_STREAM = 2;

/** The call by its import name. */
export function driverCalls(process: GuestProcess) {
  return {
    __syscall_fadvise64: (descriptor: number, nanoseconds: bigint) => {
      if (descriptor === SLEEP_DESCRIPTOR) process.sleep(Number(nanoseconds) / 1e6);
      if (descriptor !== OPEN_FILES_DESCRIPTOR) return 0;
      const { descriptors } = process.files;
      return descriptors.numbers().some((number) => number > LAST_STREAM) ? refused("EBUSY") : 0;
    },
  };
}
