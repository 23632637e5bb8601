/**
 * How the CPython module is metered.
 *
 * @module
 */
import { MEMORY_BYTES } from "../../../../shared/limits.ts";
import { link, type LinkedModule } from "../../../../wasm/linking/link.ts";
import type { SideModule } from "../../../../wasm/linking/side_module.ts";
import { meterModule } from "../../../../wasm/metering/meter.ts";
import { ModulePatch } from "../../../../wasm/metering/module_patch.ts";
import { WASM_PAGE_BYTES } from "../../../../wasm/metering/wasm_page.ts";
import { putLinuxErrors } from "./linux_errors_patch.ts";
import { putVirtualWaits } from "./virtual_waits_patch.ts";

/** C libraries end the process where they cannot go on. `exit` is a call of the host, `_Exit` is none. */
const ALIASES: ReadonlyMap<string, string> = new Map([["exit", "_Exit"]]);

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
  return link(patched(source), natives, { memoryBytes: MEMORY_BYTES.python }, ALIASES);
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
    ownSize: true,
    lookupUnits: 260,
    // Larger ones would charge an empty loop for code that it does not run, so that other code would
    // get more time for the same fuel.
    mergeMax: 64,
    mergeCallMax: 32,
    wideStoreUnits: 15,
    stackPadding: { global: "auto", base: 64, perLocal: 8, exported: true },
  }).bytes;
}
