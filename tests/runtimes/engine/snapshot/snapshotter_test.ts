// test: slow
import { assert, assertEquals, assertLess, assertThrows } from "@std/assert";
import {
  decodeSegment,
  SegmentEncoder,
  SegmentFormatError,
} from "../../../../runtimes/engine/snapshot/segment.ts";
import { SNAPSHOT_PAGE_BYTES } from "../../../../runtimes/engine/snapshot/page_hash.ts";
import {
  type Capture,
  type Snapshot,
  Snapshotter,
} from "../../../../runtimes/engine/snapshot/snapshotter.ts";
import { printedSeed, seeded } from "../../../support/random.ts";
import {
  assertSameBytes,
  below,
  differentPages,
  FakeState,
  fill,
  MEMORY_PAGE_BYTES,
  memoryOf,
  randomImage,
} from "./fake_state.ts";

const MAXIMUM_BYTES = 64 * MEMORY_PAGE_BYTES;
const NO_LIMIT = 1 << 30;

function snapshotterOf(state: FakeState): Snapshotter {
  return new Snapshotter(state, {
    memoryBytes: MAXIMUM_BYTES,
    random: (target) => void crypto.getRandomValues(target),
  });
}

/** A state, its snapshotter, and its stored snapshot. */
class Bench {
  readonly state: FakeState;
  snapshotter: Snapshotter;
  stored: Snapshot;

  constructor(random: () => number, pages = 12) {
    this.state = new FakeState(randomImage(random, pages), MAXIMUM_BYTES);
    this.snapshotter = snapshotterOf(this.state);
    const memoryBytes = this.state.memory().length;
    this.stored = { memoryBytes, globals: this.state.globals(), segments: [] };
  }

  /** Pages that the last capture was charged for. */
  charged = 0;

  capture(limit = NO_LIMIT): Capture {
    const capture = this.snapshotter.capture(limit, (pages) => {
      this.charged = pages;
      return true;
    });
    assert(capture !== undefined, "the snapshot is too large");
    const { memoryBytes, globals, reusedSegments, segment } = capture;
    const segments = [...this.stored.segments.slice(0, reusedSegments), segment];
    this.stored = { memoryBytes, globals, segments };
    return capture;
  }

  /** Puts the stored snapshot back: into this engine, or into another one. */
  restore(into: "this" | "another" = "this"): void {
    if (into === "another") this.snapshotter = snapshotterOf(this.state);
    this.state.reset();
    this.snapshotter.restore(this.stored);
  }

  write(page: number, byte = 1): void {
    const memory = this.state.memory();
    const at = page * SNAPSHOT_PAGE_BYTES + 7;
    memory[at] = (memory[at] ?? 0) ^ byte;
  }
}

function change(state: FakeState, random: () => number): void {
  const memory = state.memory();
  const at = below(random, memory.length);
  switch (below(random, 6)) {
    case 0: // back to the baseline
      memory.set(memoryOf(state.baseline).subarray(at, at + below(random, 50_000)), at);
      break;
    case 1:
      memory.fill(0, at, at + below(random, 50_000));
      break;
    case 2:
      fill(memory.subarray(at, at + below(random, 200_000)), random);
      break;
    case 3:
      if (memory.length < MAXIMUM_BYTES) state.grow(memory.length + MEMORY_PAGE_BYTES);
      break;
    default:
      memory[at] = below(random, 256);
  }
}

/** Number of pages of a segment. */
function pagesOf(segment: Uint8Array<ArrayBuffer>): number {
  return Array.from(decodeSegment(segment, MAXIMUM_BYTES / SNAPSHOT_PAGE_BYTES)).length;
}

Deno.test("snapshotter: any order of writes, captures and restores reproduces the memory", () => {
  const seed = printedSeed("snapshotter");
  for (let round = 0; round < 12; round++) {
    const random = seeded(seed + round);
    const bench = new Bench(random);
    let memory = bench.state.memory().slice();
    for (let turn = 0; turn < 60; turn++) {
      for (let count = below(random, 8); count > 0; count--) change(bench.state, random);
      if (random() < 0.7) {
        bench.state.values = { pointer: below(random, 1 << 30) };
        const { pages } = bench.capture();
        memory = bench.state.memory().slice();
        assertEquals(pages, differentPages(memory, memoryOf(bench.state.baseline)).length);
      }
      if (random() < 0.4) {
        bench.restore(random() < 0.5 ? "this" : "another");
        assertSameBytes(bench.state.memory(), memory, `seed ${seed}, round ${round}, turn ${turn}`);
        assertEquals(bench.state.globals(), bench.stored.globals);
      }
    }
  }
});

