/**
 * The error of the experiments that search for QuickJS's structures.
 *
 * @module
 */

/** The package lays out its structures in a way that this code does not know. */
export class LayoutError extends Error {
  override name = "LayoutError";
}
