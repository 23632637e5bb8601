/**
 * The failure of a boot, whatever the language.
 *
 * @module
 */

/** An interpreter, or what is loaded into it, did not start. The message holds what it said. */
export class BootError extends Error {
  override name = "BootError";
}
