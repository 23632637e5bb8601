import { assert, assertEquals, assertFalse, assertRejects } from "@std/assert";
import { type BlobRef, readBlob } from "../../store/blobs.ts";
import { TransactionTooLarge } from "../../store/commit_plan.ts";
import { sweepIntents } from "../../store/intents.ts";
import { rootRecordKey, sandboxBlobKey, tenantCounterKey } from "../../store/keys.ts";
import type { KvStore } from "../../store/kv.ts";
import { countIn, Transaction } from "../../store/transaction.ts";
import { until } from "../support/wait.ts";
import { withTestStore } from "../support/test_store.ts";
import { FaultyKv } from "./faulty_kv.ts";
import { assertBytes, bytesOf, keysUnder, storeTest, withMemory } from "./fixture.ts";

const PART = 65_536;
const key = sandboxBlobKey("life");
const root = rootRecordKey("tenant", "box");

function begin(kv: KvStore, writeId = crypto.randomUUID()): Transaction {
  return new Transaction(kv, { writeId, clock: Date.now });
}

/** The number of KV operations in a commit. */
async function writesOf(kv: KvStore, fill: (transaction: Transaction) => void): Promise<number> {
  const counted = new FaultyKv(kv);
  const transaction = begin(counted);
  fill(transaction);
  assert(await transaction.commit());
  return counted.steps;
}

Deno.test("transaction: a commit that fits one atomic operation uses only one", () =>
  withMemory(async (kv) => {
    assertEquals(await writesOf(kv, (t) => t.set(root, 1)), 1);
    assertEquals(
      await writesOf(kv, (t) => {
        t.putBlob(key, bytesOf(12 * PART));
        t.set(root, { any: "record" });
      }),
      1,
    );
    assertEquals(
      await writesOf(kv, (t) => {
        for (let n = 0; n < 900; n++) t.putBlob(key, bytesOf(100, n));
      }),
      1,
    );
  }));

Deno.test("transaction: the end of a large blob rides in the commit", () =>
  withTestStore(async (kv) => {
    assertEquals(await writesOf(kv, (t) => t.putBlob(key, bytesOf(12 * PART + 1))), 1);
    assertEquals(await writesOf(kv, (t) => t.putBlob(key, bytesOf(13 * PART))), 2);
    assertEquals(await writesOf(kv, (t) => t.putBlob(key, bytesOf(24 * PART))), 2);
    assertEquals(await writesOf(kv, (t) => t.putBlob(key, bytesOf(25 * PART))), 3);
  }));

storeTest("transaction: a failed check writes nothing, large or small", async (kv) => {
  await kv.set(root, "old");
  for (const length of [0, 10, 12 * PART + 1, 40 * PART]) {
    const transaction = begin(kv);
    transaction.putBlob(key, bytesOf(length));
    transaction.check(root, null).set(root, "new").set(["other"], 1);
    assertFalse(await transaction.commit());
    assertEquals(await keysUnder(kv), ["sandbox/tenant/box"]);
    assertEquals((await kv.get(root)).value, "old");
  }
});

storeTest("transaction: one of many that check the same version commits", async (kv) => {
  await kv.set(root, 0);
  const { versionstamp } = await kv.get(root);
  const commits = Array.from({ length: 6 }, (_, index) => {
    const transaction = begin(kv).check(root, versionstamp);
    const ref = transaction.putBlob(key, bytesOf(index % 2 === 0 ? 100 : 20 * PART, index));
    return transaction.set(root, ref).commit();
  });
  const outcomes = await Promise.all(commits);
  assertEquals(outcomes.filter((committed) => committed).length, 1);
  const { value } = await kv.get<BlobRef>(root);
  assert(value !== null);
  const winner = outcomes.indexOf(true);
  const expected = bytesOf(winner % 2 === 0 ? 100 : 20 * PART, winner);
  assertBytes(await readBlob(kv, key, value), expected);
  assertEquals((await keysUnder(kv)).length, 1 + Math.ceil(expected.length / PART));
});

