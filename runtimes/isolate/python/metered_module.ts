/**
 * How the CPython module is metered.
 *
 * @module
 */
import { MEMORY_BYTES } from "../../../wire/limits.ts";
import { meterModule } from "../metering/meter.ts";
import { withLinuxErrors } from "./linux_errors_patch.ts";

const PAGE_BYTES = 65_536;

/** The module with fuel, padded frames, a bounded memory, and Linux's errors. */
export function meterCPython(source: Uint8Array): Uint8Array<ArrayBuffer> {
  return meterModule(withLinuxErrors(source), {
    maximumPages: MEMORY_BYTES.python / PAGE_BYTES,
    // The bytecode loop is one huge switch: a larger budget would charge each turn for many of
    // its cases, and an empty loop ten times what a busy one pays for the same time.
    mergeBudget: 64,
    stackPadding: { global: "auto", base: 64, perLocal: 8, exported: true },
  }).bytes;
}
