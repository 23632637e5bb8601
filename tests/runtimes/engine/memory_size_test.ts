import { assert, assertEquals, assertFalse, assertThrows } from "@std/assert";
import { Baseline } from "../../../runtimes/engine/baseline.ts";
import { growMemory, type MemoryImage, type MemorySpan } from "../../../runtimes/engine/image.ts";
import { MemorySize } from "../../../runtimes/engine/memory_size.ts";
import { PAGES_EXPORT } from "../../../wasm/metering/added_exports.ts";
import { Snapshotter } from "../../../runtimes/engine/snapshot/snapshotter.ts";
import { MAX_SPARE_BYTES } from "../../../runtimes/engine/spare_memory.ts";
import { printedSeed, seeded } from "../../support/random.ts";
import {
  assertSameBytes,
  FakeState,
  MEMORY_PAGE_BYTES,
  memoryOf,
  randomImage,
} from "./snapshot/fake_state.ts";

const PAGES = 4;
const MOST = 2_000;

type Bytes = Uint8Array<ArrayBuffer>;

/** A memory, and its size in a module that keeps one of its own, or in one that does not. */
function memoryAndSize(hasOwn = true) {
  const memory = new WebAssembly.Memory({ initial: PAGES, maximum: MOST });
  const pages = new WebAssembly.Global({ value: "i32", mutable: true }, 0);
  return { memory, size: new MemorySize(memory, hasOwn ? { [PAGES_EXPORT]: pages } : {}) };
}

/** The same, at a baseline that uses all of the first pages. */
function atBaseline(hasOwn = true) {
  const image = { ...randomImage(seeded(printedSeed("spare memory")), PAGES), pages: PAGES };
  const baseline = new Baseline(image);
  const { memory, size } = memoryAndSize(hasOwn);
  const bytes = (): Bytes => {
    const { buffer } = memory;
    assert(buffer instanceof ArrayBuffer);
    return new Uint8Array(buffer);
  };
  assert(baseline.restore(bytes(), size));
  return { image, baseline, memory, size, bytes };
}

Deno.test("memory size: the guest's size begins as the memory's and is restored without the memory", () => {
  const { memory, size } = memoryAndSize();
  assertEquals(size.bytes, PAGES * MEMORY_PAGE_BYTES);
  size.bytes = 9 * MEMORY_PAGE_BYTES;
  size.bytes = 5 * MEMORY_PAGE_BYTES;
  assertEquals([size.bytes, memory.buffer.byteLength].map((n) => n / MEMORY_PAGE_BYTES), [5, 9]);
  growMemory(size, 7 * MEMORY_PAGE_BYTES, MOST);
  assertEquals([size.bytes, memory.buffer.byteLength].map((n) => n / MEMORY_PAGE_BYTES), [7, 9]);
});

Deno.test("memory size: a size out of bounds changes nothing", () => {
  const { memory, size } = memoryAndSize();
  assertThrows(() => size.bytes = (MOST + 1) * MEMORY_PAGE_BYTES, RangeError);
  assertThrows(() => growMemory(size, 3 * MEMORY_PAGE_BYTES, MOST), RangeError);
  assertThrows(() => growMemory(size, 9 * MEMORY_PAGE_BYTES, 8), RangeError);
  assertThrows(() => growMemory(size, NaN, MOST), RangeError);
  assertEquals([size.bytes, memory.buffer.byteLength], [size.bytes, PAGES * MEMORY_PAGE_BYTES]);
});

Deno.test("memory size: in a module without one of its own it is the memory's, and only grows", () => {
  const { memory, size } = memoryAndSize(false);
  size.bytes = 9 * MEMORY_PAGE_BYTES;
  assertEquals(memory.buffer.byteLength, 9 * MEMORY_PAGE_BYTES);
  assertThrows(() => size.bytes = 5 * MEMORY_PAGE_BYTES, RangeError);
  assertEquals([size.bytes, size.isOwn], [9 * MEMORY_PAGE_BYTES, false]);
});

Deno.test("spare memory: memory that a program needed is restored, too, and stays for the next program", () => {
  const { image, baseline, memory, size, bytes } = atBaseline();
  size.bytes = 200 * MEMORY_PAGE_BYTES;
  bytes().fill(7, 3 * MEMORY_PAGE_BYTES);
  const { buffer } = memory;
  assert(baseline.restore(bytes(), size));
  assertEquals([size.bytes, memory.buffer], [PAGES * MEMORY_PAGE_BYTES, buffer]);
  const expected = new Uint8Array(buffer.byteLength);
  expected.set(memoryOf(image));
  assertSameBytes(bytes(), expected);
  bytes()[150 * MEMORY_PAGE_BYTES] = 1; // not by the rules, for the guest's size is smaller
  assert(baseline.restore(bytes(), size));
  assertSameBytes(bytes(), expected);
});

