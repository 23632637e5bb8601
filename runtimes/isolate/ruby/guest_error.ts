/**
 * Errors of Ruby guests that the driver cannot describe.
 *
 * @module
 */
import type { GuestError } from "../engine.ts";

/** What a program is told whose stack went deeper than could be unwound, and could not rescue. */
export const STACK_ERROR: GuestError = {
  name: "SystemStackError",
  message: "stack level too deep",
  traceback: [],
};

/** The driver itself failed: the guest broke the interpreter's own objects. */
export const UNDESCRIBED: GuestError = {
  name: "fatal",
  message: "The result could not be described",
  traceback: [],
};
