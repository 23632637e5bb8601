/**
 * The heap of dlmalloc, the allocator of the C libraries here, as far as snapshots need it: what
 * of it is free. The heap is a row of chunks, each with its size and whether it is in use; the
 * bytes of a free chunk behind its links mean nothing to anybody.
 *
 * A guest can write anything into its heap. A walk therefore never leaves the heap, always goes
 * on, and takes for used what it does not understand.
 *
 * @module
 */
import type { MemorySpan } from "./snapshot/engine_state.ts";

const WORD = 4;
/** A chunk: size of the one before if that is free, own size with marks, then what it holds. */
export const CHUNK_HEAD_BYTES = 2 * WORD;
const HEAD = WORD;
const MARKS = 7;
const IN_USE = 2;
const ALIGNMENT = 8;
const SMALLEST = 16;
/** What stands in a free chunk before the bytes that mean nothing: its head and its links. */
const FREE_HEAD_BYTES = 8 * WORD;
/** Smaller free chunks are not worth a span of their own. */
const WORTH_BYTES = 8_192;

/** Address of the first chunk of a heap that begins at `base`. */
export function firstChunk(base: number): number {
  return Math.ceil((base + CHUNK_HEAD_BYTES) / ALIGNMENT) * ALIGNMENT - CHUNK_HEAD_BYTES;
}

/** Spans of `[from, end)`, as far as there is memory, without the large free chunks from the chunk at `first` on. */
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
