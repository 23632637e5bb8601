/**
 * How the Ruby module is metered.
 *
 * @module
 */
import { MEMORY_BYTES } from "../../../../shared/limits.ts";
import { copyForNormalState } from "../../../../wasm/metering/asyncify_copies.ts";
import { meterModule } from "../../../../wasm/metering/meter.ts";
import { WASM_PAGE_BYTES } from "../../../../wasm/metering/wasm_page.ts";
import { passAlarms, ringAlarms } from "./alarm_patch.ts";
import { moveUnwindBuffers } from "./asyncify_buffers.ts";
import { hideEmbeddedFiles } from "./embedded_files.ts";
import { FREQUENT_FUNCTIONS } from "./frequent_functions.ts";
import { useUtf8Locale } from "./locale.ts";
import { UNWIND_PLACES } from "../host/ruby_abi.ts";

/** The module with space to unwind, with UTF-8, and without files of its own. */
export function patchedRuby(source: Uint8Array): Uint8Array<ArrayBuffer> {
  return passAlarms(
    moveUnwindBuffers(useUtf8Locale(hideEmbeddedFiles(source)), UNWIND_PLACES),
  );
}

/**
 * The module with these patches, fuel, padded frames and a bounded memory; without the cost of
 * rewinding in the functions that programs call most.
 */
export function meterRuby(source: Uint8Array): Uint8Array<ArrayBuffer> {
  const { bytes, copies } = copyForNormalState(patchedRuby(source), FREQUENT_FUNCTIONS);
  return meterModule(ringAlarms(bytes), {
    maximumPages: MEMORY_BYTES.ruby / WASM_PAGE_BYTES,
    ownSize: true,
    lookupUnits: 400,
    unwindUnits: 7_000,
    stackPadding: { global: "auto", base: 64, perLocal: 8 },
    copies,
  }).bytes;
}
