/**
 * Segments: a set of pages as bytes, each page as its difference to the baseline, all of them
 * compressed together.
 *
 * Layout: number of pages (32 bits), then raw deflate of the pages' numbers (32 bits each,
 * ascending) and of the pages' differences in the same order. All numbers little-endian.
 *
 * @module
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { SNAPSHOT_PAGE_BYTES } from "./page_hash.ts";

/** The bytes are not a segment of this memory. */
export class SegmentFormatError extends Error {
  override name = "SegmentFormatError";
}

const COUNT_BYTES = 4;
const NUMBER_BYTES = 4;
/** The fastest level: most of the input is zeros. */
const LEVEL = 1;
/** Bytes of 256 pages and more. */
const KEPT_BYTES = 1 << 20;

/** Writes the difference of a page into a buffer of a page's size. */
export type DifferenceOf = (page: number, target: Uint8Array<ArrayBuffer>) => void;

/**
 * Encodes segments one after the other. It keeps a buffer for the usual ones: new memory of this size
 * comes from the kernel page by page, which takes as long as writing it.
 */
export class SegmentEncoder {
  readonly #kept: Uint8Array<ArrayBuffer> = new Uint8Array(KEPT_BYTES);

  /** Packs pages, given in ascending order. */
  encode(pages: readonly number[], differenceOf: DifferenceOf): Uint8Array<ArrayBuffer> {
    const length = pages.length * (NUMBER_BYTES + SNAPSHOT_PAGE_BYTES);
    const raw = length <= KEPT_BYTES ? this.#kept.subarray(0, length) : new Uint8Array(length);
    return encodeSegment(raw, pages, differenceOf);
  }
}

function encodeSegment(
  raw: Uint8Array<ArrayBuffer>,
  pages: readonly number[],
  differenceOf: DifferenceOf,
): Uint8Array<ArrayBuffer> {
  const view = new DataView(raw.buffer);
  const start = pages.length * NUMBER_BYTES;
  pages.forEach((page, index) => {
    view.setUint32(index * NUMBER_BYTES, page, true);
    const at = start + index * SNAPSHOT_PAGE_BYTES;
    differenceOf(page, raw.subarray(at, at + SNAPSHOT_PAGE_BYTES));
  });
  const packed = deflateRawSync(raw, { level: LEVEL });
  const out = new Uint8Array(COUNT_BYTES + packed.length);
  new DataView(out.buffer).setUint32(0, pages.length, true);
  out.set(packed, COUNT_BYTES);
  return out;
}

/** One page of a segment. */
export interface SegmentPage {
  readonly page: number;
  readonly difference: Uint8Array;
}

/**
 * Unpacks a segment of a memory of `memoryPages` pages. Allocates no more than its pages need,
 * for any bytes. Throws a SegmentFormatError.
 */
export function decodeSegment(
  bytes: Uint8Array<ArrayBuffer>,
  memoryPages: number,
): readonly SegmentPage[] {
  const count = countOf(bytes, memoryPages);
  const raw = inflate(bytes.subarray(COUNT_BYTES), count * (NUMBER_BYTES + SNAPSHOT_PAGE_BYTES));
  const view = new DataView(raw.buffer, raw.byteOffset, raw.length);
  const pages: SegmentPage[] = [];
  let before = -1;
  for (let index = 0; index < count; index++) {
    const page = view.getUint32(index * NUMBER_BYTES, true);
    if (page <= before || page >= memoryPages) {
      throw new SegmentFormatError("the pages are out of order");
    }
    const at = count * NUMBER_BYTES + index * SNAPSHOT_PAGE_BYTES;
    pages.push({ page, difference: raw.subarray(at, at + SNAPSHOT_PAGE_BYTES) });
    before = page;
  }
  return pages;
}

function countOf(bytes: Uint8Array<ArrayBuffer>, memoryPages: number): number {
  if (bytes.length < COUNT_BYTES) throw new SegmentFormatError("the segment is cut short");
  const count = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (count > memoryPages) {
    throw new SegmentFormatError("the segment has more pages than the memory");
  }
  return count;
}

/** Inflates to exactly this many bytes. */
function inflate(packed: Uint8Array<ArrayBuffer>, length: number): Uint8Array {
  let raw: Uint8Array;
  try {
    raw = inflateRawSync(packed, { maxOutputLength: length + 1 });
  } catch {
    throw new SegmentFormatError("the segment cannot be inflated");
  }
  if (raw.length !== length) throw new SegmentFormatError("the segment has another length");
  return raw;
}
