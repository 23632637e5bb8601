/**
 * The maximum of a guest's memory, which the operator chooses: the metered module of a build, and of an
 * earlier one, gets it when it is loaded.
 *
 * @module
 */
import { withMaximumPages } from "../../wasm/metering/memory_maximum.ts";
import { WASM_PAGE_BYTES } from "../../wasm/metering/wasm_page.ts";

/** The module with a maximum of so many bytes, whole pages of 64 KiB. */
export function withMemoryOf(
  module: Uint8Array<ArrayBuffer>,
  memoryBytes: number,
): Uint8Array<ArrayBuffer> {
  return withMaximumPages(module, Math.floor(memoryBytes / WASM_PAGE_BYTES));
}
