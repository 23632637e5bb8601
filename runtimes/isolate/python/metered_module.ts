/**
 * How the CPython module is metered.
 *
 * @module
 */
import { MEMORY_BYTES } from "../../../wire/limits.ts";
import { meterModule } from "../metering/meter.ts";
import { ModulePatch } from "../metering/module_patch.ts";
import { WASM_PAGE_BYTES } from "../wasm_page.ts";
import { putLinuxErrors } from "./linux_errors_patch.ts";
import { putVirtualWaits } from "./virtual_waits_patch.ts";

/** The module with fuel, padded frames, a bounded memory, Linux's errors and virtual waits. */
export function meterCPython(source: Uint8Array): Uint8Array<ArrayBuffer> {
  const patch = new ModulePatch(source);
  putLinuxErrors(patch);
  putVirtualWaits(patch);
  return meterModule(patch.bytes, {
    maximumPages: MEMORY_BYTES.python / WASM_PAGE_BYTES,
    // The bytecode loop is one huge switch: larger ones would charge each turn for much that it
    // does not do, and an empty loop several times what other code pays for the same time.
    mergeMax: 16,
    mergeBudget: 32,
    wideStoreUnits: 15,
    stackPadding: { global: "auto", base: 64, perLocal: 8, exported: true },
  }).bytes;
}
