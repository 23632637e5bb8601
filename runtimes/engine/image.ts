/**
 * Images: the bytes of a built baseline, as ranges of the linear memory of a booted instance. All
 * memory outside the ranges is zero.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { MemorySize } from "./memory_size.ts";
import { WASM_PAGE_BYTES } from "../../wasm/metering/wasm_page.ts";

/** Bytes `[from, to)` of linear memory. */
export type MemorySpan = readonly [from: number, to: number];

/** Bytes at an address. */
export interface MemoryRange {
  readonly at: number;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** An image, and what its engine stores with it. */
export interface MemoryImage<Head> {
  readonly head: Head;
  /** Size of the memory in pages of 64 KiB when the image was taken. */
  readonly pages: number;
  /** In ascending order, not touching each other. */
  readonly ranges: readonly MemoryRange[];
}

/** The bytes are not an image, or are truncated. */
export class ImageFormatError extends Error {
  override name = "ImageFormatError";
}

const MAGIC = 0x4a4c4542; // "BELJ"
const HEADER_BYTES = 8;
/** Ranges begin and end at multiples of this. */
const ALIGNMENT = 8;
const SPACE = 0x20;
const ZERO = Buffer.alloc(WASM_PAGE_BYTES);

interface Layout {
  readonly head: unknown;
  readonly pages: number;
  readonly ranges: readonly (readonly [at: number, length: number])[];
}

/** Copies ranges `[from, to)` out of memory. */
export function captureRanges(
  memory: Uint8Array,
  spans: readonly (readonly [from: number, to: number])[],
): readonly MemoryRange[] {
  return spans.map(([from, to]) => ({ at: from, data: memory.slice(from, to) }));
}

/**
 * Grows a memory that holds an image to so many bytes. Throws a RangeError when it is
 * already longer, would exceed its maximum, or cannot be allocated.
 */
export function growMemory(size: MemorySize, bytes: number, maximumPages: number): void {
  if (!(bytes >= size.bytes) || bytes / WASM_PAGE_BYTES > maximumPages) {
    throw new RangeError("The memory cannot have this size");
  }
  size.bytes = bytes;
}

/**
 * Makes memory zero from `from` to `to` without writing where it already is: pages that a guest
 * never touched stay unallocated.
 */
export function clearRange(
  memory: Uint8Array,
  [from, to]: readonly [from: number, to: number],
): void {
  for (let at = from; at < to; at += ZERO.length) {
    const part = memory.subarray(at, Math.min(at + ZERO.length, to));
    if (Buffer.compare(part, ZERO.subarray(0, part.length)) !== 0) part.fill(0);
  }
}

/** Copies the non-zero chunks between `from` and `to`. */
export function captureNonZero(
  memory: Uint8Array,
  [from, to]: readonly [from: number, to: number],
  chunkBytes: number,
): readonly MemoryRange[] {
  const spans: [number, number][] = [];
  for (let at = from; at < to; at += chunkBytes) {
    const end = Math.min(at + chunkBytes, to);
    if (memory.subarray(at, end).every((byte) => byte === 0)) continue;
    const last = spans.at(-1);
    if (last !== undefined && last[1] === at) last[1] = end;
    else spans.push([at, end]);
  }
  return captureRanges(memory, spans);
}

/** An image as bytes: magic, length of the JSON layout, the layout, the ranges' bytes. */
export function encodeImage<Head>(image: MemoryImage<Head>): Uint8Array<ArrayBuffer> {
  const layout: Layout = {
    head: image.head,
    pages: image.pages,
    ranges: image.ranges.map(({ at, data }) => [at, data.length]),
  };
  const text = new TextEncoder().encode(JSON.stringify(layout));
  const json = new Uint8Array(Math.ceil(text.length / ALIGNMENT) * ALIGNMENT).fill(SPACE);
  json.set(text);
  const size = image.ranges.reduce((sum, { data }) => sum + data.length, 0);
  const out = new Uint8Array(HEADER_BYTES + json.length + size);
  const view = new DataView(out.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, json.length, true);
  out.set(json, HEADER_BYTES);
  let offset = HEADER_BYTES + json.length;
  for (const { data } of image.ranges) {
    out.set(data, offset);
    offset += data.length;
  }
  return out;
}

/** The inverse of {@link encodeImage}; `readHead` checks the engine's part. */
export function decodeImage<Head>(
  bytes: Uint8Array<ArrayBuffer>,
  readHead: (head: unknown) => Head,
): MemoryImage<Head> {
  if (bytes.length < HEADER_BYTES) throw new ImageFormatError("the image is cut short");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw new ImageFormatError("the bytes are not an image");
  const start = HEADER_BYTES + view.getUint32(4, true);
  const layout: Layout = JSON.parse(
    new TextDecoder().decode(bytes.subarray(HEADER_BYTES, start)),
  );
  let offset = start;
  const ranges = layout.ranges.map(([at, length]) => {
    const data = bytes.subarray(offset, offset + length);
    if (data.length !== length) throw new ImageFormatError("the image is cut short");
    offset += length;
    return { at, data };
  });
  return { head: readHead(layout.head), pages: layout.pages, ranges };
}
