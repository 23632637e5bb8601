/**
 * The way of a memory from one baseline to another: the pages that differ, next to each other where
 * they can be written at once.
 *
 * @module
 */
import { SNAPSHOT_PAGE_BYTES } from "./snapshot/page_hash.ts";

/** The bytes of a page; undefined: all zero. */
type Page = Uint8Array<ArrayBuffer> | undefined;

/** Pages next to each other that differ from those of another baseline. */
export interface Move {
  /** First byte in the memory. */
  readonly at: number;
  /** Behind the last byte. */
  readonly end: number;
  readonly data: Page;
}

/** The pages of a baseline that are not the same ones in another. */
export function* movesTo(pages: readonly Page[], other: readonly Page[]): Generator<Move> {
  const count = Math.max(pages.length, other.length);
  for (let page = 0; page < count;) {
    const first = page++;
    const bytes = pages[first];
    if (bytes === other[first]) continue;
    while (page < count && pages[page] !== other[page]) {
      if (!isBehind(pages[page], bytes, page - first)) break;
      page++;
    }
    const at = first * SNAPSHOT_PAGE_BYTES;
    const end = page * SNAPSHOT_PAGE_BYTES;
    const data = bytes && new Uint8Array(bytes.buffer, bytes.byteOffset, end - at);
    yield { at, end, data };
  }
}

/** Whether a page lies so many pages behind another one, or both are zero. */
export function isBehind(page: Page, first: Page, pages: number): boolean {
  if (page === undefined || first === undefined) return page === first;
  return page.buffer === first.buffer &&
    page.byteOffset === first.byteOffset + pages * SNAPSHOT_PAGE_BYTES;
}
