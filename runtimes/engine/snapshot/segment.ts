/**
 * Segments: a set of pages as bytes, each page as its difference to the baseline, all of them
 * compressed together.
 *
 * Layout: number of pages (31 bits) and a bit that is set, then raw deflate of the pages' numbers (32 bits
 * each, ascending) and of the pages' differences in the same order, packed as in `sparse_page.ts`. Where the
 * bit is not set, the differences are whole pages, as earlier builds wrote them. All numbers
 * little-endian.
 *
 * @module
 */
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { SNAPSHOT_PAGE_BYTES } from "./page_hash.ts";
import { createPagePacker, MAX_PACKED_BYTES, unpackPage } from "./sparse_page.ts";
import { joinBytes } from "../../../shared/join_bytes.ts";

/** The bytes are not a segment of this memory. */
export class SegmentFormatError extends Error {
  override name = "SegmentFormatError";
}

const COUNT_BYTES = 4;
/** Set beside the number of pages where they are packed. */
const PACKED = 0x8000_0000;
const NUMBER_BYTES = 4;
/** The fastest level. */
const LEVEL = 1;
/** Bytes that are compressed at a time: more than 250 pages and their numbers. */
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
  readonly #packer = createPagePacker();

  /**
   * Packs pages, given in ascending order. Undefined as soon as more than `maxBytes` are packed.
   */
  encode(
    pages: readonly number[],
    differenceOf: DifferenceOf,
    maxBytes = Infinity,
  ): Uint8Array<ArrayBuffer> | undefined {
    const head = new Uint8Array(COUNT_BYTES);
    new DataView(head.buffer).setUint32(0, pages.length + PACKED, true);
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
    return joinBytes(out);
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
      if (at + (isNumber ? NUMBER_BYTES : MAX_PACKED_BYTES) > PIECE_BYTES) break;
      if (isNumber) {
        view.setUint32(at, pages[item] ?? 0, true);
        at += NUMBER_BYTES;
        continue;
      }
      differenceOf(pages[item - pages.length] ?? 0, this.#packer.page);
      const packed = this.#packer.pack();
      this.#piece.set(packed, at);
      at += packed.length;
    }
    return { piece: this.#piece.subarray(0, at), end: item };
  }
}

/** One page of a segment. */
export interface SegmentPage {
  readonly page: number;
  readonly difference: Uint8Array;
}

/**
 * Unpacks a segment of a memory of `memoryPages` pages. Allocates no more than its pages need,
 * for any bytes. A difference is valid until the next page is asked for. Throws a SegmentFormatError.
 */
export function* decodeSegment(
  bytes: Uint8Array<ArrayBuffer>,
  memoryPages: number,
): Generator<SegmentPage> {
  const { count, isPacked } = headOf(bytes, memoryPages);
  const pageBytes = isPacked ? MAX_PACKED_BYTES : SNAPSHOT_PAGE_BYTES;
  const raw = inflate(bytes.subarray(COUNT_BYTES), count * (NUMBER_BYTES + pageBytes));
  if (raw.length < count * NUMBER_BYTES) throw otherLength();
  const differences = isPacked ? packedPages(raw, count) : wholePages(raw, count);
  const view = new DataView(raw.buffer, raw.byteOffset, raw.length);
  let before = -1;
  let index = 0;
  for (const difference of differences) {
    const page = view.getUint32(index++ * NUMBER_BYTES, true);
    if (page <= before || page >= memoryPages) {
      throw new SegmentFormatError("the pages are out of order");
    }
    yield { page, difference };
    before = page;
  }
}

/** The differences of packed pages, one after the other in the same memory. */
function* packedPages(raw: Uint8Array, count: number): Generator<Uint8Array> {
  const words = wordsOf(raw);
  const page = new Int32Array(SNAPSHOT_PAGE_BYTES / Int32Array.BYTES_PER_ELEMENT);
  const difference = new Uint8Array(page.buffer);
  let at = count;
  for (let index = 0; index < count; index++) {
    const end = unpackPage(words, at, page);
    if (end === undefined) throw otherLength();
    at = end;
    yield difference;
  }
  if (at !== words.length) throw otherLength();
}

function* wholePages(raw: Uint8Array, count: number): Generator<Uint8Array> {
  if (raw.length !== count * (NUMBER_BYTES + SNAPSHOT_PAGE_BYTES)) throw otherLength();
  for (let at = count * NUMBER_BYTES; at < raw.length; at += SNAPSHOT_PAGE_BYTES) {
    yield raw.subarray(at, at + SNAPSHOT_PAGE_BYTES);
  }
}

/** Numbers and packed pages are whole words. */
function wordsOf(raw: Uint8Array): Int32Array {
  if (raw.length % Int32Array.BYTES_PER_ELEMENT !== 0) throw otherLength();
  const aligned = raw.byteOffset % Int32Array.BYTES_PER_ELEMENT === 0 ? raw : raw.slice();
  return new Int32Array(aligned.buffer, aligned.byteOffset, raw.length / 4);
}

function otherLength(): SegmentFormatError {
  return new SegmentFormatError("the segment has another length");
}

function headOf(bytes: Uint8Array<ArrayBuffer>, memoryPages: number) {
  if (bytes.length < COUNT_BYTES) throw new SegmentFormatError("the segment is cut short");
  const head = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const isPacked = head >= PACKED;
  const count = isPacked ? head - PACKED : head;
  if (count > memoryPages) {
    throw new SegmentFormatError("the segment has more pages than the memory");
  }
  return { count, isPacked };
}

/** Inflates to at most this many bytes. */
function inflate(packed: Uint8Array<ArrayBuffer>, maxBytes: number): Uint8Array {
  let raw: Uint8Array;
  try {
    raw = inflateRawSync(packed, { maxOutputLength: maxBytes + 1 });
  } catch {
    throw new SegmentFormatError("the segment cannot be inflated");
  }
  if (raw.length > maxBytes) throw otherLength();
  return raw;
}
