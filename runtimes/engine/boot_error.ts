/**
 * The failure of a boot, in any language.
 *
 * @module
 */

/** An engine, or a module of it, did not start. The message holds its output. */
export class BootError extends Error {
  override name = "BootError";
}
