/**
 * The error with which a command of the operator refuses to continue.
 *
 * @module
 */

/** The message says what is wrong and what to do. It may have several lines. */
export class CommandRefused extends Error {
  override readonly name: string = "CommandRefused";
}