Deno.test("snapshotter: capture() returns differences only for memory that can be restored", () => {
  const bench = new Bench(seeded(7));
  bench.write(3);
  const { differences } = bench.capture();
  assertEquals([differences?.memory, differences?.pages], [bench.state.memory().buffer, [3]]);
  bench.state.grow(bench.state.memory().length + MEMORY_PAGE_BYTES);
  assertEquals(bench.capture().differences, undefined);
});

Deno.test("snapshotter: a run that changes one page writes one page", () => {
  const bench = new Bench(seeded(1));
  for (let page = 0; page < 150; page++) bench.write(page);
  bench.capture();
  bench.write(3);
  const { reusedSegments, segment } = bench.capture();
  assertEquals(reusedSegments, 1);
  assertLess(segment.length, 200);
  assertEquals(bench.capture().segment.length < 10, true); // and a run that changes no page writes none
});

Deno.test("snapshotter: pages that each run changes again are written alone", () => {
  const bench = new Bench(seeded(4));
  for (let page = 0; page < 150; page++) bench.write(page);
  bench.capture();
  for (let run = 1; run <= 20; run++) {
    for (let page = 40; page < 120; page++) bench.write(page, run);
    const { reusedSegments, segment } = bench.capture();
    assertEquals([reusedSegments, pagesOf(segment)], [1, 80], `run ${run}`);
  }
});

Deno.test("snapshotter: segments stay few, and written bytes stay proportional", () => {
  const random = seeded(printedSeed("merging"));
  const bench = new Bench(random, 48);
  let written = 0;
  let changed = 0;
  let most = 0;
  for (let turn = 0; turn < 600; turn++) {
    const pages = new Set(
      Array.from({ length: 1 + below(random, 6) }, () => below(random, 48 * 16)),
    );
    for (const page of pages) bench.write(page, 1 + below(random, 255));
    const before = bench.stored.segments.length;
    const { reusedSegments, segment } = bench.capture();
    changed += pages.size;
    written += pagesOf(segment);
    assert(reusedSegments <= before);
    most = Math.max(most, bench.stored.segments.length);
  }
  // the logarithm of the number of pages, and that many times each page at most
  assertLess(most, 12);
  assertLess(written, 8 * changed);
});

Deno.test("snapshotter: a page that returns to the baseline is recorded as such, and then forgotten", () => {
  const bench = new Bench(seeded(2));
  const pristine = bench.state.memory().slice();
  for (let page = 0; page < 100; page++) bench.write(page);
  bench.capture();
  for (const page of [10, 20]) bench.write(page);
  const { pages, reusedSegments } = bench.capture();
  assertEquals([pages, reusedSegments], [98, 1]);
  bench.restore();
  assertEquals(differentPages(bench.state.memory(), pristine).length, 98);
  assert(!differentPages(bench.state.memory(), pristine).some((page) => [10, 20].includes(page)));
  for (let page = 0; page < 100; page++) if (page !== 10 && page !== 20) bench.write(page);
  const last = bench.capture();
  assertEquals([last.pages, last.reusedSegments, last.segment.length < 10], [0, 0, true]);
  bench.restore();
  assertSameBytes(bench.state.memory(), pristine);
});

Deno.test("snapshotter: memory that grew is restored with its size, zero where nothing was written", () => {
  const bench = new Bench(seeded(3));
  const before = bench.state.memory().length;
  bench.state.grow(before + 3 * MEMORY_PAGE_BYTES);
  bench.state.memory()[before + 2 * MEMORY_PAGE_BYTES] = 9;
  const memory = bench.state.memory().slice();
  assertEquals(bench.capture().pages, 1);
  bench.restore("another");
  assertSameBytes(bench.state.memory(), memory);
});

Deno.test("snapshotter: memory outside the live spans is not stored", () => {
  const bench = new Bench(seeded(4));
  const secret = new TextEncoder().encode("not to be seen in any snapshot ".repeat(100));
  const live = 20 * SNAPSHOT_PAGE_BYTES;
  bench.write(1);
  bench.state.memory().set(secret, live);
  bench.state.spans = [[0, live]];
  assertEquals(bench.capture().pages, 1);
  bench.restore();
  const pristine = memoryOf(bench.state.baseline);
  assertEquals(differentPages(bench.state.memory(), pristine), [1]);
});

