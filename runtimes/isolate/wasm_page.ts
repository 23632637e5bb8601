/**
 * The unit in which WebAssembly counts memory.
 *
 * @module
 */

/** Bytes of a page. */
export const WASM_PAGE_BYTES = 65_536;
