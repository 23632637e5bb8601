// test: long
/** Processes are killed in the middle of operations: the state that the next one finds. */
import { assert, assertEquals } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import { readRecord } from "../../sandbox/root_record.ts";
import type { RunStep } from "../../sandbox/operation_options.ts";
import { RUN_STEPS } from "../support/kill_switch.ts";
import { FaultyStore } from "./faulty_store.ts";
import {
  Caller,
  type FakeRuntimes,
  fakeRuntimes,
  keysOf,
  sandboxProcess,
  withStore,
} from "./fixture.ts";
import { janitorRound } from "./janitor_round.ts";

const LEASE_MS = 10_000;
/** Too large for one atomic operation, so that blobs are written first. */
const LARGE = 1_500_000;

/**
 * Time advances only when a test says so: after a crash, until the dead process's lease is free.
 */
let now = Date.now();
const clock = () => now;

/** Every blob is named by the root record or a shard of it, and there are no other leftovers. */
async function assertNoOrphans(store: KvStore, name = "box"): Promise<void> {
  const { value } = await store.get(["sandbox", "default", name]);
  const record = readRecord(value);
  const blobs = new Set<string>();
  const others: string[] = [];
  for (const key of await keysOf(store)) {
    const [kind, ...parts] = JSON.parse(key);
    if (kind === "sandbox_blob") blobs.add(JSON.stringify(parts.slice(0, -1)));
    else if (kind !== "sandbox" && kind !== "expiry" && !key.includes('"fence"')) others.push(key);
  }
  const layers = [record?.env, ...record?.contexts.map(({ env }) => env) ?? []];
  const named = (record?.workspace.files ?? 0) + (record?.workspace.shards.length ?? 0) +
    layers.filter((ref) => ref !== null && ref !== undefined).length;
  assertEquals([blobs.size, others], [named, []]);
}

/**
 * The counts in a context and in the files; they agree on which run was the last. `asked`: the number of
 * earlier calls.
 */
async function stateOf(box: Caller, asked = 0): Promise<number> {
  const { results, executionCount } = await box.run("n");
  assert(Array.isArray(results));
  const n = Number(results[0]?.json);
  assertEquals(executionCount, n + asked + 1);
  assertEquals(await box.text("n"), String(n));
  const { file } = await box.file("stat", "large");
  assert(typeof file === "object" && file !== null && "size" in file);
  assertEquals(file.size, LARGE + n);
  return n;
}

function runTo(n: number): string {
  return `n = ${n}\nwrite n ${n}\nfill large ${LARGE + n}`;
}

async function prepare(store: KvStore, runtimes: FakeRuntimes): Promise<Caller> {
  const box = new Caller(sandboxProcess(store, { runtimes, clock, leaseMs: LEASE_MS }));
  await box.ok("POST", "/env", { envVars: { A: "1" } });
  await box.run(runTo(1));
  return box;
}

for (const step of RUN_STEPS) {
  Deno.test(`crash: killed when "${step}" is done, the next process finds all of a run or nothing`, () =>
    withStore(async (store) => {
      const runtimes = fakeRuntimes();
      const box = await prepare(store, runtimes);
      const faulty = new FaultyStore(store);
      const onStep = (done: RunStep) => done === step ? faulty.kill() : undefined;
      const options = { runtimes, clock, leaseMs: LEASE_MS, onStep };
      const dying = new Caller(sandboxProcess(faulty, options));
      const answer = await dying.send("POST", "/execute", { binding: "PYTHON", code: runTo(2) });
      await answer.body?.cancel();
      now += 2 * LEASE_MS;
      const isCommitted = step === "committed" || step === "answered";
      assertEquals(await stateOf(box), isCommitted ? 2 : 1);
      const sandboxes = sandboxProcess(store, { runtimes, clock, leaseMs: LEASE_MS });
      await janitorRound(store, sandboxes, clock);
      await assertNoOrphans(store);
      await box.ok("DELETE", "/");
      assertEquals(await keysOf(store), []);
    }));
}

