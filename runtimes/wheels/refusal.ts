/**
 * Why a command about wheels cannot do what it was asked for.
 *
 * @module
 */

/** The message says what is wrong and what to do; it may have several lines. */
export class WheelsRefused extends Error {
  override readonly name: string = "WheelsRefused";
}
