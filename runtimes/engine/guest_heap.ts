/**
 * The parts of a guest's heap that are in use. A walk over all chunks of a heap takes as long as
 * the rest of a capture, so the large free chunks are read from the lists in which the allocator
 * itself keeps them.
 *
 * A guest can write anything into these lists too. A chunk counts as free only if it looks like a
 * free chunk of the heap, and the search ends after a bounded number of them. A guest that lies
 * loses bytes of its own, in its own context.
 *
 * @module
 */
import {
  type ChunkBounds,
  FREE_HEAD_BYTES,
  type FreeChunk,
  freeChunkAt,
  spansWithout,
  walkFreeChunks,
  WORTH_BYTES,
} from "./heap_chunks.ts";
import type { MemorySpan } from "./image.ts";

const WORD = 4;
/** Fields of dlmalloc's `malloc_state`, in words from its start. */
const STATE = {
  topSize: 3,
  /** The chunk that was split last, and its size. */
  victim: 5,
  victimSize: 2,
  /** The free chunk at the end of the heap. */
  top: 6,
  trees: 76,
} as const;
/** Trees of free chunks by size. The first ones hold only small chunks. */
const TREES = 32;
const FIRST_LARGE_TREE = 10;
/** Fields of a free chunk in a tree, in words from its start. */
const CHUNK = { next: 2, children: [4, 5] } as const;
/** Bytes behind the top that its size does not include. */
const TOP_FOOT_BYTES = 40;
/** More free chunks count as used. */
const MAX_CHUNKS = 4_096;

/** The heap of one engine's instances. */
export class GuestHeap {
  readonly #first: number;
  /** Index of the allocator's state in words of memory; undefined if it is not found. */
  readonly #state: number | undefined;

  /**
   * `baseline` is memory at its baseline; `first` is the address of a chunk that is never freed,
   * with all other chunks behind it.
   */
  constructor(baseline: Uint8Array<ArrayBuffer>, first: number) {
    this.#first = first;
    this.#state = findState(new Uint32Array(baseline.buffer), { first, end: baseline.length });
  }

  /** Spans of `[from, end)` within memory, without the large free chunks. */
  spansInUse(
    memory: Uint8Array<ArrayBuffer>,
    { from, end }: { readonly from: number; readonly end: number },
  ): readonly MemorySpan[] {
    const words = new Uint32Array(memory.buffer);
    const bounds: ChunkBounds = { first: this.#first, end: Math.min(end, memory.length) };
    const free = this.#state === undefined
      ? walkFreeChunks(words, bounds)
      : listedFreeChunks(words, this.#state, bounds);
    return spansWithout(free, { from, end: bounds.end });
  }
}

/** The state, recognized by its top. Its lists must name the chunks that a walk finds. */
function findState(words: Uint32Array, { first, end }: ChunkBounds): number | undefined {
  const walked = walkFreeChunks(words, { first, end });
  const top = walked.at(-1);
  if (top === undefined) return undefined;
  const bounds: ChunkBounds = { first, end: top.at + top.size + TOP_FOOT_BYTES };
  const expected = JSON.stringify(walked);
  const statics = Math.floor(first / WORD);
  for (
    let at = words.indexOf(top.at);
    at >= 0 && at < statics;
    at = words.indexOf(top.at, at + 1)
  ) {
    const state = at - STATE.top;
    if (words[state + STATE.topSize] !== top.size) continue;
    if (JSON.stringify(listedFreeChunks(words, state, bounds)) === expected) return state;
  }
  return undefined;
}

/** The large free chunks that the allocator lists, in ascending order, apart from each other. */
function listedFreeChunks(words: Uint32Array, state: number, bounds: ChunkBounds): FreeChunk[] {
  const wordAt = (index: number) => words[index] ?? 0;
  const found: FreeChunk[] = [];
  const waiting: number[] = [];
  const add = (at: number): boolean => {
    const chunk = found.length < MAX_CHUNKS ? freeChunkAt(words, at, bounds) : undefined;
    if (chunk !== undefined) found.push(chunk);
    return chunk !== undefined;
  };
  add(wordAt(state + STATE.top));
  if (wordAt(state + STATE.victimSize) >= WORTH_BYTES) add(wordAt(state + STATE.victim));
  for (let tree = FIRST_LARGE_TREE; tree < TREES; tree++) {
    waiting.push(wordAt(state + STATE.trees + tree));
  }
  for (let root = waiting.pop(); root !== undefined; root = waiting.pop()) {
    if (root === 0 || !add(root)) continue;
    // chunks of the same size are in a ring
    const ringAt = (at: number) => wordAt(at / WORD + CHUNK.next);
    for (let at = ringAt(root); at !== root && add(at); at = ringAt(at));
    for (const child of CHUNK.children) waiting.push(wordAt(root / WORD + child));
  }
  return apart(found);
}

/** In ascending order, without chunks that overlap an earlier one. */
function apart(chunks: readonly FreeChunk[]): FreeChunk[] {
  let end = 0;
  return chunks.toSorted((a, b) => a.at - b.at).filter(({ at, size }) => {
    if (at < end) return false;
    end = at + Math.max(size, FREE_HEAD_BYTES);
    return true;
  });
}
