import { assert, assertEquals, assertFalse } from "@std/assert";
import { Baseline } from "../../../runtimes/engine/baseline.ts";
import { differenceOf } from "../../../runtimes/engine/image_difference.ts";
import type { MemorySpan } from "../../../runtimes/engine/image.ts";
import { MemorySize } from "../../../runtimes/engine/memory_size.ts";
import { SNAPSHOT_PAGE_BYTES } from "../../../runtimes/engine/snapshot/page_hash.ts";
import { PAGES_EXPORT } from "../../../wasm/metering/added_exports.ts";
import { printedSeed, seeded } from "../../support/random.ts";
import {
  assertSameBytes,
  below,
  differentPages,
  fill,
  MEMORY_PAGE_BYTES,
  memoryOf,
  randomImage,
} from "./snapshot/fake_state.ts";

function pagesFound(
  pages: Baseline<unknown>,
  memory: Uint8Array<ArrayBuffer>,
  spans: readonly MemorySpan[] = [[0, memory.length]],
): number[] {
  const found: number[] = [];
  pages.forEachDifferent(memory, spans, (page) => found.push(page));
  return found;
}

/** Writes here and there: single bytes, the last byte of a page, zeros, whole stretches. */
function scribble(memory: Uint8Array, random: () => number): void {
  for (let count = below(random, 30); count > 0; count--) {
    const at = below(random, memory.length);
    switch (below(random, 4)) {
      case 0:
        memory[at] = below(random, 256);
        break;
      case 1:
        memory[at | (SNAPSHOT_PAGE_BYTES - 1)] = below(random, 256);
        break;
      case 2:
        memory.fill(0, at, at + below(random, 100_000));
        break;
      default:
        fill(memory.subarray(at, at + below(random, 10_000)), random);
    }
  }
}

Deno.test("baseline: untouched memory has no pages that differ", () => {
  const image = randomImage(seeded(printedSeed("untouched")), 20);
  assertEquals(pagesFound(new Baseline(image), memoryOf(image)), []);
});

Deno.test("baseline: exactly the pages that differ are found, and their differences restore them", () => {
  const random = seeded(printedSeed("differences"));
  for (let turn = 0; turn < 60; turn++) {
    const image = randomImage(random, 1 + below(random, 16));
    const baseline = memoryOf(image);
    const memory = new Uint8Array(baseline.length + below(random, 4) * MEMORY_PAGE_BYTES);
    memory.set(baseline);
    scribble(memory, random);
    const pages = new Baseline(image);
    const found = pagesFound(pages, memory);
    assertEquals(found, differentPages(memory, baseline));
    const rebuilt = new Uint8Array(memory.length);
    rebuilt.set(baseline);
    for (const page of found) {
      // at addresses of any alignment
      const target = new Uint8Array(SNAPSHOT_PAGE_BYTES + 8).subarray(page % 5);
      const difference = target.subarray(0, SNAPSHOT_PAGE_BYTES);
      pages.difference(memory, page, difference);
      const at = page * SNAPSHOT_PAGE_BYTES;
      difference.forEach((byte, i) => rebuilt[at + i] = (rebuilt[at + i] ?? 0) ^ byte);
    }
    assertSameBytes(rebuilt, memory);
  }
});

Deno.test("baseline: only pages with a byte in a span are compared, each once", () => {
  const random = seeded(printedSeed("spans"));
  for (let turn = 0; turn < 60; turn++) {
    const image = randomImage(random, 8);
    const memory = memoryOf(image);
    scribble(memory, random);
    const cuts = Array.from(
      { length: 2 * (1 + below(random, 6)) },
      () => below(random, memory.length),
    )
      .sort((a, b) => a - b);
    const spans: MemorySpan[] = [];
    for (let i = 0; i < cuts.length; i += 2) spans.push([cuts[i] ?? 0, cuts[i + 1] ?? 0]);
    const inSpans = (page: number) => {
      const from = page * SNAPSHOT_PAGE_BYTES;
      return spans.some(([start, end]) =>
        start < end && start < from + SNAPSHOT_PAGE_BYTES && end > from
      );
    };
    const found = pagesFound(new Baseline(image), memory, spans);
    assertEquals(found, differentPages(memory, memoryOf(image)).filter(inSpans));
  }
});

Deno.test("baseline: restore() puts any memory back byte for byte, repeatedly", () => {
  const random = seeded(printedSeed("put back"));
  for (let turn = 0; turn < 40; turn++) {
    const image = randomImage(random, 1 + below(random, 16));
    const baseline = new Baseline(image);
    const memory = memoryOf(image);
    for (let again = 0; again < 4; again++) {
      scribble(memory, random);
      assert(baseline.restore(memory));
      assertSameBytes(memory, memoryOf(image));
    }
    const fresh = new Uint8Array(memory.length);
    assert(baseline.restore(fresh));
    assertSameBytes(fresh, memory);
    scribble(fresh, random);
    const written = fresh.slice();
    assertFalse(baseline.restore(new Uint8Array(memory.length + 65_536)), "another size");
    assertSameBytes(fresh, written);
    assert(baseline.restore(fresh));
    assertSameBytes(fresh, memory);
  }
});

