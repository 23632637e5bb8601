/**
 * The failure of a call to a runtime on another machine.
 *
 * @module
 */

/** The runtime could not be called, or its answer cannot be used. The message is a fixed text. */
export class RemoteFailure extends Error {
  override readonly name = "RemoteFailure";
}
