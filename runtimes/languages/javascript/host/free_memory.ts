/**
 * Facts about the module's allocator (dlmalloc) for images: where its heap ends, and which
 * parts of it are free.
 *
 * A heap is a sequence of chunks. Each holds its size and whether it is in use. The last chunk,
 * *top*, is free. The bytes of a free chunk after its links have no meaning.
 *
 * @module
 */
import { CHUNK_HEAD_BYTES } from "../../../engine/heap_chunks.ts";
import { LayoutError } from "./layout_error.ts";
import type { QuickJs } from "./quickjs.ts";

const WORD = 4;
const HEAD = WORD;
const CONTENT = CHUNK_HEAD_BYTES;
const MARKS = 7;
const IN_USE = 2;
const SMALLEST = 16;
/** Free chunks from this size on are in a tree. */
const LARGE = 256;
const LIST_LINKS = 2 * WORD;
const TREE_LINKS = 6 * WORD;
const MEBIBYTE = 1 << 20;

function wordAt(js: QuickJs, at: number): number {
  return js.view.getUint32(at, true);
}

/**
 * Finds the address of the word that holds the address of *top*, which moves as memory is allocated
 * from it.
 */
export function findTop(js: QuickJs): number {
  const first = js.fn.malloc(4 * MEBIBYTE);
  js.fn.free(first); // so that top is larger than the allocations below
  const words = () => new Uint32Array(js.bytes.slice(0, first & ~MARKS).buffer);
  const before = words();
  const pointer = js.fn.malloc(MEBIBYTE);
  const after = words();
  const chunk = pointer - CONTENT;
  const size = wordAt(js, chunk + HEAD) & ~MARKS;
  js.fn.free(pointer);
  const found = [...before.keys()].filter((i) => {
    return before[i] === chunk && after[i] === chunk + size;
  });
  const [index] = found;
  if (index === undefined || found.length > 1) throw new LayoutError("top of the heap");
  return index * WORD;
}

/** Zeroes the contents of the heap's free chunks, from the first one on. */
export function zeroFreeMemory(
  js: QuickJs,
  { first, top, end }: { readonly first: number; readonly top: number; readonly end: number },
): void {
  const { bytes } = js;
  let at = first;
  while (at < top) {
    const head = wordAt(js, at + HEAD);
    const size = head & ~MARKS;
    if (size < SMALLEST) throw new LayoutError("chunks of the heap");
    if ((head & IN_USE) === 0) {
      const links = size < LARGE ? LIST_LINKS : TREE_LINKS;
      bytes.fill(0, at + CONTENT + links, at + size);
    }
    at += size;
  }
  const size = wordAt(js, top + HEAD) & ~MARKS;
  if (at !== top || top + size > end) throw new LayoutError("chunks of the heap");
  bytes.fill(0, top + CONTENT, top + size);
}
