/**
 * How the Ruby module is metered.
 *
 * @module
 */
import { MEMORY_BYTES } from "../../../wire/limits.ts";
import { copyForNormalState } from "../metering/asyncify_copies.ts";
import { meterModule } from "../metering/meter.ts";
import { WASM_PAGE_BYTES } from "../wasm_page.ts";
import { moveUnwindBuffers } from "./asyncify_buffers.ts";
import { frequentFunctions } from "./frequent_functions.ts";
import { useUtf8Locale } from "./locale.ts";
import { UNWIND_PLACES } from "./ruby_abi.ts";

/**
 * The module with fuel, padded frames, space to unwind, a bounded memory, and UTF-8; without the
 * cost of rewinding where programs call most.
 */
export function meterRuby(source: Uint8Array): Uint8Array<ArrayBuffer> {
  const frequent = frequentFunctions();
  const { bytes, copies } = copyForNormalState(
    moveUnwindBuffers(useUtf8Locale(source), UNWIND_PLACES),
    (index) => frequent.has(index),
  );
  return meterModule(bytes, {
    copies,
    maximumPages: MEMORY_BYTES.ruby / WASM_PAGE_BYTES,
    lookupUnits: 400,
    unwindUnits: 7_000,
    stackPadding: { global: "auto", base: 64, perLocal: 8 },
  }).bytes;
}
