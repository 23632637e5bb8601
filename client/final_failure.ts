/**
 * A failure after which a call is not tried again, whatever it is: that of a caller's callback, and
 * that of a run that had begun.
 *
 * @module
 */

/** Carries what is thrown to the caller past everything that wraps or repeats. */
export class FinalFailure extends Error {
  override readonly name = "FinalFailure";
  /** What the caller gets. */
  readonly thrown: unknown;

  constructor(thrown: unknown) {
    super("The call has failed for good");
    this.thrown = thrown;
  }
}
