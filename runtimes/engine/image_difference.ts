/**
 * An image as its difference from another one: the pages that differ, whole. Two baselines of one
 * module share most pages.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { WASM_PAGE_BYTES } from "../../wasm/metering/wasm_page.ts";
import type { MemoryImage, MemoryRange } from "./image.ts";
import { SNAPSHOT_PAGE_BYTES } from "./snapshot/page_hash.ts";

function memoryOf({ ranges }: MemoryImage<unknown>, pages: number): Uint8Array<ArrayBuffer> {
  const memory = new Uint8Array(pages * WASM_PAGE_BYTES);
  for (const { at, data } of ranges) memory.set(data, at);
  return memory;
}

/** The image with only those pages that differ from the image below, which has no more pages. */
export function differenceOf<Head>(
  image: MemoryImage<Head>,
  below: MemoryImage<unknown>,
): MemoryImage<Head> {
  const memory = memoryOf(image, image.pages);
  const other = memoryOf(below, image.pages);
  const ranges: MemoryRange[] = [];
  const pageAt = (bytes: Uint8Array, at: number) => bytes.subarray(at, at + SNAPSHOT_PAGE_BYTES);
  const isSame = (at: number) => Buffer.compare(pageAt(memory, at), pageAt(other, at)) === 0;
  for (let at = 0; at < memory.length; at += SNAPSHOT_PAGE_BYTES) {
    const from = at;
    while (at < memory.length && !isSame(at)) at += SNAPSHOT_PAGE_BYTES;
    if (at > from) ranges.push({ at: from, data: memory.slice(from, at) });
  }
  return { ...image, ranges };
}
