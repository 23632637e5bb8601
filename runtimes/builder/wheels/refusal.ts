/**
 * The error with which a `wheels` command refuses to continue.
 *
 * @module
 */

/** The message says what is wrong and what to do. It may have several lines. */
export class WheelsRefused extends Error {
  override readonly name: string = "WheelsRefused";
}
