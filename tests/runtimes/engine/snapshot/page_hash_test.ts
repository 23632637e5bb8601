import { assertEquals, assertNotEquals } from "@std/assert";
import {
  createPageHash,
  SNAPSHOT_PAGE_BYTES,
} from "../../../../runtimes/engine/snapshot/page_hash.ts";
import { printedSeed, seeded } from "../../../support/random.ts";
import { below, fill } from "./fake_state.ts";

const WORDS = SNAPSHOT_PAGE_BYTES / 4;

function keyed(seed: number) {
  const random = seeded(seed);
  return createPageHash((target) => {
    for (let at = 0; at < target.length; at++) target[at] = below(random, 256);
  });
}

Deno.test("page hash: the same page has the same hash at any address", () => {
  const hash = keyed(1);
  const words = new Int32Array(3 * WORDS);
  fill(new Uint8Array(words.buffer, 0, SNAPSHOT_PAGE_BYTES), seeded(2));
  words.copyWithin(2 * WORDS, 0, WORDS);
  assertEquals(hash(words, 0), hash(words, 2 * WORDS));
  assertNotEquals(hash(words, 0), hash(words, WORDS));
});

Deno.test("page hash: every bit of a page counts, and hashes are non-negative integers", () => {
  const seed = printedSeed("page hash");
  const hash = keyed(seed);
  const words = new Int32Array(WORDS);
  fill(new Uint8Array(words.buffer), seeded(seed));
  const seen = new Set([hash(words, 0)]);
  for (let bit = 0; bit < SNAPSHOT_PAGE_BYTES * 8; bit++) {
    const at = bit >> 5;
    words[at] = (words[at] ?? 0) ^ (1 << (bit & 31));
    seen.add(hash(words, 0));
    words[at] = (words[at] ?? 0) ^ (1 << (bit & 31));
  }
  assertEquals(seen.size, SNAPSHOT_PAGE_BYTES * 8 + 1);
  assertEquals([...seen].every((value) => Number.isSafeInteger(value) && value >= 0), true);
});

Deno.test("page hash: different keys give different hashes", () => {
  const words = new Int32Array(WORDS).fill(7);
  const hashes = Array.from({ length: 1_000 }, (_, seed) => keyed(seed)(words, 0));
  assertEquals(new Set(hashes).size, 1_000);
});

/** The hash by its definition, in integers of any size. */
function defined(words: Int32Array, key: Uint8Array): number {
  const keys = new Uint32Array(key.buffer, 0, 2 * WORDS);
  const factors = new BigUint64Array(key.buffer, 2 * SNAPSHOT_PAGE_BYTES, 2);
  const total = [0, 1].reduce((all, which) => {
    let sum = 0n;
    for (let at = 0; at < WORDS; at++) {
      if (at % 8 >= 4) continue; // each word of a vector is paired with that of the next one
      const [left, right] = [at, at + 4].map((place) =>
        BigInt(((words[place] ?? 0) + (keys[which * WORDS + place] ?? 0)) >>> 0)
      );
      sum += (left ?? 0n) * (right ?? 0n);
    }
    return all + BigInt.asUintN(64, sum) * (factors[which] ?? 0n);
  }, 0n);
  return Number(BigInt.asUintN(64, total) >> 11n);
}

Deno.test("page hash: the hash equals its definition", () => {
  const seed = printedSeed("page hash definition");
  for (let turn = 0; turn < 20; turn++) {
    let key = new Uint8Array();
    const random = seeded(seed + turn);
    const hash = createPageHash((target) => {
      for (let at = 0; at < target.length; at++) target[at] = below(random, 256);
      key = target.slice();
    });
    const words = new Int32Array(WORDS);
    fill(new Uint8Array(words.buffer), random);
    assertEquals(hash(words, 0), defined(words, key));
  }
});

Deno.test("page hash: changes that a guest can choose are detected, with any key", () => {
  const top = 1 << 31;
  const flips: readonly (readonly (readonly [word: number, mask: number])[])[] = [
    [[1, top]],
    [[1, top], [2, top]],
    [[1, top], [2, top], [3, top | 1 << 12]],
    [[0, top], [4, top]],
    [[0, top], [4, top], [8, top], [12, top]],
    [[0, -1], [4, -1]],
    [[0, 1], [1, 1]],
  ];
  for (let seed = 0; seed < 300; seed++) {
    const hash = keyed(seed);
    for (const filling of [0, 7, -1, top]) {
      const before = new Int32Array(WORDS).fill(filling);
      for (const flip of flips) {
        const after = before.slice();
        for (const [word, mask] of flip) after[word] = (after[word] ?? 0) ^ mask;
        assertNotEquals(hash(after, 0), hash(before, 0), JSON.stringify({ seed, filling, flip }));
      }
    }
    const swapped = Int32Array.from({ length: WORDS }, (_, index) => index ^ 4);
    const straight = Int32Array.from({ length: WORDS }, (_, index) => index);
    assertNotEquals(hash(swapped, 0), hash(straight, 0));
  }
});
