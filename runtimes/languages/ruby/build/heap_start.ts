/**
 * Finds the heap of the C library in a booted memory. The module exports no address of it.
 *
 * @module
 */
import { firstChunk } from "../../../engine/heap_chunks.ts";
import { RubyAbiError, STACK_TOP } from "../host/ruby_abi.ts";

/** Fields of the allocator's state, in words: the size of its last chunk, the heap's start, that chunk. */
const TOP_SIZE = 3;
const START = 4;
const TOP = 6;
const STATE_WORDS = 7;
/** Maximum number of bytes that the allocator keeps behind its last chunk. */
const BEHIND_TOP = 128;
/** In the head of a chunk: the bits of its size. */
const SIZE_BITS = ~7;
/** Alignment of the content of chunks in this C library. */
const ALIGNMENT = 16;

/** Address of the first chunk of the heap. */
export function firstHeapChunk(memory: Uint8Array<ArrayBuffer>): number {
  return firstChunk(heapStart(new Uint32Array(memory.buffer)), ALIGNMENT);
}

/** The allocator's state is among the static data, between the stack and the heap. */
function heapStart(words: Uint32Array<ArrayBuffer>): number {
  const found: number[] = [];
  let end = words.length - STATE_WORDS;
  for (let at = STACK_TOP / 4; at < end; at++) {
    const top = words[at + TOP] ?? 0;
    const size = words[at + TOP_SIZE] ?? 0;
    const left = words.byteLength - top - size;
    if (size === 0 || left < 0 || left > BEHIND_TOP) continue;
    const start = words[at + START] ?? 0;
    const isChunk = ((words[top / 4 + 1] ?? 0) & SIZE_BITS) === size;
    if (!isChunk || start <= at * 4 || start > top) continue;
    found.push(start);
    end = Math.min(end, start / 4);
  }
  const [start] = found;
  if (start === undefined || found.length > 1) {
    throw new RubyAbiError(`${found.length} places for the start of the heap`);
  }
  return start;
}
