import { assert, assertEquals, assertLess, assertRejects } from "@std/assert";
import { answerTimes, GuardedStore } from "../../store/guarded_store.ts";
import { patienceOf, withOwnPatience, withPatience } from "../../store/patience.ts";
import type { KvStore } from "../../store/kv.ts";
import { type StoreOperation, WrappedStore } from "../../store/wrapped_store.ts";
import { STORE_LEAST_MS, STORE_READ_MS, STORE_WRITE_MS } from "../../shared/limits.ts";
import { StoreUnavailable } from "../../shared/store_errors.ts";
import { until } from "../support/wait.ts";
import { withMemory } from "./fixture.ts";
import { SilentStore } from "./silent_store.ts";

const TIMES = { readMs: 100, writeMs: 150 };
const KEY = ["key"];

/** A guarded store over one that can fall silent, and the events of its log. */
function guardedTest(
  name: string,
  test: (store: GuardedStore, silent: SilentStore, events: string[]) => Promise<void>,
): void {
  Deno.test(`guarded store: ${name}`, () =>
    withMemory(async (kv) => {
      const silent = new SilentStore(kv);
      const events: string[] = [];
      const log = (_: string, event: string) => void events.push(event);
      const store = new GuardedStore(silent, { ...TIMES, log });
      try {
        await test(store, silent, events);
      } finally {
        store.close();
        await silent.comeBack();
      }
    }));
}

/** Every kind of operation. */
const WAYS: Readonly<Record<StoreOperation, (store: KvStore) => Promise<unknown>>> = {
  get: (store) => store.get(KEY),
  getMany: (store) => store.getMany([KEY]),
  list: (store) => Array.fromAsync(store.list({ prefix: [] })),
  set: (store) => store.set(KEY, 1),
  delete: (store) => store.delete(KEY),
  commit: (store) => store.atomic().set(KEY, 1).commit(),
};
const WRITES = ["set", "delete", "commit"];

for (const [name, ask] of Object.entries(WAYS)) {
  guardedTest(
    `a silent ${name} ends in time, and says whether it may have been done`,
    async (store, silent) => {
      await ask(store);
      silent.fallSilent(0, "never done");
      const thrown = await assertRejects(() => ask(store), StoreUnavailable);
      assertEquals(thrown.sent, WRITES.includes(name));
      assertEquals([thrown.status, thrown.headers["retry-after"]], [503, "2"]);
    },
  );

  guardedTest(`while it is silent, a ${name} is refused and not sent`, async (store, silent) => {
    silent.fallSilent(0, "never done");
    await assertRejects(() => store.get(KEY), StoreUnavailable);
    const { asked } = silent;
    for (let n = 0; n < 20; n++) {
      const thrown = await assertRejects(() => ask(store), StoreUnavailable);
      assert(!thrown.sent);
    }
    assertLess(silent.asked - asked, 5); // those that probe whether the store is back
  });
}

guardedTest(
  "one line says that it is gone, and one that it is back",
  async (store, silent, events) => {
    for (let round = 0; round < 3; round++) {
      silent.fallSilent(0, "done late");
      await Promise.all(Array.from({ length: 50 }, () => assertRejects(() => store.get(KEY))));
      assertEquals(store.state, "failing");
      await silent.comeBack();
      await until(() => store.state === "ready");
      await store.get(KEY);
    }
    assertEquals(events, Array(3).fill(["store.silent", "store.answers"]).flat());
  },
);

Deno.test("guarded store: one slow operation among answered ones does not count as silence", () =>
  withMemory(async (kv) => {
    const released = Promise.withResolvers<void>();
    let answering = true;
    class SlowWrites extends WrappedStore {
      protected override async around<T>(what: StoreOperation, work: () => Promise<T>): Promise<T> {
        if (what === "set") await released.promise;
        return await work();
      }

      override close(): void {}
    }
    const store = new GuardedStore(new SlowWrites(kv), { ...TIMES, log: () => undefined });
    const slow = assertRejects(() => store.set(KEY, 1), StoreUnavailable);
    const others = (async () => {
      while (answering) await store.get(KEY);
    })();
    await slow;
    answering = false;
    await others;
    assertEquals(store.state, "ready");
    released.resolve();
    await store.get(KEY);
    store.close();
  }));

