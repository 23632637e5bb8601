/**
 * How the Perl module is metered.
 *
 * @module
 */
import { meterModule } from "../metering/meter.ts";
import { MEMORY_BYTES } from "../../../wire/limits.ts";

const PAGE_BYTES = 65_536;

/** The module with fuel, padded frames and a bounded memory. */
export function meterZeroPerl(source: Uint8Array): Uint8Array<ArrayBuffer> {
  return meterModule(source, {
    maximumPages: MEMORY_BYTES.perl / PAGE_BYTES,
    stackPadding: { global: "auto", base: 64, perLocal: 8 },
  }).bytes;
}
