/**
 * Calls that a patch adds to the module: the Linux number and the text of an error.
 *
 * @module
 */
import type { GuestProcess } from "./guest_process.ts";
import { errorText, LINUX_ERRORS } from "../../../engine/linux_errors.ts";

/** The call for the C library's current error, as a Linux number. */
export const ERROR_NUMBER_CALL = "belljar_linux_errno_value";
/** The call for the text of a Linux error number: a pointer, valid until the next call. */
export const ERROR_TEXT_CALL = "belljar_strerror_static";
/** Fuel for either call. */
const CALL_FUEL = 9_000;
/** Bytes of the longest text, with its NUL. */
export const ERROR_TEXT_BYTES = 64;

const BY_LIBC: ReadonlyMap<number, number> = new Map(
  LINUX_ERRORS.map(({ number, emscripten }) => [emscripten, number]),
);

/** The calls by their import names. */
export function errorCalls(process: GuestProcess) {
  return {
    [ERROR_NUMBER_CALL]: () => {
      process.charge(CALL_FUEL);
      const libc = process.memory.i32(process.errorNumberAt());
      return BY_LIBC.get(libc) ?? libc;
    },
    [ERROR_TEXT_CALL]: (linux: number) => {
      process.charge(CALL_FUEL);
      process.memory.setText(process.errorTextAt, errorText(linux));
      return process.errorTextAt;
    },
  };
}