guardedTest("all operations of one caller share one span", async (store, silent) => {
  const slow = new GuardedStore(silent, { readMs: 60_000, writeMs: 60_000, log: () => undefined });
  await withPatience(patienceOf(50), async () => {
    await slow.get(KEY);
    silent.fallSilent(0, "never done");
    await assertRejects(() => slow.get(KEY), StoreUnavailable);
    const { asked } = silent;
    await assertRejects(() => slow.get(KEY), StoreUnavailable);
    await assertRejects(() => slow.set(KEY, 1), StoreUnavailable);
    assertEquals(silent.asked, asked, "nothing is sent when the span is over");
    await silent.comeBack();
    await withOwnPatience(() => slow.get(KEY));
  });
  assertEquals([slow.state, store.state], ["ready", "ready"]);
  slow.close();
});

guardedTest("no call waits long after the service begins to stop", async (_, silent) => {
  const patient = new GuardedStore(silent, {
    readMs: 60_000,
    writeMs: 60_000,
    log: () => undefined,
  });
  silent.fallSilent(0, "never done");
  const before = assertRejects(() => patient.get(KEY), StoreUnavailable);
  patient.hurry(20);
  await before;
  await assertRejects(() => patient.set(KEY, 1), StoreUnavailable);
  patient.close();
});

/** Fails each operation. */
class FailingStore extends WrappedStore {
  message = "";

  protected override around<T>(_: StoreOperation, work: () => Promise<T>): Promise<T> {
    return this.message === "" ? work() : Promise.reject(new TypeError(this.message));
  }
}

Deno.test("guarded store: failures of files and servers report whether anything was done", () =>
  withMemory(async (kv) => {
    const failing = new FailingStore(kv);
    const events: string[] = [];
    const log = (_: string, event: string) => void events.push(event);
    const store = new GuardedStore(failing, { ...TIMES, log });
    const cases: readonly (readonly [message: string, sent: boolean, failing: boolean])[] = [
      ["database is locked", false, false],
      ["SQLITE_BUSY", false, false],
      ["database or disk is full", false, true],
      ["attempt to write a readonly database", false, true],
      ["disk I/O error", true, true],
      ["unable to open database file", true, true],
      ["KV Connect failed to read response body: broken pipe", true, true],
    ];
    for (const [message, sent, isFailing] of cases) {
      failing.message = message;
      const written = await assertRejects(() => store.set(KEY, 1), StoreUnavailable);
      assertEquals(written.sent, sent, message);
      assertEquals(written.message.includes("its disk is full"), /full/.test(message), message);
      const read = await assertRejects(() => store.get(KEY), StoreUnavailable);
      assertEquals(read.sent, false, message);
      assertEquals(store.state, isFailing ? "failing" : "ready", message);
      failing.message = "";
      await store.get(KEY);
      await store.set(KEY, 1);
      assertEquals(store.state, "ready", message);
    }
    failing.message = "Value too large (max 65536 bytes)";
    await assertRejects(() => store.set(KEY, 1), TypeError, "too large");
    assertEquals(store.state, "ready");
    assertEquals(new Set(events), new Set(["store.fails", "store.works"]));
  }));

Deno.test("guarded store: its times follow the longest wait, within bounds", () => {
  assertEquals(answerTimes(1), { readMs: STORE_LEAST_MS, writeMs: 2 * STORE_LEAST_MS });
  assertEquals(answerTimes(6_000), { readMs: 3_000, writeMs: 6_000 });
  assertEquals(answerTimes(60_000), { readMs: STORE_READ_MS, writeMs: STORE_WRITE_MS });
});
