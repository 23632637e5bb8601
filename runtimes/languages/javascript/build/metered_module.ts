/**
 * How the QuickJS module is metered.
 *
 * @module
 */
import { meterModule } from "../../../../wasm/metering/meter.ts";
import { ModulePatch } from "../../../../wasm/metering/module_patch.ts";
import { MEMORY_BYTES } from "../../../../shared/limits.ts";
import { WASM_PAGE_BYTES } from "../../../../wasm/metering/wasm_page.ts";
import { shortenFromTheEnd } from "./array_length_patch.ts";
import { writePowersOfTwo } from "../host/number_text_patch.ts";

/** The module with its patches, fuel, padded frames and a bounded memory. */
export function meterQuickJs(
  source: Uint8Array,
  maximumPages: number = MEMORY_BYTES.javascript / WASM_PAGE_BYTES,
): Uint8Array<ArrayBuffer> {
  const patch = new ModulePatch(source);
  writePowersOfTwo(patch);
  shortenFromTheEnd(patch);
  return meterModule(patch.bytes, {
    floatUnits: 100,
    maximumPages,
    minimumPages: 1, // the image decides
    ownSize: true,
    lookupUnits: 1_500,
    stackPadding: { global: "auto" },
  }).bytes;
}
