/**
 * Fuel that is no guest's.
 *
 * @module
 */

/** Enough for anything that an engine runs for itself: boots, resets, the driver's own work. */
export const UNLIMITED_FUEL: bigint = 1n << 61n;
