/**
 * How the CPython module is metered.
 *
 * @module
 */
import { MEMORY_BYTES } from "../../../wire/limits.ts";
import { link, type LinkedModule } from "../linking/link.ts";
import type { SideModule } from "../linking/side_module.ts";
import { meterModule } from "../metering/meter.ts";
import { ModulePatch } from "../metering/module_patch.ts";
import { WASM_PAGE_BYTES } from "../wasm_page.ts";
import { putLinuxErrors } from "./linux_errors_patch.ts";
import { putVirtualWaits } from "./virtual_waits_patch.ts";

/** The module with Linux's error numbers and virtual waits. */
function patched(source: Uint8Array): Uint8Array<ArrayBuffer> {
  const patch = new ModulePatch(source);
  putLinuxErrors(patch);
  putVirtualWaits(patch);
  return patch.bytes;
}

/**
 * The module with native modules linked to it, not metered yet. Throws a LinkError that names the
 * faulty one.
 */
export function linkCPython(source: Uint8Array, natives: readonly SideModule[]): LinkedModule {
  return link(patched(source), natives, { memoryBytes: MEMORY_BYTES.python });
}

/** The module with fuel, padded frames, bounded memory, Linux's error numbers and virtual waits. */
export function meterCPython(source: Uint8Array): Uint8Array<ArrayBuffer> {
  return meterPatched(patched(source));
}

/** Like the function above, for a module that {@link linkCPython} made. */
export function meterLinked({ bytes }: LinkedModule): Uint8Array<ArrayBuffer> {
  return meterPatched(bytes);
}

function meterPatched(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return meterModule(bytes, {
    maximumPages: MEMORY_BYTES.python / WASM_PAGE_BYTES,
    lookupUnits: 260,
    // The bytecode loop is one huge switch. Larger regions would charge each turn for instructions
    // that it does not execute: an empty loop would cost several times as much as other code does
    // in the same time.
    mergeMax: 16,
    mergeBudget: 32,
    wideStoreUnits: 15,
    stackPadding: { global: "auto", base: 64, perLocal: 8, exported: true },
  }).bytes;
}
