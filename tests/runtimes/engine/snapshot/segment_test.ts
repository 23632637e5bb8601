import { deflateRawSync } from "node:zlib";
import { assert, assertEquals, assertLess, assertThrows } from "@std/assert";
import { SNAPSHOT_PAGE_BYTES } from "../../../../runtimes/engine/snapshot/page_hash.ts";
import {
  decodeSegment,
  SegmentEncoder,
  SegmentFormatError,
} from "../../../../runtimes/engine/snapshot/segment.ts";
import { printedSeed, seeded } from "../../../support/random.ts";
import { assertSameBytes, below, fill } from "./fake_state.ts";

const MEMORY_PAGES = 512;

/** All pages of a segment. */
function decoded(bytes: Uint8Array<ArrayBuffer>, memoryPages = MEMORY_PAGES) {
  return Array.from(
    decodeSegment(bytes, memoryPages),
    ({ page, difference }) => ({ page, difference: difference.slice() }),
  );
}

/** A handmade segment with any content. */
function segmentOf(
  count: number,
  pages: readonly number[],
  differenceBytes: number,
): Uint8Array<ArrayBuffer> {
  const raw = new Uint8Array(pages.length * 4 + differenceBytes);
  const view = new DataView(raw.buffer);
  pages.forEach((page, index) => view.setUint32(index * 4, page, true));
  const packed = deflateRawSync(raw);
  const bytes = new Uint8Array(4 + packed.length);
  new DataView(bytes.buffer).setUint32(0, count, true);
  bytes.set(packed, 4);
  return bytes;
}

Deno.test("segment: pages are unpacked as they were packed", () => {
  const random = seeded(printedSeed("segment round trip"));
  const encoder = new SegmentEncoder();
  for (let turn = 0; turn < 40; turn++) {
    const pages = Array.from({ length: MEMORY_PAGES }, (_, page) => page)
      .filter(() => random() < turn / 40);
    const differences = new Map(pages.map((page) => {
      const difference = new Uint8Array(SNAPSHOT_PAGE_BYTES);
      if (random() < 0.8) fill(difference, random);
      return [page, difference];
    }));
    const bytes = encoder.encode(pages, (page, target) => {
      target.set(differences.get(page) ?? new Uint8Array());
    });
    assert(bytes !== undefined);
    const unpacked = decoded(bytes);
    assertEquals(unpacked.map(({ page }) => page), pages);
    for (const { page, difference } of unpacked) {
      assertSameBytes(difference, differences.get(page) ?? new Uint8Array());
    }
  }
});

Deno.test("segment: a segment without pages is valid", () => {
  const empty = new SegmentEncoder().encode([], () => undefined);
  assert(empty !== undefined);
  assertEquals(decoded(empty, 1), []);
});

Deno.test("segment: packing stops soon after the limit", () => {
  const random = seeded(printedSeed("segment limit"));
  const pages = Array.from({ length: 8_192 }, (_, page) => page);
  const noise = new Uint8Array(SNAPSHOT_PAGE_BYTES);
  fill(noise, random);
  let asked = 0;
  const differenceOf = (page: number, target: Uint8Array) => {
    asked++;
    target.set(noise);
    target[page % SNAPSHOT_PAGE_BYTES] = page;
    for (let at = 0; at < 4_096; at += 16) target[at] = Math.floor(random() * 256);
  };
  const encoder = new SegmentEncoder();
  const whole = encoder.encode(pages, differenceOf);
  assert(whole !== undefined && whole.length > 1 << 20);
  assertEquals(decoded(whole, 8_192).length, 8_192);
  asked = 0;
  assertEquals(encoder.encode(pages, differenceOf, whole.length / 8), undefined);
  assertLess(asked, 8_192 / 8 + 512);
  assertEquals(encoder.encode(pages.slice(0, 100), differenceOf, 100), undefined);
});

Deno.test("segment: the segment has more pages than the memory are refused before they are unpacked", () => {
  for (const count of [MEMORY_PAGES + 1, 0x7fffffff, 0xffffffff]) {
    const error = assertThrows(
      () => decoded(segmentOf(count, [1], SNAPSHOT_PAGE_BYTES), MEMORY_PAGES),
      SegmentFormatError,
    );
    assertEquals(error.message, "the segment has more pages than the memory");
  }
});

