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
import type { MemorySpan } from "./image.ts";

const WORD = 4;
/** A chunk: size of the previous chunk if that is free, own size with flags, then the content. */
export const CHUNK_HEAD_BYTES = 2 * WORD;
/** Position of the size, in bytes and in words. */
const HEAD = WORD;
const HEAD_WORD = 1;
const MARKS = 7;
const IN_USE = 2;
/** Alignment of chunks and of what is in them, unless the C library has another one. */
const ALIGNMENT = 8;
const SMALLEST = 16;
/** Bytes of a free chunk that have a meaning: its header and its links. */
export const FREE_HEAD_BYTES: number = 8 * WORD;
/** Smaller free chunks are treated as used. */
export const WORTH_BYTES = 8_192;

/** A free chunk. */
export interface FreeChunk {
  readonly at: number;
  readonly size: number;
}

/** Where chunks lie: the first one, and the end of the last one. */
export interface ChunkBounds {
  readonly first: number;
  readonly end: number;
}

/** Address of the first chunk of a heap that begins at `base`. */
export function firstChunk(base: number, alignment = ALIGNMENT): number {
  return Math.ceil((base + CHUNK_HEAD_BYTES) / alignment) * alignment - CHUNK_HEAD_BYTES;
}

/** The free chunk at an address, if there is a large one within the bounds. */
export function freeChunkAt(
  words: Uint32Array,
  at: number,
  { first, end }: ChunkBounds,
): FreeChunk | undefined {
  if (at % WORD !== 0 || at < first || at + CHUNK_HEAD_BYTES > end) return undefined;
  const head = words[at / WORD + HEAD_WORD] ?? 0;
  const size = head - head % (MARKS + 1);
  const isLarge = (head & IN_USE) === 0 && size >= WORTH_BYTES && at + size <= end;
  return isLarge ? { at, size } : undefined;
}

/** The large free chunks within the bounds, found by a walk over all chunks. */
export function walkFreeChunks(words: Uint32Array, bounds: ChunkBounds): FreeChunk[] {
  const free: FreeChunk[] = [];
  const { first, end } = bounds;
  for (let at = first; at % WORD === 0 && at + CHUNK_HEAD_BYTES <= end;) {
    const head = words[(at + HEAD) / WORD] ?? 0;
    const size = head - head % (MARKS + 1);
    if (size < SMALLEST || at + size > end) break;
    if ((head & IN_USE) === 0 && size >= WORTH_BYTES) free.push({ at, size });
    at += size;
  }
  return free;
}

/** Spans of `[from, end)` without the contents of free chunks, which are in ascending order. */
export function spansWithout(
  free: readonly FreeChunk[],
  { from, end }: { readonly from: number; readonly end: number },
): readonly MemorySpan[] {
  const spans: MemorySpan[] = [];
  let used = from;
  for (const { at, size } of free) {
    spans.push([used, at + FREE_HEAD_BYTES]);
    used = at + size;
  }
  spans.push([used, end]);
  return spans;
}
