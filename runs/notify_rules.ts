/**
 * Where runs may be told.
 *
 * @module
 */
import type { CallFields } from "../client/protocol/types.ts";
import { validationFailed } from "../shared/errors.ts";

/** Whether the operator allows a URL for notifications. Absent: the operator allows none. */
export type MayNotify = ((url: URL) => boolean) | undefined;

/**
 * Checks where a run is to be told.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` when the operator does not allow it
 */
export function checkNotify(mayNotify: MayNotify, { notify }: CallFields = {}): void {
  if (notify === undefined) return;
  if (mayNotify === undefined) {
    throw validationFailed("notify is switched off: the operator has set no NOTIFY_HOSTS");
  }
  if (!mayNotify(new URL(notify.url))) {
    throw validationFailed("notify.url is not at a host that the operator allows");
  }
}
