/**
 * The first run of a context whose runtime is in the same store: one commit creates sandbox and
 * context and takes the turn, and the run creates the context at its runtime.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { sandboxLeaseKeys } from "../../store/keys.ts";
import { LeaseTable } from "../../store/lease.ts";
import { Transaction } from "../../store/transaction.ts";
import { FaultyStore } from "./faulty_store.ts";
import { Caller, fakeRuntimes, keysOf, sandboxProcess, withStore } from "./fixture.ts";

const LEASE_MS = 10_000;

Deno.test("first run: a new sandbox costs a read and two commits, and no call of the runtime before", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const counted = new FaultyStore(store);
    const box = new Caller(sandboxProcess(counted, { runtimes }));
    await box.run("n = 1");
    assertEquals(counted.operations, ["getMany", "commit", "commit"]);
    assertEquals(runtimes.PYTHON.requests, []);
  }));

Deno.test("first run: killed before each operation, the next process runs as in a new context", () =>
  withStore(async (store) => {
    let now = Date.now();
    const clock = () => now;
    for (let count = 0;; count++) {
      const runtimes = fakeRuntimes();
      const options = { runtimes, clock, leaseMs: LEASE_MS };
      const faulty = new FaultyStore(store);
      faulty.killAfter(count);
      const dying = new Caller(sandboxProcess(faulty, options));
      const answer = await dying.send("POST", "/execute", { binding: "PYTHON", code: "n = 1" });
      await answer.body?.cancel();
      now += 2 * LEASE_MS;
      const box = new Caller(sandboxProcess(store, options));
      const { executionCount } = await box.run("m = 1");
      if (answer.status === 200) assertEquals(executionCount, 2);
      else assertEquals(executionCount, 1, `operation ${count}`);
      await box.ok("DELETE", "/");
      assertEquals(await keysOf(store), []);
      if (!faulty.died) return assert(count >= 3, String(count));
    }
  }));

Deno.test("first run: 20 simultaneous runs through two processes run in turn in one context", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const processes = [sandboxProcess(store, { runtimes }), sandboxProcess(store, { runtimes })];
    const callers = Array.from({ length: 20 }, (_, n) => processes[n % 2]);
    const answers = await Promise.all(callers.map(async (sandboxes) => {
      assert(sandboxes !== undefined);
      return (await new Caller(sandboxes).run("n = 1"))["executionCount"];
    }));
    assertEquals(answers.map(Number).sort((a, b) => a - b), answers.map((_, n) => n + 1));
    assertEquals(runtimes.PYTHON.stored.size, 1);
  }));

Deno.test("first run: a deletion during the run leaves no context and no data", () =>
  withStore(async (store) => {
    for (const isElsewhere of [false, true]) {
      const runtimes = fakeRuntimes();
      const gate = Promise.withResolvers<void>();
      runtimes.PYTHON.gate = gate.promise;
      const here = sandboxProcess(store, { runtimes });
      const deleter = isElsewhere ? sandboxProcess(store, { runtimes }) : here;
      const running = new Caller(here).fails(409, "CONFLICT", "POST", "/execute", {
        binding: "PYTHON",
        code: "n = 1\nwait",
      });
      while (runtimes.PYTHON.waits === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      await new Caller(deleter).ok("DELETE", "/");
      gate.resolve();
      await running;
      assertEquals(await keysOf(store), []);
    }
  }));

Deno.test("first run: a context that ends at a limit is created by a later run", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store, { runtimes: fakeRuntimes() }));
    assertEquals((await box.run("limit"))["executionCount"], 1);
    assertEquals((await box.run("n = 1"))["executionCount"], 2);
  }));

Deno.test("lease: a commit begins a lease for one holder; a refused commit begins none", () =>
  withStore(async (store) => {
    const keys = sandboxLeaseKeys("life", "context");
    const tableOf = (owner: string) =>
      new LeaseTable({ kv: store, owner, ttlMs: 60_000, clock: Date.now });
    const [mine, others] = [tableOf("a"), tableOf("b")];
    const create = async () => {
      const transaction = new Transaction(store, {
        writeId: crypto.randomUUID(),
        clock: Date.now,
      });
      const begun = mine.beginWith(keys, transaction);
      return { done: await transaction.set(["root"], 1).commit(), begun: begun() };
    };
    const { done, begun } = await create();
    assert(done && begun !== undefined);
    assertEquals(begun.lease.fence, 1);
    for (const table of [mine, others]) {
      await assertRejects(() => table.acquire(keys, { maxWaitMs: 0 }));
    }
    await begun.lease.release();
    const next = await others.acquire(keys, { maxWaitMs: 1_000 });
    assertEquals(next.fence, 2);
    const again = await create();
    assertEquals([again.done, again.begun], [false, undefined]);
    await next.release();
    await (await mine.acquire(keys, { maxWaitMs: 1_000 })).release(); // the turn was given back
  }));
