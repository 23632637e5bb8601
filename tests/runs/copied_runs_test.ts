/** Forks, checkpoints and restores take waiting runs along, with keys of their own. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { FaultyStore } from "../sandbox/faulty_store.ts";
import { keysOf, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { assertTidy } from "../sandbox/forks_processes.ts";
import { janitorRound } from "../sandbox/janitor_round.ts";
import type { Sandboxes } from "../../sandbox/sandboxes.ts";
import type { KvStore } from "../../store/kv.ts";
import { type StoredProgram, StoredRuntime } from "../sandbox/stored_runtime.ts";
import { ContextCaller } from "./context_caller.ts";

const LEASE_MS = 10_000;
const HOUR = 3_600_000;

interface World {
  /** A sandbox in a new process, over the store of the test or another one. */
  box(name?: string, kv?: KvStore): ContextCaller;
  /** Milliseconds that pass. */
  pass(ms: number): void;
  round(): Promise<void>;
  readonly store: KvStore;
}

/** Does `work` with a store in memory. At its end, all sandboxes are deleted and nothing may be left. */
function withWorld(work: (world: World) => Promise<void>): Promise<void> {
  return withStore(async (store) => {
    const started: Sandboxes[] = [];
    const names = new Set<string>();
    let now = Date.now();
    const clock = () => now;
    const open = (kv: KvStore) => {
      const runtime = new StoredRuntime(kv, "python", clock);
      const bindings = new Map([["PYTHON", runtime]]);
      const sandboxes = sandboxProcess(kv, { bindings, clock, leaseMs: LEASE_MS, waitMs: HOUR });
      started.push(sandboxes);
      return { ...sandboxes, janitorTasks: [...sandboxes.janitorTasks, runtime.maintenance] };
    };
    const round = () => janitorRound(store, open(store), clock);
    const box = (name = "box", kv = store) => {
      names.add(name);
      return new ContextCaller(open(kv), name);
    };
    try {
      await work({ box, store, round, pass: (ms) => void (now += ms) });
      await round();
      await assertTidy(store, "after the work");
      for (const name of names) await (await box(name).send("DELETE", "/")).body?.cancel();
      now += 26 * HOUR;
      for (let n = 0; n < 4; n++) await round();
      assertEquals(await keysOf(store), []);
      await assertTidy(store, "at the end");
    } finally {
      await Promise.all(started.map(({ runs }) => runs.close()));
    }
  });
}

const program = (fields: StoredProgram) => JSON.stringify(fields);
const BEFORE = program({ add: 1, write: { path: "a", chars: 3 } });
const VALUE = program({});
const CALLS = program({
  lines: ["call ping {}", "start ping {}", "start ping {}", "gather"],
  add: 1,
  write: { path: "b", chars: 2 },
});
const ONE_CALL = program({ lines: ["call ping {}"] });

/** Begins a run that has one answer and two pending calls. Returns its id. */
async function waitingRun(box: ContextCaller): Promise<string> {
  await box.run(BEFORE);
  const first = await box.start([CALLS]);
  const run = first.waiting?.run ?? "";
  const { waiting } = await box.answer(run, [{ key: `${run}/1`, value: "one" }]);
  assertEquals(waiting?.calls.length, 2);
  return run;
}

/** The only run of a sandbox that waits. */
async function runOf(box: ContextCaller): Promise<string> {
  const { runs } = await box.call(200, "GET", "/runs");
  assert(Array.isArray(runs));
  const waiting = runs.filter(({ state }) => state === "waiting");
  assertEquals(waiting.length, 1);
  return waiting[0].id;
}

/** Answers what is pending, and checks the whole end. */
async function finish(box: ContextCaller, run: string, value: string): Promise<void> {
  const shown = await box.call(200, "GET", `/runs/${run}`);
  assertEquals(shown.waiting?.calls.map(({ key }) => key), [`${run}/2`, `${run}/3`]);
  await box.answer(run, [{ key: `${run}/3`, value }]);
  const end = await box.answer(run, [{ key: `${run}/2`, value }]);
  assertEquals(end.logs.stdout, ['1: "one"', `3: "${value}"`, `2: "${value}"`]);
  assertEquals([end["results"], end["executionCount"]], [[{ json: 2 }], 2]);
  assertEquals((await box.run(VALUE))["results"], [{ json: 2 }]);
  assertEquals(await box.text("b"), "xx");
}

Deno.test("copied runs: a fork waits by itself, and each is answered by itself", () =>
  withWorld(async ({ box }) => {
    const run = await waitingRun(box());
    await box().ok("POST", "/fork", { to: "fork" });
    const copy = await runOf(box("fork"));
    assertNotEquals(copy, run);
    await box().call(404, "GET", `/runs/${copy}`);
    await box("fork").call(404, "GET", `/runs/${run}`);
    await box("fork").call(404, "POST", `/runs/${copy}/answers`, {
      answers: [{ key: `${run}/2`, value: 1 }],
    });
    await box("fork").file("write", "a", { content: "new" });
    await finish(box("fork"), copy, "b");
    await finish(box(), run, "a");
    assertEquals(await box("fork").text("a"), "new");
    // an answer from before the copy is known in both
    await box("fork").call(409, "POST", `/runs/${copy}/answers`, {
      answers: [{ key: `${copy}/1`, value: "other" }],
    });
  }));

