/**
 * Limits of V8 that a valid module can exceed once code has been added to it.
 * Source: `src/wasm/wasm-limits.h` of V8.
 *
 * @module
 */

export const MAX_TYPES = 1_000_000;
export const MAX_GLOBALS = 1_000_000;
export const MAX_EXPORTS = 1_000_000;
/** Parameters and locals of one function. */
export const MAX_LOCALS = 50_000;
/** Bytes of one function body. */
export const MAX_BODY_BYTES = 7_654_321;
