/**
 * Time is passed in: code that needs the time takes a {@link Clock}, so that tests can set it.
 *
 * @module
 */

/** Returns the current time in milliseconds since the epoch. */
export type Clock = () => number;

/** The current time in the contract's format: ISO-8601 in UTC, with milliseconds. */
export function isoTimestamp(clock: Clock): string {
  return new Date(clock()).toISOString();
}
