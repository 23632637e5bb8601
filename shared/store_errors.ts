/**
 * The answers to callers when the store fails. A caller may retry only if it is certain that
 * nothing was done.
 *
 * @module
 */
import { retryAfter, ServiceError } from "./errors.ts";

/** Delay before a retry when the store does not answer, in milliseconds. */
const RETRY_AFTER_MS = 2_000;

/** The text for the callers of a store that cannot write. Its operator has to make room. */
const FULL_TEXT = "The store cannot write: its disk is full";

/**
 * The store did not answer, or could not write, and the call has no effect, so it may be retried. An operation in
 * flight may still arrive; it changes nothing that anybody reads.
 */
export class StoreUnavailable extends ServiceError<"OVERLOADED"> {
  /** Whether the operation was in flight, so that the store may still carry it out. */
  readonly sent: boolean;

  /** `sent`: whether the operation was in flight. `isFull`: whether the disk of the store is full. */
  constructor(sent: boolean, isFull = false) {
    super("OVERLOADED", isFull ? FULL_TEXT : "The store does not answer", {
      context: { limit: "store", retryAfterMs: RETRY_AFTER_MS },
      headers: retryAfter(RETRY_AFTER_MS),
    });
    this.sent = sent;
  }
}

/** The store did not answer the deciding operation: whether the call was done is not known. */
export class OutcomeUnknown extends ServiceError<"INTERNAL_ERROR"> {
  /** A fixed text. */
  constructor() {
    super("INTERNAL_ERROR", "The store did not answer in time: this may have been done, or not");
  }
}

/** Runs an operation that decides nothing: if its outcome is unknown, the call had no effect. */
export async function withoutDecision<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof OutcomeUnknown ? new StoreUnavailable(true) : thrown;
  }
}
