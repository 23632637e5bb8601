import { assertEquals, assertNotEquals } from "@std/assert";
import {
  createPageHash,
  SNAPSHOT_PAGE_BYTES,
} from "../../../runtimes/isolate/snapshot/page_hash.ts";
import { printedSeed, seeded } from "../../store/fixture.ts";
import { below, fill } from "./fake_state.ts";

const WORDS = SNAPSHOT_PAGE_BYTES / 4;

function keyed(seed: number) {
  const random = seeded(seed);
  return createPageHash((target) => {
    for (let at = 0; at < target.length; at++) target[at] = below(random, 256);
  });
}

Deno.test("page hash: the same page has the same hash, wherever it lies", () => {
  const hash = keyed(1);
  const words = new Int32Array(3 * WORDS);
  fill(new Uint8Array(words.buffer, 0, SNAPSHOT_PAGE_BYTES), seeded(2));
  words.copyWithin(2 * WORDS, 0, WORDS);
  assertEquals(hash(words, 0), hash(words, 2 * WORDS));
  assertNotEquals(hash(words, 0), hash(words, WORDS));
});

Deno.test("page hash: every bit of a page counts, and hashes are whole numbers not below zero", () => {
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

Deno.test("page hash: other keys give other hashes", () => {
  const words = new Int32Array(WORDS).fill(7);
  const hashes = Array.from({ length: 1_000 }, (_, seed) => keyed(seed)(words, 0));
  assertEquals(new Set(hashes).size, 1_000);
});
