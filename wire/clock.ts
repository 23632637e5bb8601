/**
 * Time is passed in: whoever needs the hour takes a {@link Clock}, so tests set it.
 *
 * @module
 */

/** Gives the present time in milliseconds since the epoch. */
export type Clock = () => number;

/** The present time as the contract writes dates: ISO-8601 in UTC, with milliseconds. */
export function isoTimestamp(clock: Clock): string {
  return new Date(clock()).toISOString();
}
