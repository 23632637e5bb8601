/**
 * Fuel for work that is not a guest's.
 *
 * @module
 */

/** Enough for the engine's own work: boots, resets, the driver. */
export const UNLIMITED_FUEL: bigint = 1n << 61n;
