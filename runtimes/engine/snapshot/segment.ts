/**
 * Segments: a set of pages as bytes, each page as its difference to the baseline, all of them
 * compressed together.
 *
 * Layout: number of pages (32 bits), then raw deflate of the pages' numbers (32 bits each,
 * ascending) and of the pages' differences in the same order. All numbers little-endian.
 *
 * @module
 */
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { SNAPSHOT_PAGE_BYTES } from "./page_hash.ts";

/** The bytes are not a segment of this memory. */
export class SegmentFormatError extends Error {
  override name = "SegmentFormatError";
}

const COUNT_BYTES = 4;
const NUMBER_BYTES = 4;
/** The fastest level: most of the input is zeros. */
const LEVEL = 1;
/** Bytes that are compressed at a time: 255 pages and their numbers. */
const PIECE_BYTES = 1 << 20;

/** Writes the difference of a page into a buffer of a page's size. */
export type DifferenceOf = (page: number, target: Uint8Array<ArrayBuffer>) => void;

/**
 * Encodes segments one after the other, in pieces of one buffer. It keeps that buffer: new memory of
 * its size comes from the kernel page by page, which takes as long as writing it. So a large segment
 * needs no more memory than its compressed bytes.
 */
export class SegmentEncoder {
  readonly #piece: Uint8Array<ArrayBuffer> = new Uint8Array(PIECE_BYTES);

  /**
   * Packs pages, given in ascending order. Undefined as soon as more than `maxBytes` are packed.
   */
  encode(
    pages: readonly number[],
    differenceOf: DifferenceOf,
    maxBytes = Infinity,
  ): Uint8Array<ArrayBuffer> | undefined {
    const head = new Uint8Array(COUNT_BYTES);
    new DataView(head.buffer).setUint32(0, pages.length, true);
    const out: Uint8Array[] = [head];
    let length = COUNT_BYTES;
    for (let written = 0; written < 2 * pages.length || out.length === 1;) {
      const { piece, end } = this.#fill(pages, differenceOf, written);
      const isLast = end === 2 * pages.length;
      // after a flush without an end, the next piece continues the same stream
      const finishFlush = isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
      const packed = deflateRawSync(piece, { level: LEVEL, finishFlush });
      out.push(packed);
      length += packed.length;
      if (length > maxBytes) return undefined;
      written = end;
    }
    return joined(out, length);
  }

  /**
   * Writes as much as the buffer has room for. The items are the numbers of all pages, then their
   * differences.
   */
  #fill(
    pages: readonly number[],
    differenceOf: DifferenceOf,
    first: number,
  ): { readonly piece: Uint8Array<ArrayBuffer>; readonly end: number } {
    const view = new DataView(this.#piece.buffer);
    let [at, item] = [0, first];
    for (; item < 2 * pages.length; item++) {
      const isNumber = item < pages.length;
      const next = at + (isNumber ? NUMBER_BYTES : SNAPSHOT_PAGE_BYTES);
      if (next > PIECE_BYTES) break;
      if (isNumber) view.setUint32(at, pages[item] ?? 0, true);
      else differenceOf(pages[item - pages.length] ?? 0, this.#piece.subarray(at, next));
      at = next;
    }
    return { piece: this.#piece.subarray(0, at), end: item };
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
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