Deno.test("spare memory: an instance is given up after it was compared for nothing for long", () => {
  const { baseline, size, bytes } = atBaseline();
  const spare = 1_000 * MEMORY_PAGE_BYTES;
  const use = () => size.bytes = PAGES * MEMORY_PAGE_BYTES + spare;
  for (let turn = 0; turn < 100; turn++) {
    use();
    assert(baseline.restore(bytes(), size), "a program used it");
  }
  let kept = 0;
  while (baseline.restore(bytes(), size)) kept++;
  assertEquals(kept, Math.floor((1 << 30) / spare));
});

Deno.test("spare memory: an instance with too much of it is given up at once, and unchanged", () => {
  const { baseline, memory, size, bytes } = atBaseline();
  size.bytes = PAGES * MEMORY_PAGE_BYTES + MAX_SPARE_BYTES;
  assert(baseline.restore(bytes(), size));
  size.bytes = PAGES * MEMORY_PAGE_BYTES + MAX_SPARE_BYTES + MEMORY_PAGE_BYTES;
  bytes().fill(7);
  assertFalse(baseline.canPutBack(bytes(), size.bytes));
  assertFalse(baseline.restore(bytes(), size));
  assertEquals(size.bytes, memory.buffer.byteLength);
  assert(bytes().every((byte) => byte === 7));
});

Deno.test("spare memory: a module without a size of its own has none", () => {
  const { baseline, size, bytes } = atBaseline(false);
  size.bytes = (PAGES + 1) * MEMORY_PAGE_BYTES;
  assertFalse(baseline.canPutBack(bytes(), size.bytes));
  assertFalse(baseline.restore(bytes(), size));
});

/** An engine's state whose guest claims that its heap fills all of the memory. */
class LyingState extends FakeState {
  readonly #bytes: () => Bytes;
  readonly #size: MemorySize;

  constructor(image: MemoryImage<unknown>, bytes: () => Bytes, size: MemorySize) {
    super(image, MOST * MEMORY_PAGE_BYTES);
    this.#bytes = bytes;
    this.#size = size;
  }

  override memory(): Bytes {
    return this.#bytes().subarray(0, this.#size.bytes);
  }

  override liveSpans(): readonly MemorySpan[] {
    return [[0, this.#bytes().length]];
  }
}

Deno.test("spare memory: memory beyond the guest's size is restored after any capture", () => {
  const { image, memory, size, bytes } = atBaseline();
  const state = new LyingState(image, bytes, size);
  const { baseline } = state;
  size.bytes = 9 * MEMORY_PAGE_BYTES;
  assert(baseline.restore(bytes(), size));
  const random = (target: Bytes) => void crypto.getRandomValues(target);
  const snapshotter = new Snapshotter(state, { memoryBytes: MOST * MEMORY_PAGE_BYTES, random });
  bytes()[8 * MEMORY_PAGE_BYTES] = 7;
  bytes()[3 * MEMORY_PAGE_BYTES] = 7;
  const differences = snapshotter.capture(1 << 20)?.differences;
  assertEquals(differences?.memory, memory.buffer);
  baseline.knowing(differences, () => assert(baseline.restore(bytes(), size)));
  const expected = new Uint8Array(memory.buffer.byteLength);
  expected.set(memoryOf(image));
  assertSameBytes(bytes(), expected);
});

Deno.test("spare memory: the differences of a memory that the next reset gives up are not kept", () => {
  const { image, size, bytes } = atBaseline();
  const state = new LyingState(image, bytes, size);
  const { baseline } = state;
  const random = (target: Bytes) => void crypto.getRandomValues(target);
  const snapshotter = new Snapshotter(state, { memoryBytes: MOST * MEMORY_PAGE_BYTES, random });
  assert(baseline.restore(bytes(), size));
  size.bytes = 1_000 * MEMORY_PAGE_BYTES;
  for (let isKept = true; isKept;) {
    isKept = snapshotter.capture(1 << 20)?.differences !== undefined;
    assertEquals(baseline.restore(bytes(), size), isKept);
  }
});
