/**
 * Errors of Ruby guests that the driver cannot describe.
 *
 * @module
 */
import type { GuestError } from "../../../engine/engine.ts";

/** A frame of the submitted program. */
const OWN_FRAME = /^main\.rb:([1-9]\d*):/;

/** The error of a program whose stack was too deep to be unwound, and which could not rescue it. */
export function stackError(traceback: readonly string[]): GuestError {
  const line = traceback.map((frame) => OWN_FRAME.exec(frame)?.[1]).find((digits) => digits);
  return {
    name: "SystemStackError",
    message: "stack level too deep",
    traceback,
    ...(line === undefined ? {} : { lineNumber: Number(line) }),
  };
}

/** The driver itself failed: the guest broke the interpreter's own objects. */
export const UNDESCRIBED: GuestError = {
  name: "fatal",
  message: "The result could not be described",
  traceback: [],
};