Deno.test("copied runs: a fork of a fork, and of a context, wait too", () =>
  withWorld(async ({ box }) => {
    const run = await waitingRun(box());
    await box().ok("POST", "/fork", { to: "b" });
    await box("b").ok("POST", "/fork", { to: "c" });
    await box().ok("DELETE", "/");
    await box("b").ok("DELETE", "/");
    await finish(box("c"), await runOf(box("c")), "c");
    await box("c").ok("DELETE", "/");
    assertEquals((await box("c").send("GET", `/runs/${run}`)).status, 404);

    const again = await waitingRun(box("d"));
    const { contexts } = await box("d").ok("GET", "/contexts");
    assert(Array.isArray(contexts));
    const { id } = await box("d").ok("POST", `/contexts/${contexts[0].id}/fork`, {});
    const { runs } = await box("d").call(200, "GET", "/runs");
    assert(Array.isArray(runs));
    const copy = runs.find(({ contextId }) => contextId === id).id;
    const end = await box("d").answer(copy, [
      { key: `${copy}/2`, value: 2 },
      { key: `${copy}/3`, value: 3 },
    ]);
    assertEquals(end["results"], [{ json: 2 }]);
    assertEquals((await box("d").run(VALUE, String(id)))["results"], [{ json: 2 }]);
    await finish(box("d"), again, "d");
  }));

Deno.test("copied runs: a restore brings the run of a checkpoint back, each time with new keys", () =>
  withWorld(async ({ box, pass, round }) => {
    const run = await waitingRun(box());
    const { id } = await box().ok("POST", "/checkpoints", {});
    assertEquals(await runOf(box()), run);
    await finish(box(), run, "first");
    pass(2 * HOUR); // longer than a call waits
    await box().run(program({ add: 100, write: { path: "a", chars: 9 } }));
    await round();
    const seen = new Set([run]);
    for (const value of ["second", "third"]) {
      await box().ok("POST", `/checkpoints/${id}/restore`);
      const copy = await runOf(box());
      assertEquals(seen.has(copy), false);
      seen.add(copy);
      assertEquals(await box().text("a"), "xxx");
      await finish(box(), copy, value);
    }
  }));

Deno.test("copied runs: a restore ends the run that waits now", () =>
  withWorld(async ({ box, round }) => {
    const before = box();
    await before.run(BEFORE);
    const { id } = await before.ok("POST", "/checkpoints", {});
    const first = await before.start([ONE_CALL]);
    await box().ok("POST", `/checkpoints/${id}/restore`);
    await box().call(404, "GET", `/runs/${first.waiting?.run}`);
    await round();
    await box().run(VALUE);
  }));

Deno.test("copied runs: a deleted checkpoint keeps no run", () =>
  withWorld(async ({ box, store, round }) => {
    const run = await waitingRun(box());
    await round();
    const before = await keysOf(store);
    const { id } = await box().ok("POST", "/checkpoints", {});
    await box().ok("DELETE", `/checkpoints/${id}`);
    for (let n = 0; n < 3; n++) await round();
    const isRun = (key: string) => key.includes("run");
    assertEquals((await keysOf(store)).filter(isRun), before.filter(isRun));
    await finish(box(), run, "a");
  }));

const WAYS = {
  "a fork": async (box: ContextCaller) => {
    const answer = await box.send("POST", "/fork", { to: "copy" });
    return await answer.json();
  },
  "a checkpoint": async (box: ContextCaller) => {
    const answer = await box.send("POST", "/checkpoints", {});
    return await answer.json();
  },
};

for (const [name, copy] of Object.entries(WAYS)) {
  Deno.test(`copied runs: killed before each operation of ${name}, the source waits on, and the copy is whole or not there`, () =>
    withWorld(async ({ box, store, pass, round }) => {
      const run = await waitingRun(box());
      for (let count = 0;; count++) {
        const faulty = new FaultyStore(store);
        const dying = box("box", faulty);
        faulty.killAfter(count);
        await copy(dying);
        const isDead = faulty.died;
        pass(2 * LEASE_MS);
        await round();
        assertEquals(await runOf(box()), run);
        if (name === "a fork") {
          const isThere = (await box("copy").send("GET", "/contexts")).status === 200;
          if (isThere && (await box("copy").paths()).length > 0) {
            const copied = await runOf(box("copy"));
            await finish(box("copy"), copied, `n${count}`);
            await box("copy").ok("DELETE", "/");
          }
        } else {
          const { checkpoints } = await box().ok("GET", "/checkpoints");
          assert(Array.isArray(checkpoints));
          for (const { id } of checkpoints) await box().ok("DELETE", `/checkpoints/${id}`);
        }
        await round();
        if (!isDead) break;
      }
      await finish(box(), run, "end");
    }));
}

Deno.test("copied runs: killed before each operation of a restore, a run waits as before, or that of the checkpoint", () =>
  withWorld(async ({ box, store, pass, round }) => {
    await waitingRun(box());
    const { id } = await box().ok("POST", "/checkpoints", {});
    for (let count = 0;; count++) {
      const faulty = new FaultyStore(store);
      const dying = box("box", faulty);
      faulty.killAfter(count);
      await (await dying.send("POST", `/checkpoints/${id}/restore`)).body?.cancel();
      const isDead = faulty.died;
      pass(2 * LEASE_MS);
      await round();
      const run = await runOf(box());
      if (isDead) continue;
      await finish(box(), run, "end");
      break;
    }
  }));
