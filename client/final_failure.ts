/**
 * A failure after which a call is never tried again: that of a caller's callback, and
 * that of a run that had begun.
 *
 * @module
 */

/** Carries an error to the caller, unchanged by code that wraps errors or repeats calls. */
export class FinalFailure extends Error {
  override readonly name = "FinalFailure";
  /** The error for the caller. */
  readonly thrown: unknown;

  constructor(thrown: unknown) {
    super("The call has failed for good");
    this.thrown = thrown;
  }
}