storeTest("transaction: counters move without conflict, down too", async (kv) => {
  const counter = tenantCounterKey("tenant", "bytes");
  const count = async () => countIn(await kv.get(counter));
  assertEquals(await count(), 0);
  const moves = [5, -3, 4_294_967_296, -1, -4_294_967_296, 100];
  await Promise.all(moves.map((n) => begin(kv).add(counter, n).commit()));
  assertEquals(await count(), 101);
  await begin(kv).add(counter, -102).commit();
  assertEquals(await count(), -1);
});

/** More blobs than one operation deletes. */
async function manyBlobs(kv: KvStore): Promise<BlobRef[]> {
  const refs: BlobRef[] = [];
  for (let batch = 0; batch < 6; batch++) {
    const transaction = begin(kv);
    for (let n = 0; n < 400; n++) refs.push(transaction.putBlob(key, bytesOf(50, n)));
    assert(await transaction.commit());
  }
  return refs;
}

storeTest(
  "transaction: deletions beyond one operation are all done, and leave no list",
  async (kv) => {
    const refs = await manyBlobs(kv);
    const kept = refs.pop();
    assert(kept !== undefined);
    const transaction = begin(kv).set(root, "after");
    for (const ref of refs) transaction.deleteBlob(key, ref);
    const large = transaction.putBlob(key, bytesOf(30 * PART, 3));
    assert(await transaction.commit());
    assertBytes(await readBlob(kv, key, large), bytesOf(30 * PART, 3));
    assertEquals((await readBlob(kv, key, kept)).length, 50);
    assertEquals((await keysUnder(kv)).length, 1 + 1 + 30);
  },
);

Deno.test("transaction: a transaction is committed even if KV fails afterwards, and the janitor finishes it", () =>
  withTestStore(async (kv) => {
    const refs = await manyBlobs(kv);
    let committed = false;
    const failing = new FaultyKv(kv, { faultAt: () => committed ? "broken" : undefined });
    const transaction = begin(failing).set(root, "after");
    for (const ref of refs) transaction.deleteBlob(key, ref);
    transaction.attach({
      committing: () => {},
      settled: (outcome) => void (committed = outcome === "committed"),
    });
    assert(await transaction.commit());
    assertEquals((await keysUnder(kv, ["intent"])).length, 1);
    const clock = () => Date.now() + 3_600_000;
    await assertRejects(() => sweepIntents(failing, { clock, olderThanMs: 600_000 }), TypeError);
    assertEquals(await sweepIntents(kv, { clock, olderThanMs: 600_000 }), 1);
    assertEquals(await keysUnder(kv), ["sandbox/tenant/box"]);
  }));

Deno.test("transaction: records that do not fit one operation are refused, and nothing is written", () =>
  withTestStore(async (kv) => {
    const manyChecks = begin(kv);
    for (let n = 0; n < 101; n++) manyChecks.check(["check", n], null);
    const manyKeys = begin(kv);
    for (let n = 0; n < 1_001; n++) manyKeys.set(["set", n], 1);
    const manyBytes = begin(kv);
    for (let n = 0; n < 14; n++) manyBytes.set(["set", n], bytesOf(60_000));
    const longKeys = begin(kv);
    for (let n = 0; n < 60; n++) longKeys.set(["k".repeat(1_500), n], 1);
    for (const transaction of [manyChecks, manyKeys, manyBytes, longKeys]) {
      transaction.putBlob(key, bytesOf(10));
      await assertRejects(() => transaction.commit(), TransactionTooLarge);
    }
    assertEquals(await keysUnder(kv), []);
  }));

Deno.test("transaction: KV accepts every operation that the size estimate accepts", () =>
  withMemory(async (kv) => {
    const checks = begin(kv);
    for (let n = 0; n < 100; n++) checks.check(["check", n], null);
    const sets = begin(kv);
    for (let n = 0; n < 1_000; n++) sets.set(["set", n], 1);
    const keys = begin(kv);
    for (let n = 0; n < 53; n++) keys.set(["k".repeat(1_500), n], 1);
    const values = begin(kv);
    for (let n = 0; n < 12; n++) values.set(["raw", n], bytesOf(PART));
    values.set(["text"], "é€".repeat(7_000));
    const zeros = begin(kv);
    for (let n = 0; n < 40; n++) zeros.set([new Uint8Array(900), "\0".repeat(90), n, true, 3n], n);
    for (const transaction of [checks, sets, keys, values, zeros]) {
      assert(await transaction.commit());
    }
  }));

