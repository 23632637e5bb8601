import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { serialize } from "node:v8";
import { keyBytes, valueBytes } from "../../store/atomic_size.ts";
import { listDue, moveExpiry } from "../../store/expiry.ts";
import * as homeKeys from "../../store/home_keys.ts";
import * as keys from "../../store/keys.ts";
import { Transaction } from "../../store/transaction.ts";
import { withTestStore } from "../support/test_store.ts";
import { bytesOf, keysUnder, withMemory } from "./fixture.ts";

const TRICKY = ["", "a", "a/b", "sandbox", "\0", "\u{10ffff}", "__proto__", "é".repeat(100)];

Deno.test("keys: no two texts of callers give the same key", () =>
  withTestStore(async (kv) => {
    const made = TRICKY.flatMap((tenant) => [
      keys.tenantCounterKey(tenant, "sandboxes"),
      keys.tenantCounterKey(tenant, "bytes"),
      ...TRICKY.flatMap((id) => [
        keys.rootRecordKey(tenant, id),
        keys.expiryKey(1, { tenant, id, lifetime: "life" }),
      ]),
    ]);
    for (const [index, key] of made.entries()) await kv.set(key, index);
    for (const [index, key] of made.entries()) assertEquals((await kv.get(key)).value, index);
    assertEquals((await keysUnder(kv)).length, made.length);
  }));

Deno.test("keys: the index of expiry identifies each sandbox, with any names", () =>
  withTestStore(async (kv) => {
    const sandboxes = TRICKY.flatMap((tenant) =>
      TRICKY.map((id) => ({ tenant, id, lifetime: `${tenant}/${id}` }))
    );
    const entry = new Transaction(kv, { writeId: "run", clock: () => 0 });
    for (const sandbox of sandboxes) moveExpiry(entry, sandbox, null, 1);
    assert(await entry.commit());
    const due = await listDue(kv, () => 1, 1_000);
    const named = due.map(({ tenant, id, lifetime }) => JSON.stringify([tenant, id, lifetime]));
    const expected = sandboxes.map(({ tenant, id, lifetime }) =>
      JSON.stringify([tenant, id, lifetime])
    );
    assertEquals(named.sort(), expected.sort());
  }));

Deno.test("keys: each prefix contains the keys made for it", () => {
  const within = (key: Deno.KvKey, prefix: Deno.KvKey) =>
    assertEquals(key.slice(0, prefix.length), prefix);
  within(keys.sandboxLeaseKeys("l", "c").fence, keys.sandboxLeasesPrefix("l"));
  within(keys.sandboxLeaseKeys("l", "c").deadline, keys.sandboxLeasesPrefix("l"));
  within(keys.sandboxBlobKey("l")("r", 0, 0), keys.sandboxBlobsPrefix("l"));
  within(homeKeys.homeMemberKey("h", "l"), homeKeys.homeMembersPrefix("h"));
  within(homeKeys.leftBlobsKey("h")("r", 0, 0), homeKeys.leftBlobsPrefix("h"));
  within(homeKeys.unsweptHomeKey("h"), homeKeys.unsweptHomesPrefix());
  within(keys.deadKey("l"), keys.deadPrefix());
  within(keys.intentKey("r"), keys.intentsPrefix());
  within(keys.garbageKey("r", 3), keys.garbagePrefix("r"));
  const whole = keys.interpreterPrefix("python", "k");
  const record = keys.interpreterContextKey("python", "k", "c");
  within(record, keys.interpreterContextsPrefix("python", "k"));
  within(record, whole);
  const snapshot = keys.interpreterSnapshotKey("python", "k", "c", "s");
  within(snapshot, keys.interpreterSnapshotsPrefix("python", "k", "c"));
  within(snapshot, whole);
  const blob = keys.interpreterBlobKey("python", "k", "c", "s")("r", 1, 2);
  within(blob, keys.interpreterBlobsPrefix("python", "k", "c"));
  within(blob, whole);
  assertEquals(blob.slice(-3), ["r", 1, 2]);
  const module = keys.enginePartBlobKey("module", "python", "m")("r", 0, 0);
  within(module, keys.enginePartBlobsPrefix("module", "python", "m", "r"));
  assertEquals(module.slice(-3), ["r", 0, 0]);
  const use = keys.partUseKey("module", "python", "m", { sandboxKey: "k", contextId: "c" });
  within(use, keys.partUsesPrefix("module", "python", "m"));
  assertNotEquals(
    keys.enginePartKey("module", "python", "m"),
    keys.enginePartKey("baseline", "python", "m"),
  );
  assertNotEquals(keys.serviceLeaseKeys("a").fence, keys.serviceLeaseKeys("b").fence);
});

Deno.test("keys: the size of a key is never underestimated", () =>
  withMemory(async (kv) => {
    const parts: ((length: number) => Deno.KvKeyPart)[] = [
      (length) => "a".repeat(length),
      (length) => "\0".repeat(length),
      (length) => "é".repeat(length),
      (length) => new Uint8Array(length),
      (length) => bytesOf(length),
    ];
    for (const part of parts) {
      for (let length = 1; length <= 2_100; length += 23) {
        const key = [part(length), 1.5, true, -7n, 2n ** 64n];
        if (keyBytes(key) <= 2_048) await kv.set(key, 1);
      }
    }
  }));

Deno.test("keys: the size of a value is never underestimated, and cycles end", () =>
  withMemory(async (kv) => {
    const samples: ((length: number) => unknown)[] = [
      (length) => "a".repeat(length),
      (length) => "€".repeat(length),
      (length) => Array.from({ length }, (_, index) => index % 2 ? index : { index }),
      (length) => Object.fromEntries(Array.from({ length }, (_, index) => [`n${index}`, -0.5])),
      (length) => new Map(Array.from({ length }, (_, index) => [index, `é${index}`])),
      (length) => ({ bytes: new Uint8Array(length), at: new Date(0), none: null }),
      (length) => Array.from({ length }, () => 2n ** 100n),
    ];
    for (const sample of samples) {
      for (let length = 1; length < 70_000; length = Math.ceil(length * 1.3)) {
        const value = sample(length);
        const counted = valueBytes(value);
        assert(counted >= Math.min(65_536, serialize(value).byteLength), `${counted}`);
        if (counted < 65_536) await kv.set(["value"], value);
      }
    }
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    assertEquals(valueBytes(cycle), 65_536);
    assertEquals(valueBytes(new Uint8Array(65_536)), 65_536);
  }));
