/**
 * How the shell's module is metered.
 *
 * @module
 */
import { MEMORY_BYTES } from "../../../../shared/limits.ts";
import { meterModule } from "../../../../wasm/metering/meter.ts";
import { WASM_PAGE_BYTES } from "../../../../wasm/metering/wasm_page.ts";

/** The module with fuel, padded frames and a bounded memory. */
export function meterShell(source: Uint8Array): Uint8Array<ArrayBuffer> {
  return meterModule(source, {
    maximumPages: MEMORY_BYTES.shell / WASM_PAGE_BYTES,
    ownSize: true,
    lookupUnits: 300,
    stackPadding: { global: "auto", base: 64, perLocal: 8 },
  }).bytes;
}