Deno.test("segment: the pages are out of order, twice, or out of memory are refused", () => {
  for (const pages of [[2, 1], [1, 1], [0, MEMORY_PAGES], [0, 0xffffffff]]) {
    const bytes = segmentOf(pages.length, pages, pages.length * SNAPSHOT_PAGE_BYTES);
    assertThrows(() => decoded(bytes), SegmentFormatError);
  }
});

Deno.test("segment: data that inflate to less or more than the pages are refused", () => {
  for (const bytes of [0, SNAPSHOT_PAGE_BYTES - 1, SNAPSHOT_PAGE_BYTES + 1]) {
    assertThrows(() => decoded(segmentOf(1, [3], bytes)), SegmentFormatError);
  }
  // 256 MiB of zeros in 256 KiB: no more than one page's worth of it is ever made
  const bomb = segmentOf(1, [3], 1 << 28);
  assertThrows(() => decoded(bomb), SegmentFormatError);
});

Deno.test("segment: a truncated segment is refused, and a changed one exceeds no bound", () => {
  const random = seeded(printedSeed("segment damage"));
  const whole = new SegmentEncoder().encode([1, 5, 9], (_page, target) => fill(target, random));
  assert(whole !== undefined);
  for (let length = 0; length < whole.length; length += 1 + below(random, 40)) {
    assertThrows(() => decoded(whole.slice(0, length)), SegmentFormatError);
  }
  for (let turn = 0; turn < 2_000; turn++) {
    const bytes = whole.slice();
    const at = below(random, bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << below(random, 8));
    try {
      for (const { page, difference } of decoded(bytes)) {
        assertEquals([page < MEMORY_PAGES, difference.length], [true, SNAPSHOT_PAGE_BYTES]);
      }
    } catch (thrown) {
      assertEquals(thrown instanceof SegmentFormatError, true, String(thrown));
    }
  }
});

Deno.test("decodeSegment() reads whole pages, as earlier builds wrote them", () => {
  const differences = new Uint8Array(2 * SNAPSHOT_PAGE_BYTES);
  differences.set([1, 2, 3], 5);
  differences.set([9], 2 * SNAPSHOT_PAGE_BYTES - 1);
  const raw = new Uint8Array(8 + differences.length);
  new DataView(raw.buffer).setUint32(0, 3, true);
  new DataView(raw.buffer).setUint32(4, 7, true);
  raw.set(differences, 8);
  const bytes = new Uint8Array([2, 0, 0, 0, ...deflateRawSync(raw)]);
  const pages: number[] = [];
  for (const { page, difference } of decoded(bytes)) {
    const at = pages.push(page) * SNAPSHOT_PAGE_BYTES;
    assertSameBytes(difference, differences.subarray(at - SNAPSHOT_PAGE_BYTES, at));
  }
  assertEquals(pages, [3, 7]);
});

Deno.test("decodeSegment() refuses packed pages that say more vectors than follow, or fewer", () => {
  const packedOf = (masks: readonly number[], vectorBytes: number) => {
    const raw = new Uint8Array(masks.length * 36 + vectorBytes);
    const view = new DataView(raw.buffer);
    masks.forEach((mask, index) => {
      view.setUint32(index * 4, index, true);
      view.setUint32(masks.length * 4 + index * 32, mask, true);
    });
    return new Uint8Array([masks.length, 0, 0, 0x80, ...deflateRawSync(raw)]);
  };
  assertEquals(decoded(packedOf([0], 0)).length, 1);
  assertEquals(decoded(packedOf([5], 32)).length, 1);
  for (
    const bytes of [
      packedOf([1], 0),
      packedOf([1], 12),
      packedOf([1], 17),
      packedOf([1], 20),
      packedOf([1], 32),
      packedOf([0], 16),
      packedOf([0xffffffff], 31 * 16),
      packedOf([0, 0], 16),
    ]
  ) {
    assertThrows(() => decoded(bytes), SegmentFormatError);
  }
});
