import { assert, assertEquals } from "@std/assert";
import { GuestHeap } from "../../../runtimes/engine/guest_heap.ts";
import { firstChunk } from "../../../runtimes/engine/heap_chunks.ts";
import { printedSeed, seeded } from "../../support/random.ts";

const PAGE_BYTES = 65_536;
const IN_USE = 3;
/** A heap of any memory, without the allocator's lists. */
const walked = (first: number) => new GuestHeap(new Uint8Array(PAGE_BYTES), first);

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
  assertEquals(walked(64).spansInUse(memory, { from: 8, end }), [
    [8, 64 + 32 + 32],
    [64 + 32 + 40_000, 64 + 32 + 40_000 + 16 + 64 + 32],
    [end, end],
  ]);
  assertEquals([firstChunk(64), firstChunk(60), firstChunk(65)], [64, 64, 72]);
});

Deno.test("heap chunks: after an inconsistent chunk, all the rest counts as used", () => {
  for (const size of [0, 8, 0xffff_fff0, 300_000]) {
    const { memory, end } = heapOf([32, true], [size, false]);
    const heap = { from: 0, end: Math.min(end, memory.length) };
    assertEquals(walked(64).spansInUse(memory, heap), [[0, heap.end]], `size ${size}`);
  }
});

const STATE = 1_024;
const FIRST = 4_096;

/** A heap with the allocator's state: two free chunks of the same size, a larger one, and the top. */
function listedHeap() {
  const memory = new Uint8Array(4 * PAGE_BYTES);
  const words = new Uint32Array(memory.buffer);
  const chunk = (at: number, size: number, isUsed = false) => {
    words[at / 4 + 1] = size | (isUsed ? IN_USE : 1);
    return at;
  };
  const used = (at: number) => chunk(at, 16, true) + 16;
  const a = chunk(used(FIRST), 10_000);
  const b = chunk(used(a + 10_000), 10_000);
  const large = chunk(used(b + 10_000), 50_000);
  const top = used(large + 50_000);
  const topSize = memory.length - 40 - top;
  chunk(top, topSize);
  chunk(top + topSize, 40);
  const state = STATE / 4;
  words.set([topSize, 0, 0, top], state + 3);
  words[state + 76 + 10] = a;
  words[state + 76 + 14] = large;
  for (const [at, next] of [[a, b], [b, a], [large, large]] as const) words[at / 4 + 2] = next;
  return { memory, words, a, b, large, top };
}

Deno.test("heap chunks: free chunks are found in the allocator's lists, too", () => {
  const { memory, words, a, b, large, top } = listedHeap();
  const heap = new GuestHeap(memory, FIRST);
  const bounds = { from: 0, end: memory.length };
  const all = [
    [0, a + 32],
    [a + 10_000, b + 32],
    [b + 10_000, large + 32],
    [large + 50_000, top + 32],
    [memory.length - 40, memory.length],
  ] as const;
  assertEquals(heap.spansInUse(memory, bounds), all.map((span) => [...span]));
  // not from a walk: one would stop here
  words[FIRST / 4 + 1] = 0;
  assertEquals(heap.spansInUse(memory, bounds).length, all.length);
  // a chunk in use is not free, whatever the lists say
  words[large / 4 + 1] = 50_000 | IN_USE;
  assertEquals(heap.spansInUse(memory, bounds).length, all.length - 1);
});

Deno.test("heap chunks: lists of any content end, within the heap and in order", () => {
  const seed = printedSeed("heap lists");
  const random = seeded(seed);
  for (let turn = 0; turn < 300; turn++) {
    const { memory, words, a, b, large, top } = listedHeap();
    const heap = new GuestHeap(memory, FIRST);
    const targets = [a, b, large, top, 0, FIRST, memory.length - 8];
    const link = () =>
      random() < 0.7
        ? targets[Math.floor(random() * targets.length)] ?? 0
        : Math.floor(random() * 2 ** 32);
    for (const at of [a, b, large, top]) {
      for (let field = 2; field < 8; field++) words[at / 4 + field] = link();
    }
    for (let tree = 0; tree < 32; tree++) words[STATE / 4 + 76 + tree] = link();
    words[STATE / 4 + 6] = link();
    if (turn % 3 === 0) words[large / 4 + 1] = Math.floor(random() * memory.length);
    checkOrder(heap.spansInUse(memory, { from: 0, end: memory.length }), memory.length, seed);
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
    checkOrder(
      walked(first).spansInUse(memory, { from: 0, end }),
      Math.min(end, memory.length),
      `${seed}, turn ${turn}`,
    );
  }
});

function checkOrder(
  spans: readonly (readonly [from: number, to: number])[],
  end: number,
  seed: number | string,
): void {
  let last = 0;
  for (const [from, to] of spans) {
    assert(from >= last && (to >= from || to === end), `seed ${seed}: ${from}-${to}`);
    last = to;
  }
  assertEquals(last, end);
}
