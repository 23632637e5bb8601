/**
 * How the Perl module is metered.
 *
 * @module
 */
import { copyForNormalState } from "../../../../wasm/metering/asyncify_copies.ts";
import { meterModule } from "../../../../wasm/metering/meter.ts";
import { ModulePatch } from "../../../../wasm/metering/module_patch.ts";
import { MEMORY_BYTES } from "../../../../shared/limits.ts";
import { WASM_PAGE_BYTES } from "../../../../wasm/metering/wasm_page.ts";
import { FREQUENT_FUNCTIONS } from "./frequent_functions.ts";
import { putLinuxErrors } from "./linux_errors_patch.ts";
import { dropSignalWarning } from "./signal_names_patch.ts";
import { resolveMethods } from "./resolution_patch.ts";
import { ringAlarms } from "./signals_patch.ts";
import { tellSyntaxErrors } from "./syntax_errors_patch.ts";

/** The module with the patches. */
export function patchedPerl(source: Uint8Array): Uint8Array<ArrayBuffer> {
  const patch = new ModulePatch(source);
  putLinuxErrors(patch);
  dropSignalWarning(patch);
  tellSyntaxErrors(patch);
  resolveMethods(patch);
  ringAlarms(patch);
  return patch.bytes;
}

/**
 * The module with the patches, fuel, padded frames and a bounded memory; without the cost of
 * rewinding in the functions that programs call most.
 */
export function meterZeroPerl(source: Uint8Array): Uint8Array<ArrayBuffer> {
  const { bytes, copies } = copyForNormalState(patchedPerl(source), FREQUENT_FUNCTIONS);
  return meterModule(bytes, {
    maximumPages: MEMORY_BYTES.perl / WASM_PAGE_BYTES,
    ownSize: true,
    lookupUnits: 300,
    // With larger values an empty loop pays for code that it does not run, several times what other
    // code pays for the same time.
    mergeMax: 16,
    mergeBudget: 32,
    stackPadding: { global: "auto", base: 64, perLocal: 8 },
    copies,
  }).bytes;
}