Deno.test("transaction: a second commit fails, and so does a second use of its id", () =>
  withTestStore(async (kv) => {
    for (const length of [100, 20 * PART]) {
      const writeId = crypto.randomUUID();
      const first = begin(kv, writeId);
      const ref = first.putBlob(key, bytesOf(length, 1));
      assert(await first.commit());
      await assertRejects(() => first.commit(), Error, "committed only once");
      const second = begin(kv, writeId);
      second.putBlob(key, bytesOf(length, 2));
      assertFalse(await second.commit());
      assertBytes(await readBlob(kv, key, ref), bytesOf(length, 1));
    }
  }));

Deno.test("transaction: after its intent was swept, a writer writes and commits nothing", () =>
  withTestStore(async (kv) => {
    const total = await writesOf(kv, (t) => t.putBlob(key, bytesOf(60 * PART)));
    for (let stall = 2; stall <= total; stall++) {
      const before = await keysUnder(kv);
      const clock = () => Date.now() + 3_600_000;
      const stalled = new FaultyKv(kv, {
        beforeWrite: async (step) => {
          if (step === stall) await sweepIntents(kv, { clock, olderThanMs: 600_000 });
        },
      });
      const transaction = begin(stalled).set(root, stall);
      transaction.putBlob(key, bytesOf(60 * PART));
      assertFalse(await transaction.commit(), `stalled at ${stall}`);
      assertEquals(await keysUnder(kv), before);
    }
  }));

Deno.test("transaction: a sweep that is overtaken by the commit deletes nothing", () =>
  withTestStore(async (kv) => {
    let commit = () => {};
    const waiting = new Promise<void>((resolve) => commit = resolve);
    const slow = new FaultyKv(kv, {
      beforeWrite: (step) => step === 3 ? waiting : Promise.resolve(),
    });
    const transaction = begin(slow);
    const ref = transaction.putBlob(key, bytesOf(30 * PART));
    const committing = transaction.commit();
    await until(() => slow.steps === 3);
    const sweeping = new FaultyKv(kv, {
      beforeWrite: async (step) => {
        commit();
        assert(await committing, `at ${step}`);
      },
    });
    const clock = () => Date.now() + 3_600_000;
    assertEquals(await sweepIntents(sweeping, { clock, olderThanMs: 600_000 }), 0);
    assertEquals(sweeping.writes, 1);
    assertBytes(await readBlob(kv, key, ref), bytesOf(30 * PART));
    assertEquals(await keysUnder(kv, ["intent"]), []);
  }));

Deno.test("transaction: a failure of KV while writing ahead is thrown, and no batch follows it", () =>
  withTestStore(async (kv) => {
    const broken = new FaultyKv(kv, { faultAt: (step) => step === 3 ? "broken" : undefined });
    const transaction = begin(broken).set(root, 1);
    transaction.putBlob(key, bytesOf(200 * PART));
    await assertRejects(() => transaction.commit(), TypeError, "disk I/O error");
    const steps = broken.steps;
    assert(steps < 10);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assertEquals(broken.steps, steps);
    assertEquals((await kv.get(root)).value, null);
  }));

Deno.test("transaction: a small transaction joins another one and commits only with it", () =>
  withTestStore(async (kv) => {
    const old = begin(kv);
    const before = old.putBlob(key, bytesOf(100));
    assert(await old.commit());
    await kv.set(["record"], "old");
    const { versionstamp } = await kv.get(["record"]);
    const small = begin(kv).check(["record"], versionstamp).set(["record"], "new");
    const ref = small.deleteBlob(key, before).putBlob(key, bytesOf(1_000));
    const writes = await small.asWrites();
    assert(writes !== undefined);
    const untouched = await keysUnder(kv);
    assertFalse(await begin(kv).join(writes).check(root, "00000000000000000001").commit());
    assertEquals(await keysUnder(kv), untouched);
    assertEquals(await writesOf(kv, (t) => t.join(writes).set(root, "root")), 1);
    assertEquals((await kv.get(["record"])).value, "new");
    assertBytes(await readBlob(kv, key, ref), bytesOf(1_000));
    await assertRejects(() => readBlob(kv, key, before));
    // what it checks has changed meanwhile, so it delays the other one
    assertFalse(await begin(kv).join(writes).set(root, "again").commit());
    assertEquals((await kv.get(root)).value, "root");
  }));

