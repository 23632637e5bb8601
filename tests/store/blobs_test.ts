// test: slow
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { BlobCorrupt, type BlobRef, readBlob } from "../../store/blobs.ts";
import { sandboxBlobKey, sandboxBlobsPrefix } from "../../store/keys.ts";
import type { KvStore } from "../../store/kv.ts";
import { Transaction } from "../../store/transaction.ts";
import { printedSeed, seeded } from "../support/random.ts";
import { withTestStore } from "../support/test_store.ts";
import { assertBytes, bytesOf, keysUnder, storeTest } from "./fixture.ts";

const PART = 65_536;
const MIB = 1 << 20;
const key = sandboxBlobKey("life");

async function keep(kv: KvStore, bytes: Uint8Array, partBytes?: number): Promise<BlobRef> {
  const transaction = new Transaction(kv, { writeId: crypto.randomUUID(), clock: Date.now });
  const ref = transaction.putBlob(key, bytes, partBytes);
  assert(await transaction.commit());
  return ref;
}

storeTest(
  "blobs: lengths at every boundary are read back whole, in as few parts as possible",
  async (kv) => {
    const lengths = [
      0,
      1,
      PART - 1,
      PART,
      PART + 1,
      10 * PART,
      11 * PART,
      12 * PART,
      12 * PART + 1,
    ];
    for (const length of [...lengths, 13 * PART, 24 * PART + 1]) {
      const bytes = bytesOf(length, length);
      const ref = await keep(kv, bytes);
      assertEquals(ref.bytes, length);
      const parts = await keysUnder(kv, ["sandbox_blob", "life", ref.run, ref.n]);
      assertEquals(parts.length, Math.ceil(length / PART));
      assertBytes(await readBlob(kv, key, ref), bytes, `${length} bytes`);
    }
    assertEquals(await keysUnder(kv, ["intent"]), []);
  },
);

storeTest("blobs: 20 MiB come back whole", async (kv) => {
  const bytes = bytesOf(20 * MIB, 20);
  assertBytes(await readBlob(kv, key, await keep(kv, bytes)), bytes);
});

storeTest("blobs: parts of a chosen size come back whole, at every boundary", async (kv) => {
  for (const partBytes of [1_024, 4_096, 5_000]) {
    for (const length of [0, 1, partBytes, partBytes + 1, 200 * partBytes - 1, 3 * MIB]) {
      const bytes = bytesOf(length, length);
      const ref = await keep(kv, bytes, partBytes);
      const parts = await keysUnder(kv, ["sandbox_blob", "life", ref.run, ref.n]);
      assertEquals(parts.length, Math.ceil(length / partBytes));
      assertBytes(await readBlob(kv, key, ref), bytes, `${length} bytes by ${partBytes}`);
      await new Transaction(kv, { writeId: crypto.randomUUID(), clock: Date.now })
        .deleteBlob(key, ref).commit();
      assertEquals(await keysUnder(kv, ["sandbox_blob", "life", ref.run, ref.n]), []);
    }
  }
}, { fillsCommits: true });

Deno.test("blobs: only the visible bytes of a view are stored", () =>
  withTestStore(async (kv) => {
    const bytes = bytesOf(300_000);
    const ref = await keep(kv, bytes.subarray(100_000, 200_000));
    assertBytes(await readBlob(kv, key, ref), bytes.slice(100_000, 200_000));
  }));

Deno.test("blobs: every changed byte, and every cut, lost, swapped or exchanged part is detected", () =>
  withTestStore(async (kv) => {
    const random = seeded(printedSeed("corruption of blobs"));
    const pick = (end: number) => Math.floor(random() * end);
    const bytes = bytesOf(5 * PART + 777, 9);
    for (let round = 0; round < 60; round++) {
      const ref = await keep(kv, bytes);
      const at = key(ref.run, ref.n, pick(6));
      const { value } = await kv.get<Uint8Array>(at);
      assert(value !== null);
      const flipped = value.slice();
      const place = pick(flipped.length);
      flipped[place] = (flipped[place] ?? 0) ^ (1 << pick(8));
      const damages: (() => Promise<unknown>)[] = [
        () => kv.set(at, flipped),
        () => kv.set(at, value.slice(0, pick(value.length))),
        () => kv.delete(at),
        () => kv.set(at, "text"),
        () => swap(kv, key(ref.run, ref.n, 1), key(ref.run, ref.n, 2 + pick(3))),
      ];
      await damages[round % damages.length]?.();
      await assertRejects(() => readBlob(kv, key, ref), BlobCorrupt);
    }
  }));

Deno.test("blobs: an impossible reference is refused before any memory is allocated", () =>
  withTestStore(async (kv) => {
    const ref = await keep(kv, bytesOf(100));
    for (const bytes of [-1, 1.5, NaN, 2 ** 40, 99, 101]) {
      await assertRejects(() => readBlob(kv, key, { ...ref, bytes }), BlobCorrupt);
    }
    for (const partBytes of [-1, 0, 1, 1_023, 1_024.5, NaN, 65_537]) {
      await assertRejects(() => readBlob(kv, key, { ...ref, partBytes }), BlobCorrupt);
    }
    const sha256 = ref.sha256.replace(/^./, (digit) => digit === "0" ? "1" : "0");
    await assertRejects(() => readBlob(kv, key, { ...ref, sha256 }), BlobCorrupt);
  }));

Deno.test("blobs: a key that does not end with write id, n and part is refused", () =>
  withTestStore((kv) => {
    const transaction = new Transaction(kv, { writeId: "run", clock: Date.now });
    for (
      const wrong of [
        () => ["blob"],
        (run: string, n: number) => ["blob", run, n],
        (run: string, n: number, part: number) => ["blob", n, run, part],
        (run: string, n: number, part: number) => ["blob", run, n, part, "end"],
      ]
    ) assertThrows(() => transaction.putBlob(wrong, bytesOf(1)), TypeError);
    return Promise.resolve();
  }));

storeTest("blobs: a commit removes the blobs that it supersedes, and no others", async (kv) => {
  const old = await keep(kv, bytesOf(3 * PART, 1));
  const kept = await keep(kv, bytesOf(PART, 2));
  const transaction = new Transaction(kv, { writeId: crypto.randomUUID(), clock: Date.now });
  transaction.deleteBlob(key, old);
  assert(await transaction.commit());
  assertEquals(await keysUnder(kv, sandboxBlobsPrefix("life")), [
    `sandbox_blob/life/${kept.run}/0/0`,
  ]);
  await assertRejects(() => readBlob(kv, key, old), BlobCorrupt);
});

async function swap(kv: KvStore, one: Deno.KvKey, other: Deno.KvKey): Promise<void> {
  const [a, b] = await kv.getMany<[Uint8Array, Uint8Array]>([one, other]);
  await kv.set(one, b.value);
  await kv.set(other, a.value);
}
