/**
 * How the Ruby module is metered.
 *
 * @module
 */
import { MEMORY_BYTES } from "../../../wire/limits.ts";
import { meterModule } from "../metering/meter.ts";
import { WASM_PAGE_BYTES } from "../wasm_page.ts";
import { moveUnwindBuffers } from "./asyncify_buffers.ts";
import { useUtf8Locale } from "./locale.ts";
import { UNWIND_PLACES } from "./ruby_abi.ts";

/** The module with fuel, padded frames, space to unwind, a bounded memory, and UTF-8. */
export function meterRuby(source: Uint8Array): Uint8Array<ArrayBuffer> {
  return meterModule(moveUnwindBuffers(useUtf8Locale(source), UNWIND_PLACES), {
    maximumPages: MEMORY_BYTES.ruby / WASM_PAGE_BYTES,
    lookupUnits: 400,
    unwindUnits: 7_000,
    stackPadding: { global: "auto", base: 64, perLocal: 8 },
  }).bytes;
}