Deno.test("transaction: a small transaction that joins a large one waits for its commit", () =>
  withTestStore(async (kv) => {
    const writes = await begin(kv).set(["record"], "new").asWrites();
    assert(writes !== undefined);
    const large = (t: Transaction) => {
      t.join(writes).putBlob(key, bytesOf(40 * PART));
      return t;
    };
    assertFalse(await large(begin(kv)).check(root, "00000000000000000001").commit());
    assertEquals(await keysUnder(kv), []);
    assert(await large(begin(kv)).commit());
    assertEquals((await kv.get(["record"])).value, "new");
  }));

/** Writes of a transaction with a blob that replaces another one, both too large to join. */
async function largeWrites(kv: KvStore, record: string, old?: BlobRef) {
  const transaction = begin(kv).set(["record"], record);
  if (old !== undefined) transaction.deleteBlob(key, old);
  const ref = transaction.putBlob(key, bytesOf(90 * PART, record.length));
  const writes = await transaction.asWrites();
  assert(writes !== undefined);
  return { ref, writes };
}

storeTest(
  "transaction: a large transaction joins another one and commits only with it",
  async (kv) => {
    const first = await largeWrites(kv, "first");
    assertEquals((await kv.get(["record"])).value, null);
    assertFalse(await begin(kv).join(first.writes).check(root, "00000000000000000001").commit());
    assert(await begin(kv).join(first.writes).set(root, "root").commit());
    assertBytes(await readBlob(kv, key, first.ref), bytesOf(90 * PART, "first".length));
    // the other one may be large too, and its commit deletes replaced blobs
    const second = await largeWrites(kv, "second one", first.ref);
    const other = begin(kv).join(second.writes).delete(root);
    const ref = other.putBlob(key, bytesOf(40 * PART));
    assert(await other.commit());
    assertBytes(await readBlob(kv, key, ref), bytesOf(40 * PART));
    assertBytes(await readBlob(kv, key, second.ref), bytesOf(90 * PART, "second one".length));
    assertEquals((await kv.get(["record"])).value, "second one");
    assertEquals((await keysUnder(kv)).length, 1 + 40 + 90);
  },
);

storeTest("transaction: discarded writes leave nothing and join no commit", async (kv) => {
  const { writes } = await largeWrites(kv, "new");
  await writes.discard();
  assertEquals(await keysUnder(kv), []);
  assertFalse(await begin(kv).join(writes).set(root, "root").commit());
  const done = await largeWrites(kv, "new");
  assert(await begin(kv).join(done.writes).commit());
  await done.writes.discard();
  assertBytes(await readBlob(kv, key, done.ref), bytesOf(90 * PART, "new".length));
});

Deno.test("transaction: the janitor removes large writes that no commit took", () =>
  withTestStore(async (kv) => {
    const { writes } = await largeWrites(kv, "new");
    assertEquals(await sweepIntents(kv, { clock: () => Date.now() + 60_000, olderThanMs: 1 }), 1);
    assertEquals(await keysUnder(kv), []);
    assertFalse(await begin(kv).join(writes).set(root, "root").commit());
  }));

Deno.test("transaction: counters and listeners of a joined transaction take part in the commit", () =>
  withTestStore(async (kv) => {
    const counter = tenantCounterKey("tenant", "bytes");
    const heard: string[] = [];
    const writes = await begin(kv).add(counter, 5).asWrites({
      committing: () => heard.push("committing"),
      settled: (outcome) => heard.push(outcome),
    });
    assert(writes !== undefined);
    assert(await begin(kv).join(writes).commit());
    assertEquals(countIn(await kv.get(counter)), 5);
    assertEquals(heard, ["committing", "committed"]);
  }));
