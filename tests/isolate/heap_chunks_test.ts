import { assert, assertEquals } from "@std/assert";
import { firstChunk, spansInUse } from "../../runtimes/isolate/heap_chunks.ts";
import { printedSeed, seeded } from "../support/random.ts";

const PAGE_BYTES = 65_536;
const IN_USE = 3;

/** A heap of chunks that starts at 64; each chunk has a size and a flag for being in use. */
function heapOf(...chunks: readonly (readonly [size: number, isUsed: boolean])[]) {
  const memory = new Uint8Array(PAGE_BYTES * 4);
  const words = new Uint32Array(memory.buffer);
  let at = 64;
  for (const [size, isUsed] of chunks) {
    words[at / 4 + 1] = size | (isUsed ? IN_USE : 0);
    at += size;
  }
  return { memory, end: at };
}

Deno.test("heap chunks: the contents of large free chunks are omitted, their links are not", () => {
  const { memory, end } = heapOf([32, true], [40_000, false], [16, true], [64, false], [
    20_000,
    false,
  ]);
  assertEquals(spansInUse(memory, { from: 8, first: 64, end }), [
    [8, 64 + 32 + 32],
    [64 + 32 + 40_000, 64 + 32 + 40_000 + 16 + 64 + 32],
    [end, end],
  ]);
  assertEquals([firstChunk(64), firstChunk(60), firstChunk(65)], [64, 64, 72]);
});

Deno.test("heap chunks: after an inconsistent chunk, all the rest counts as used", () => {
  for (const size of [0, 8, 0xffff_fff0, 300_000]) {
    const { memory, end } = heapOf([32, true], [size, false]);
    const heap = { from: 0, first: 64, end: Math.min(end, memory.length) };
    assertEquals(spansInUse(memory, heap), [[0, heap.end]], `size ${size}`);
  }
});

Deno.test("heap chunks: for any memory the walk ends, within the heap and in order", () => {
  const seed = printedSeed("heap chunks");
  const random = seeded(seed);
  for (let turn = 0; turn < 300; turn++) {
    const memory = new Uint8Array(PAGE_BYTES);
    const words = new Uint32Array(memory.buffer);
    const most = [64, 4_096, 2 ** 16, 2 ** 32][turn % 4] ?? 0;
    for (let i = 0; i < words.length; i++) words[i] = Math.floor(random() * most);
    const first = Math.floor(random() * 2 ** (turn % 33)) - 8;
    const end = turn % 3 === 0 ? Math.floor(random() * 2 ** 32) : memory.length;
    const spans = spansInUse(memory, { from: 0, first, end });
    let last = 0;
    for (const [from, to] of spans) {
      assert(
        from >= last && (to >= from || to === end),
        `seed ${seed}, turn ${turn}: ${from}-${to}`,
      );
      last = to;
    }
    assertEquals(last, Math.min(end, memory.length));
  }
});