Deno.test("baseline: a memory whose differences are known in some spans is put back as a whole", () => {
  const random = seeded(printedSeed("known differences"));
  for (let turn = 0; turn < 60; turn++) {
    const image = randomImage(random, 1 + below(random, 16));
    const baseline = new Baseline(image);
    const memory = memoryOf(image);
    scribble(memory, random);
    const cut = () => below(random, 2 * memory.length) - below(random, 2) * below(random, 100_000);
    const spans = Array.from({ length: below(random, 5) }, (): MemorySpan => {
      const [from = 0, to = 0] = [Math.max(0, cut()), cut()].sort((a, b) => a - b);
      return [from, to];
    }).sort(([a], [b]) => a - b);
    const known = { memory: memory.buffer, spans, pages: pagesFound(baseline, memory, spans) };
    baseline.knowing(known, () => assert(baseline.restore(memory)));
    assertSameBytes(memory, memoryOf(image), `turn ${turn}`);
  }
});

Deno.test("baseline: known differences apply once, to one memory", () => {
  const random = seeded(printedSeed("known of another"));
  const image = randomImage(random, 8);
  const baseline = new Baseline(image);
  const memory = memoryOf(image);
  const known = { memory: memory.buffer, spans: [[0, memory.length] as const], pages: [] };
  const other = new Uint8Array(memory.length);
  baseline.knowing(known, () => assert(baseline.restore(other)));
  assertSameBytes(other, memoryOf(image));
  baseline.knowing(known, () => undefined);
  scribble(memory, random);
  assert(baseline.restore(memory));
  assertSameBytes(memory, memoryOf(image));
});

Deno.test("baseline: one over another has all pages of its image", () => {
  const random = seeded(printedSeed("over another"));
  for (let turn = 0; turn < 40; turn++) {
    const lower = randomImage(random, 1 + below(random, 8));
    const memory = new Uint8Array(memoryOf(lower).length + below(random, 4) * MEMORY_PAGE_BYTES);
    memory.set(memoryOf(lower));
    scribble(memory, random);
    const image = {
      head: {},
      pages: memory.length / MEMORY_PAGE_BYTES,
      ranges: [{ at: 0, data: memory.slice() }],
    };
    const difference = differenceOf(image, lower);
    assertEquals(
      difference.ranges.reduce((sum, { data }) => sum + data.length, 0) / SNAPSHOT_PAGE_BYTES,
      differentPages(memory, memoryOf(lower)).length,
    );
    const upper = new Baseline(difference, new Baseline(lower));
    assertEquals(pagesFound(upper, memory), []);
    scribble(memory, random);
    assert(upper.restore(memory));
    assertSameBytes(memory, memoryOf(image));
  }
});

Deno.test("baseline: a memory goes from one baseline to the other and back, whatever it holds", () => {
  const random = seeded(printedSeed("back and forth"));
  for (let turn = 0; turn < 40; turn++) {
    const lower = randomImage(random, 1 + below(random, 8));
    const more = below(random, 4);
    const changed = new Uint8Array(memoryOf(lower).length + more * MEMORY_PAGE_BYTES);
    changed.set(memoryOf(lower));
    scribble(changed, random);
    const pages = changed.length / MEMORY_PAGE_BYTES;
    const image = { head: {}, pages, ranges: [{ at: 0, data: changed.slice() }] };
    const plain = new Baseline<unknown>(lower);
    const upper = new Baseline<unknown>(differenceOf(image, lower), plain);
    const both = [plain, upper] as const;
    const whole = new Uint8Array(changed.length);
    whole.set(memoryOf(lower));
    const owner = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const memory = new Uint8Array(owner.buffer as ArrayBuffer);
    // it may be larger than its guest sees it
    const seen = new WebAssembly.Global({ value: "i32", mutable: true }, pages);
    const size = new MemorySize(owner, { [PAGES_EXPORT]: seen });
    for (let again = 0; again < 6; again++) {
      scribble(memory, random);
      const [from, to] = [both[below(random, 2)] ?? plain, both[again % 2] ?? plain];
      assert(to.restore(memory, size, from));
      assertSameBytes(memory, to === upper ? changed : whole, `turn ${turn}`);
      assertEquals(size.bytes, to.pages * MEMORY_PAGE_BYTES);
    }
  }
});
