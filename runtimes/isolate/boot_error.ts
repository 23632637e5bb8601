/**
 * The failure of a boot, whatever the language.
 *
 * @module
 */

/** An engine, or what is loaded into it, did not start. The message holds its output. */
export class BootError extends Error {
  override name = "BootError";
}
