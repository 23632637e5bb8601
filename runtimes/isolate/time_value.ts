/**
 * The moments that a date can be: ECMAScript's time values.
 *
 * @module
 */

/** No date is further from the epoch, before or after it, in milliseconds. */
export const MAX_TIME_MS = 8.64e15;
