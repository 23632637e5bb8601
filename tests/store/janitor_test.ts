import { assert, assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import { markDead, wipeDead } from "../../store/dead.ts";
import { type ExpiringSandbox, listDue, moveExpiry } from "../../store/expiry.ts";
import { Janitor } from "../../store/janitor.ts";
import { sandboxBlobKey, sandboxBlobsPrefix, sandboxLeasesPrefix } from "../../store/keys.ts";
import type { KvStore } from "../../store/kv.ts";
import { LeaseTable } from "../../store/lease.ts";
import { deletePrefix } from "../../store/prefix.ts";
import { Transaction } from "../../store/transaction.ts";
import type { Maintenance } from "../../shared/binding.ts";
import { printedSeed, seeded } from "../support/random.ts";
import { withTestStore } from "../support/test_store.ts";
import { Crashed, FaultyKv } from "./faulty_kv.ts";
import { bytesOf, keysUnder, type ManualTime, storeTest, withTime } from "./fixture.ts";

const PERIOD_MS = 60_000;

interface Setting {
  readonly janitor: Janitor;
  readonly failures: string[];
}

function janitorOf(kv: KvStore, time: ManualTime, tasks: readonly Maintenance[] = []): Setting {
  const { clock } = time;
  const leases = new LeaseTable({ kv, owner: "o", ttlMs: 10_000, clock, timers: time });
  const failures: string[] = [];
  const onError = (task: string) => failures.push(task);
  const random = () => 0.5;
  const timing = { timers: time, random, periodMs: PERIOD_MS };
  const janitor = new Janitor({ kv, clock, leases, onError, ...timing });
  for (const task of tasks) janitor.register(task);
  return { janitor, failures };
}

function begin(kv: KvStore): Transaction {
  return new Transaction(kv, { writeId: crypto.randomUUID(), clock: Date.now });
}

storeTest("prefix: deletePrefix() deletes all keys below it, and no others", async (kv) => {
  for (let n = 0; n < 150; n++) await kv.set(["a", "b", n], n);
  await kv.set(["a", "b"], 0);
  await kv.set(["a", "bb", 1], 0);
  assertEquals(await deletePrefix(kv, ["a", "b"]), 150);
  assertEquals(await keysUnder(kv), ["a/b", "a/bb/1"]);
  assertEquals(await deletePrefix(kv, ["a", "b"]), 0);
});

storeTest("expiry: the index lists the due entries after any changes of times", async (kv) => {
  const seed = printedSeed("expiry");
  const random = seeded(seed);
  const times = new Map<string, number | null>();
  const start = 1_700_000_000_000;
  for (let move = 0; move < 120; move++) {
    const id = `box ${Math.floor(random() * 12)}`;
    const sandbox: ExpiringSandbox = { tenant: "t", id, lifetime: `life of ${id}` };
    const to = random() < 0.15 ? null : start + Math.floor(random() * 600_000);
    const transaction = begin(kv);
    moveExpiry(transaction, sandbox, times.get(id) ?? null, to);
    if (to !== null || times.get(id)) assert(await transaction.commit());
    times.set(id, to);
  }
  for (const now of [start - 1, start + 100_000, start + 300_000, start + 700_000]) {
    const due = await listDue(kv, () => now, 100);
    const expected = [...times].filter(([, at]) => at !== null && at <= now);
    assertEquals(
      due.map(({ id, expiresAt }) => `${id} ${expiresAt}`).toSorted(),
      expected.map(([id, at]) => `${id} ${at}`).toSorted(),
      `seed ${seed}`,
    );
    const minutes = due.map(({ expiresAt }) => Math.floor(expiresAt / 60_000));
    assertEquals(minutes, minutes.toSorted((a, b) => a - b));
    assertEquals((await listDue(kv, () => now, 2)).length, Math.min(2, due.length));
  }
});

storeTest(
  "expiry: tenants take turns, and a tenant with many entries delays no other",
  async (kv) => {
    const minute = 60_000;
    const add = async (tenant: string, id: string, at: number) => {
      const transaction = begin(kv);
      moveExpiry(transaction, { tenant, id, lifetime: id }, null, at);
      assert(await transaction.commit());
    };
    for (let n = 0; n < 60; n++) await add("a", `flood ${n}`, (n % 4) * minute);
    for (let n = 0; n < 3; n++) await add("z", `late ${n}`, 5 * minute);
    await add("a\0", "one", 4 * minute);
    await add("later", "not due", 6 * minute);
    for (const random of [0, 0.4, 0.99]) {
      const due = await listDue(kv, () => 5 * minute, 12, { random: () => random });
      const of = (tenant: string) => due.filter((each) => each.tenant === tenant);
      assertEquals([of("z").length, of("a\0").length, of("a").length], [3, 1, 8]);
      assertEquals(of("a").map(({ expiresAt }) => expiresAt), Array(8).fill(0));
    }
    const few = await Promise.all(
      [0, 0.4, 0.99].map((random) => listDue(kv, () => 5 * minute, 1, { random: () => random })),
    );
    assertEquals(few.flat().map(({ tenant }) => tenant).sort(), ["a", "a\0", "z"]);
    assertEquals((await listDue(kv, () => 5 * minute, 1_000)).length, 64);
    assertEquals(await listDue(kv, () => -1, 10), []);
  },
);

Deno.test("dead lifetimes: wiping that dies at any step is completed later", () =>
  withTestStore(async (kv) => {
    for (let step = 1;; step++) {
      const transaction = begin(kv);
      for (let n = 0; n < 130; n++) transaction.putBlob(sandboxBlobKey("life"), bytesOf(9, n));
      transaction.set([...sandboxLeasesPrefix("life"), "context", "fence"], 1);
      assert(await transaction.commit());
      const prefixes = [sandboxBlobsPrefix("life"), sandboxLeasesPrefix("life")];
      const ending = begin(kv);
      markDead(ending, { lifetime: "life", prefixes }, Date.now);
      assert(await ending.commit());
      const dying = new FaultyKv(kv, { faultAt: (at) => at === step ? "crash after" : undefined });
      const wiped = await wipeDead(dying, "life").then(() => true, (thrown) => {
        assertInstanceOf(thrown, Crashed);
        return false;
      });
      await withJanitor(kv, (janitor) => janitor.runNow());
      assertEquals(await keysUnder(kv), ["service_lease/janitor/fence"]);
      await wipeDead(kv, "life");
      if (wiped) return assert(step > 100);
      if (step > 6) step += 19;
    }
  }));

async function withJanitor<T>(kv: KvStore, use: (janitor: Janitor) => Promise<T>): Promise<T> {
  const leases = new LeaseTable({ kv, owner: "o", ttlMs: 10_000, clock: Date.now });
  const janitor = new Janitor({ kv, clock: Date.now, leases, onError: () => {} });
  try {
    return await use(janitor);
  } finally {
    await janitor.close();
  }
}

Deno.test("janitor: rounds run by themselves, in one process at a time, until it is closed", () =>
  withTime(async (kv, time) => {
    let running = 0;
    let rounds = 0;
    const task: Maintenance = {
      name: "counted",
      run: async () => {
        assertEquals(++running, 1);
        rounds++;
        await kv.get(["something"]);
        running--;
        return 1;
      },
    };
    const settings = [janitorOf(kv, time, [task]), janitorOf(kv, time, [task])];
    for (const { janitor } of settings) janitor.start();
    for (let period = 0; period < 4; period++) await time.advance(PERIOD_MS);
    assert(rounds >= 4 && rounds <= 8, `${rounds} rounds`);
    for (const { janitor } of settings) await janitor.close();
    const before = rounds;
    await time.advance(5 * PERIOD_MS);
    assertEquals(rounds, before);
    assertEquals(time.pending, 0);
    assertEquals(settings.flatMap(({ failures }) => failures), []);
  }));

Deno.test("janitor: a failing task is reported, the others run, the next round tries again", () =>
  withTime(async (kv, time) => {
    let tries = 0;
    let others = 0;
    const { janitor, failures } = janitorOf(kv, time, [
      { name: "failing", run: () => Promise.reject(new Error(`try ${++tries}`)) },
      { name: "other", run: () => Promise.resolve(++others) },
    ]);
    await assertRejects(() => janitor.runNow(), AggregateError);
    janitor.start();
    await time.advance(PERIOD_MS);
    await time.advance(PERIOD_MS);
    assertEquals([tries, others, failures], [3, 3, ["failing", "failing"]]);
    await janitor.close();
  }));

Deno.test("janitor: closing aborts the current round", () =>
  withTime(async (kv, time) => {
    let begun = false;
    const endless: Maintenance = {
      name: "endless",
      run: (signal) =>
        new Promise((_, reject) => {
          begun = true;
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    };
    const { janitor, failures } = janitorOf(kv, time, [endless]);
    janitor.start();
    await time.advance(PERIOD_MS);
    assert(begun);
    await janitor.close();
    assertEquals(failures, []);
    assertEquals(time.pending, 0);
    assertEquals(await keysUnder(kv), ["service_lease/janitor/fence"]);
  }));

Deno.test("janitor: runNow returns what each task removed", () =>
  withTestStore(async (kv) => {
    const ending = begin(kv);
    markDead(ending, { lifetime: "life", prefixes: [["sandbox_blob", "life"]] }, Date.now);
    assert(await ending.commit());
    const counts = await withJanitor(kv, (janitor) => janitor.runNow());
    assertEquals([...counts], [["intents", 0], ["dead lifetimes", 1]]);
  }));
