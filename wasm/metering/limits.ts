/**
 * Size limits of memories and tables, read and lowered.
 *
 * @module
 */
import type { ByteReader } from "./byte_reader.ts";
import type { ByteWriter } from "./byte_writer.ts";
import { MeterError } from "./meter_error.ts";

const HAS_MAXIMUM = 1;
const SHARED = 2;
const INDEX_64 = 4;

/** Maximum pages of 64 KiB of a 32-bit memory. */
export const MAX_PAGES = 65536;

/**
 * Size limits of a memory (in pages of 64 KiB) or of a table (in elements), with their place in the
 * source.
 */
export interface Limits {
  readonly start: number;
  readonly end: number;
  readonly flags: number;
  readonly minimum: number;
  readonly maximum: number | undefined;
}

export function readLimits(
  reader: ByteReader,
  what: "memory" | "table",
): Limits {
  const start = reader.pos;
  const flags = reader.u8();
  if ((flags & INDEX_64) !== 0) {
    reader.fail(`${what} with 64-bit index is not supported`, start);
  }
  if (flags > (HAS_MAXIMUM | SHARED)) {
    reader.fail(`unknown flags ${flags} of a ${what}`, start);
  }
  const minimum = reader.u32();
  const maximum = (flags & HAS_MAXIMUM) !== 0 ? reader.u32() : undefined;
  return { start, end: reader.pos, flags, minimum, maximum };
}

/** The most pages that limits may have. */
export interface PageBounds {
  /** For imported memories only: in others there must be room for the module's data. */
  readonly minimum: number | undefined;
  readonly maximum: number;
}

/** Writes the limits of a memory, lowered to the bounds. */
export function writeLoweredLimits(limits: Limits, bounds: PageBounds, out: ByteWriter): void {
  const { maximum: pages } = bounds;
  const minimum = Math.min(limits.minimum, bounds.minimum ?? limits.minimum);
  if (minimum > pages) {
    throw new MeterError(
      `memory starts with ${minimum} pages, more than maximumPages ${pages}`,
      limits.start,
    );
  }
  out.u8(limits.flags | HAS_MAXIMUM);
  out.u32(minimum);
  out.u32(Math.min(pages, limits.maximum ?? MAX_PAGES));
}
