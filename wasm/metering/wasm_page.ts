/**
 * The unit of WebAssembly memory.
 *
 * @module
 */

/** Bytes of a page. */
export const WASM_PAGE_BYTES = 65_536;
