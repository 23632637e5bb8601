/**
 * The packages that a release publishes.
 *
 * @module
 */

/** Their folders, in the order in which they are published. */
export const PACKAGES: readonly string[] = ["client", "wasm/metering", "wasm/linking"];
