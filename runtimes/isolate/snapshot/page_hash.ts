/**
 * A hash of memory pages, to see whether a page is still what it was. It is keyed with secret
 * random numbers, so that a guest cannot make two contents that look the same.
 *
 * @module
 */

/** Bytes of a page of a snapshot. */
export const SNAPSHOT_PAGE_BYTES = 4096;
const WORDS = SNAPSHOT_PAGE_BYTES / 4;

/** Hashes the page that begins at a word of memory to a number of 52 bits. */
export type PageHash = (words: Int32Array, firstWord: number) => number;

/** A hash with its own key. */
export function createPageHash(random: (target: Uint8Array<ArrayBuffer>) => void): PageHash {
  const key = new Int32Array(4);
  random(new Uint8Array(key.buffer));
  const [seedA = 0, seedB = 0, keyA = 0, keyB = 0] = key;
  const oddA = keyA | 1;
  const oddB = keyB | 1;
  return (words, firstWord) => {
    let a = seedA;
    let b = seedB;
    const end = firstWord + WORDS;
    for (let at = firstWord; at < end; at += 2) {
      a = Math.imul(a ^ (words[at] ?? 0), oddA);
      b = Math.imul(b ^ (words[at + 1] ?? 0), oddB);
      a = (a << 15 | a >>> 17) + b | 0;
      b = (b << 13 | b >>> 19) ^ a;
    }
    return (a >>> 0) * 0x10_0000 + (b >>> 12);
  };
}