Deno.test("crash: killed before each operation of a run, all of the run or nothing is found", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = await prepare(store, runtimes);
    const spare = sandboxProcess(store, { runtimes, clock, leaseMs: LEASE_MS });
    let n = 1;
    let killed = 0;
    for (let count = 0;; count++) {
      const faulty = new FaultyStore(store);
      const dying = new Caller(sandboxProcess(faulty, { runtimes, clock, leaseMs: LEASE_MS }));
      faulty.killAfter(count);
      const code = runTo(n + 1);
      const answer = await dying.send("POST", "/execute", { binding: "PYTHON", code });
      await answer.body?.cancel();
      now += 2 * LEASE_MS;
      const found = await stateOf(box, count);
      assert(found === n || found === n + 1, `operation ${count}`);
      if (answer.status === 200) assertEquals(found, n + 1);
      await janitorRound(store, spare, clock);
      await assertNoOrphans(store);
      n = found;
      if (!faulty.died) break;
      killed++;
    }
    assert(killed >= 6, String(killed));
  }));

Deno.test("crash: a file is old or new after a kill before any operation of its storing", () =>
  withStore(async (store) => {
    const options = { clock, leaseMs: LEASE_MS };
    const healthy = sandboxProcess(store, options);
    const box = new Caller(healthy);
    const listed = async () => {
      const { sandboxes, usage } = await healthy.forTenant("default").list({
        limit: [],
        cursor: [],
      });
      const bytes = sandboxes.reduce((sum, each) => sum + each.bytes, 0);
      assertEquals([usage.sandboxes, usage.bytes], [sandboxes.length, bytes]);
      return sandboxes.length;
    };
    const stored = async () => {
      const answer = await box.send("GET", "/files/d/f");
      return (await answer.text()).slice(0, 2);
    };
    let before: string | undefined;
    let n = 10;
    /** Stores a large file until no operation is left before which to be killed. */
    const attempt = async (least: number) => {
      for (let count = 0;; count++) {
        const faulty = new FaultyStore(store);
        faulty.killAfter(count);
        const dying = new Caller(sandboxProcess(faulty, options));
        const mark = String(n++);
        const body = mark.repeat(LARGE / 2);
        const answer = await dying.send("PUT", "/files/d/f", undefined, { body });
        await answer.body?.cancel();
        await janitorRound(store, healthy, clock);
        await assertNoOrphans(store);
        const found = await listed() === 1 ? await stored() : undefined;
        assert(found === mark || found === before, `operation ${count}: ${found}`);
        if (answer.ok) assertEquals(found, mark);
        before = found;
        if (!faulty.died) return assert(count >= least, String(count));
      }
    };
    await attempt(3);
    await attempt(4);
    await box.ok("DELETE", "/");
    assertEquals([await listed(), await keysOf(store)], [0, []]);
  }));

Deno.test("crash: contexts are whole or absent after a kill before any operation of their creation and deletion", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const options = { runtimes, clock, leaseMs: LEASE_MS };
    const healthy = sandboxProcess(store, options);
    const box = new Caller(healthy);
    const attempt = async (work: (dying: Caller) => Promise<Response>) => {
      for (let count = 0;; count++) {
        const faulty = new FaultyStore(store);
        faulty.killAfter(count);
        const answer = await work(new Caller(sandboxProcess(faulty, options)));
        await answer.body?.cancel();
        now += 2 * LEASE_MS;
        await janitorRound(store, healthy, clock);
        await assertNoOrphans(store);
        const { contexts } = await box.ok("GET", "/contexts");
        assert(Array.isArray(contexts));
        for (const { id } of contexts) assert((await box.run("x = 1", id))["executionCount"]);
        assertEquals(runtimes.PYTHON.stored.size, contexts.length);
        if (!faulty.died) return;
        for (const { id } of contexts) await box.ok("DELETE", `/contexts/${id}`);
        await box.context({ envVars: { A: "1" } });
      }
    };
    await attempt((dying) =>
      dying.send("POST", "/contexts", { binding: "PYTHON", envVars: { A: "1" } })
    );
    await attempt(async (dying) => {
      const { contexts } = await box.ok("GET", "/contexts");
      const id = Array.isArray(contexts) ? contexts[0]?.id : undefined;
      return await dying.send("DELETE", `/contexts/${id}`);
    });
    await box.context();
    await box.file("write", "f", { content: "f" });
    await attempt((dying) => dying.send("DELETE", "/"));
    assertEquals(await keysOf(store), []);
  }));
