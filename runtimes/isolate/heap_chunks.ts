/**
 * The heap of dlmalloc, the allocator of the C libraries here, as far as snapshots need it: which
 * parts are free. The heap is a sequence of chunks, each with its size and an in-use flag. In a
 * free chunk, the bytes after the links have no meaning.
 *
 * A guest can write anything into its heap. A walk therefore never leaves the heap, always moves
 * forward, and treats chunks that it does not understand as used.
 *
 * @module
 */
import type { MemorySpan } from "./snapshot/engine_state.ts";

const WORD = 4;
/** A chunk: size of the previous chunk if that is free, own size with flags, then the content. */
export const CHUNK_HEAD_BYTES = 2 * WORD;
const HEAD = WORD;
const MARKS = 7;
const IN_USE = 2;
/** Alignment of chunks and of what is in them, unless the C library has another one. */
const ALIGNMENT = 8;
const SMALLEST = 16;
/** Bytes of a free chunk that have a meaning: its header and its links. */
const FREE_HEAD_BYTES = 8 * WORD;
/** Smaller free chunks are treated as used. */
const WORTH_BYTES = 8_192;

/** Address of the first chunk of a heap that begins at `base`. */
export function firstChunk(base: number, alignment = ALIGNMENT): number {
  return Math.ceil((base + CHUNK_HEAD_BYTES) / alignment) * alignment - CHUNK_HEAD_BYTES;
}

/** Spans of `[from, end)` within memory, without the large free chunks from `first` on. */
export function spansInUse(
  memory: Uint8Array<ArrayBuffer>,
  { from, first, end }: { readonly from: number; readonly first: number; readonly end: number },
): readonly MemorySpan[] {
  const last = Math.min(end, memory.length);
  const words = new Uint32Array(memory.buffer);
  const spans: MemorySpan[] = [];
  let used = from;
  for (let at = first; at % WORD === 0 && at + CHUNK_HEAD_BYTES <= last;) {
    const head = words[(at + HEAD) / WORD] ?? 0;
    const size = head - head % (MARKS + 1);
    if (size < SMALLEST || at + size > last) break;
    if ((head & IN_USE) === 0 && size >= WORTH_BYTES) {
      spans.push([used, at + FREE_HEAD_BYTES]);
      used = at + size;
    }
    at += size;
  }
  spans.push([used, last]);
  return spans;
}
