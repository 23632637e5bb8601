/**
 * What the experiments that look for QuickJS's structures throw.
 *
 * @module
 */

/** The package lays its structures out in a way this code does not know. */
export class LayoutError extends Error {
  override name = "LayoutError";
}
