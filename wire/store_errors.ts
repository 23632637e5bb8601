/**
 * What callers are answered when the store fails. Whether an answer invites to call again depends
 * on one question only: is it certain that nothing was done?
 *
 * @module
 */
import { retryAfter, ServiceError } from "./errors.ts";

/** When to come again to a store that does not answer, in milliseconds. */
const RETRY_AFTER_MS = 2_000;

/**
 * The store did not answer, and nothing of what was asked counts: the call may be made again. What
 * was on its way may still arrive; it changes nothing that anybody reads.
 */
export class StoreUnavailable extends ServiceError<"OVERLOADED"> {
  /** Whether the operation was on its way, so that the store may do it still. */
  readonly sent: boolean;

  /** `sent`: the operation was on its way. */
  constructor(sent: boolean) {
    super("OVERLOADED", "The store does not answer", {
      context: { limit: "store", retryAfterMs: RETRY_AFTER_MS },
      headers: retryAfter(RETRY_AFTER_MS),
    });
    this.sent = sent;
  }
}

/** The store did not answer in the moment that decides: whether the call was done is not known. */
export class FateUnknown extends ServiceError<"INTERNAL_ERROR"> {
  /** A fixed text. */
  constructor() {
    super("INTERNAL_ERROR", "The store did not answer in time: this may have been done, or not");
  }
}

/** Does what decides nothing: when its fate is not known, nothing that counts was done. */
export async function decidingNothing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof FateUnknown ? new StoreUnavailable(true) : thrown;
  }
}
