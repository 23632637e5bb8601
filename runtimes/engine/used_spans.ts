/**
 * The non-zero parts of a booted memory, for its image.
 *
 * @module
 */

/** Bytes of a block. */
const BLOCK_BYTES = 4_096;
const BLOCK_WORDS = BLOCK_BYTES / BigUint64Array.BYTES_PER_ELEMENT;

/** Non-zero ranges `[from, to)` of memory, in whole blocks, not touching each other. */
export function usedSpans(memory: Uint8Array<ArrayBuffer>): readonly [from: number, to: number][] {
  const words = new BigUint64Array(memory.buffer);
  const spans: [from: number, to: number][] = [];
  for (let block = 0; block < words.length; block += BLOCK_WORDS) {
    let isUsed = false;
    for (let at = block; at < block + BLOCK_WORDS && !isUsed; at++) isUsed = words[at] !== 0n;
    if (!isUsed) continue;
    const from = (block / BLOCK_WORDS) * BLOCK_BYTES;
    const last = spans.at(-1);
    if (last !== undefined && last[1] === from) last[1] = from + BLOCK_BYTES;
    else spans.push([from, from + BLOCK_BYTES]);
  }
  return spans;
}