Deno.test("snapshotter: dead pages count as equal to the baseline, with any contents", () => {
  const bench = new Bench(seeded(5));
  for (let page = 0; page < 100; page++) bench.write(page);
  bench.capture();
  bench.state.spans = [[0, 90 * SNAPSHOT_PAGE_BYTES]];
  bench.write(95); // dead
  assertEquals(bench.capture().pages, 90);
  bench.restore();
  const left = differentPages(bench.state.memory(), memoryOf(bench.state.baseline));
  assertEquals(left.length, 90);
  assertEquals(bench.capture().segment.length < 10, true);
});

Deno.test("snapshotter: a state over the limit gives no snapshot, and merging is tried first", () => {
  const random = seeded(printedSeed("too large"));
  const bench = new Bench(random);
  const noise = (page: number) => {
    const at = page * SNAPSHOT_PAGE_BYTES;
    const bytes = bench.state.memory().subarray(at, at + SNAPSHOT_PAGE_BYTES);
    for (let i = 0; i < bytes.length; i++) bytes[i] = below(random, 256);
  };
  for (let page = 0; page < 64; page++) noise(page);
  const whole = bench.capture().segment.length;
  // the same pages over and over: all reused, they would exceed the limit
  const limit = whole + 20 * SNAPSHOT_PAGE_BYTES;
  for (let turn = 0; turn < 8; turn++) {
    for (let page = 0; page < 16; page++) noise(page);
    bench.capture(limit);
    const stored = bench.stored.segments.reduce((sum, { length }) => sum + length, 0);
    assertLess(stored, limit + 1);
  }
  const memory = bench.state.memory().slice();
  bench.restore();
  assertSameBytes(bench.state.memory(), memory);
  for (let page = 64; page < 128; page++) noise(page);
  assertEquals(bench.snapshotter.capture(limit), undefined);
  bench.restore();
  assertSameBytes(bench.state.memory(), memory);
});

Deno.test("snapshotter: a snapshot of an impossible size, or with a bad segment, is refused", () => {
  const bench = new Bench(seeded(6));
  const { globals } = bench.stored;
  const sizes = [0, -MEMORY_PAGE_BYTES, NaN, Infinity, MEMORY_PAGE_BYTES, 12.5 * MEMORY_PAGE_BYTES];
  for (const memoryBytes of [...sizes, MAXIMUM_BYTES + MEMORY_PAGE_BYTES, 2 ** 40]) {
    bench.state.reset();
    const error = assertThrows(() =>
      bench.snapshotter.restore({ memoryBytes, globals, segments: [] })
    );
    assert(error instanceof SegmentFormatError || error instanceof RangeError, String(error));
  }
  const { memoryBytes } = bench.stored;
  const outside = new SegmentEncoder().encode([memoryBytes / SNAPSHOT_PAGE_BYTES], () => undefined);
  const empty = new SegmentEncoder().encode([], () => undefined);
  for (const segment of [outside, new Uint8Array(), new Uint8Array(100).fill(255)]) {
    bench.state.reset();
    assert(segment !== undefined && empty !== undefined);
    const snapshot = { memoryBytes, globals, segments: [empty, segment] };
    assertThrows(() => bench.snapshotter.restore(snapshot), SegmentFormatError);
  }
  bench.restore();
  assertSameBytes(bench.state.memory(), memoryOf(bench.state.baseline));
});

Deno.test("snapshotter: a capture is charged the same wherever the state was before the run", () => {
  const random = seeded(printedSeed("charged pages"));
  const perPage = MEMORY_PAGE_BYTES / SNAPSHOT_PAGE_BYTES;
  for (let turn = 0; turn < 30; turn++) {
    const benches = [new Bench(seeded(turn + 1)), new Bench(seeded(turn + 1))];
    for (let step = 0; step < 8; step++) {
      const live = 1 + below(random, 12 * perPage - 1);
      const writes = Array.from({ length: below(random, 60) }, () => [
        below(random, 12 * perPage),
        below(random, 2 ** 32), // no page gets the same value twice
      ]);
      const charges = benches.map((bench, index) => {
        if (index === 1 && step > 0) bench.restore("another"); // dead bytes are gone
        for (const [page = 0, value = 0] of writes) {
          const view = new DataView(bench.state.memory().buffer);
          view.setUint32(page * SNAPSHOT_PAGE_BYTES, value);
        }
        bench.state.spans = [[0, live * SNAPSHOT_PAGE_BYTES]];
        bench.capture();
        return bench.charged;
      });
      assertEquals(charges[0], charges[1], `turn ${turn}, step ${step}`);
    }
  }
});

Deno.test("snapshotter: a capture that is not afforded compresses nothing", () => {
  const bench = new Bench(seeded(1));
  bench.write(3);
  bench.write(4);
  assertEquals(bench.snapshotter.capture(NO_LIMIT, (pages) => pages < 2), undefined);
});
