/**
 * The error of metering.
 *
 * @module
 */

/**
 * A module the rewriter cannot meter: it is malformed, or it uses a feature outside the supported
 * set. The message names what is wrong and, where there is one, the byte offset in the source.
 */
export class MeterError extends Error {
  override readonly name = "MeterError";
  /** Byte offset in the source module, when the fault has a position. */
  readonly offset: number | undefined;

  constructor(message: string, offset?: number) {
    super(offset === undefined ? message : `${message} at byte ${offset}`);
    this.offset = offset;
  }
}
