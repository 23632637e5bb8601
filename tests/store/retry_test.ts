import { assert, assertEquals, assertRejects } from "@std/assert";
import { retryLocked, withRetry } from "../../store/retry.ts";
import { StoreFailure, storeFailureOf } from "../../store/store_failures.ts";
import type { Timers } from "../../shared/timers.ts";
import { printedSeed, seeded } from "../support/random.ts";
import { withTestStore } from "../support/test_store.ts";
import { type Fault, FaultyKv } from "./faulty_kv.ts";

/** Timers that do not wait, and record their durations. */
function impatient(): { readonly timers: Timers; readonly pauses: number[] } {
  const pauses: number[] = [];
  const after = (ms: number, call: () => void) => {
    pauses.push(ms);
    queueMicrotask(call);
    return () => {};
  };
  return { timers: { after }, pauses };
}

Deno.test("retry: SQLite's messages about locks are retried, other failures are not", () => {
  for (
    const message of [
      "database is locked",
      "Database is locked (code 5)",
      "Error code 5: The database file is locked",
      "database table is locked: data",
      "database schema is locked: main",
      "SQLITE_BUSY",
    ]
  ) assertEquals(storeFailureOf(new TypeError(message))?.fate, "locked", message);
  for (const message of ["disk I/O error", "value too large", "the room is locked", ""]) {
    assert(storeFailureOf(new Error(message))?.fate !== "locked", message);
  }
  assertEquals(storeFailureOf("database is locked"), undefined);
});

Deno.test("retry: only a failure that had no effect and may pass is retried", async () => {
  for (const [fate, expected] of [["locked", 3], ["undone", 1], ["unknown", 1]] as const) {
    let attempts = 0;
    const failing = () => {
      attempts++;
      return Promise.reject(new StoreFailure(fate, "it failed"));
    };
    const { timers } = impatient();
    await assertRejects(() => retryLocked(failing, { attempts: 3, timers }), StoreFailure);
    assertEquals([fate, attempts], [fate, expected]);
  }
});

Deno.test("retry: every kind of call gets through locks, and does its work once", () =>
  withTestStore(async (kv) => {
    const random = seeded(printedSeed("locks"));
    const faulty = new FaultyKv(kv, { faultAt: () => random() < 0.4 ? "locked" : undefined });
    const patient = withRetry(faulty, { random, timers: impatient().timers, attempts: 60 });
    for (let n = 0; n < 30; n++) await patient.set(["list", n], n);
    for (let n = 0; n < 30; n++) assert((await patient.atomic().sum(["sum"], 1n).commit()).ok);
    assertEquals((await patient.get(["list", 7])).value, 7);
    assertEquals((await patient.getMany([["list", 1], ["list", 2]])).map((e) => e.value), [1, 2]);
    assertEquals((await patient.get<Deno.KvU64>(["sum"])).value?.value, 30n);
    await patient.delete(["list", 29]);
    assertEquals((await patient.get(["list", 29])).value, null);
  }));

Deno.test("retry: a listing continues behind its last entry, with any selector and limit", () =>
  withTestStore(async (kv) => {
    const random = seeded(printedSeed("locked listings"));
    for (let n = 0; n < 40; n++) await kv.set(["list", n, "é"], n);
    await kv.set(["other"], 1);
    const selectors: Deno.KvListSelector[] = [
      { prefix: ["list"] },
      { prefix: ["list"], start: ["list", 5] },
      { prefix: ["list"], end: ["list", 30] },
      { start: ["list", 3], end: ["list", 33] },
    ];
    for (const selector of selectors) {
      for (const limit of [undefined, 1, 7, 40]) {
        const options = { batchSize: 4, ...(limit === undefined ? {} : { limit }) };
        const plain = await Array.fromAsync(kv.list(selector, options));
        const faulty = new FaultyKv(kv, { faultAt: () => random() < 0.4 ? "locked" : undefined });
        const patient = withRetry(faulty, { random, timers: impatient().timers, attempts: 60 });
        assertEquals(await Array.fromAsync(patient.list(selector, options)), plain);
      }
    }
  }));

Deno.test("retry: pauses grow, are jittered and bounded, and so are the tries", async () => {
  const { timers, pauses } = impatient();
  let tries = 0;
  const locked = () => {
    tries++;
    return Promise.reject(new Error("database is locked"));
  };
  const random = seeded(printedSeed("pauses"));
  await assertRejects(() => retryLocked(locked, { timers, random, attempts: 12 }), Error, "locked");
  assertEquals(tries, 12);
  assertEquals(pauses.length, 11);
  for (const [index, pause] of pauses.entries()) {
    const longest = Math.min(250, 2 ** (index + 2));
    assert(pause >= longest / 2 && pause <= longest, `${pause} at ${index}`);
  }
});

Deno.test("retry: a failed check, a crash and any other failure pass unchanged, at once", () =>
  withTestStore(async (kv) => {
    for (const fault of ["crash before", "crash after", "broken"] satisfies Fault[]) {
      const faulty = new FaultyKv(kv, { faultAt: (step) => step === 1 ? fault : undefined });
      await assertRejects(() => withRetry(faulty).set(["key"], 1));
      assertEquals(faulty.steps, 1);
    }
    const refusing = new FaultyKv(kv, { faultAt: () => "refused" });
    assertEquals(await withRetry(refusing).atomic().set(["key"], 2).commit(), { ok: false });
    assertEquals(refusing.steps, 1);
  }));
