/**
 * The range of dates: ECMAScript's time values.
 *
 * @module
 */

/** The greatest distance of a date from the epoch, in either direction, in milliseconds. */
export const MAX_TIME_MS = 8.64e15;
