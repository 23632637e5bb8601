/** Runs that wait in contexts outlive their process: another one goes on with them. */
import { assert, assertEquals } from "@std/assert";
import { FaultyStore } from "../sandbox/faulty_store.ts";
import { fakeRuntimes, keysOf } from "../sandbox/fixture.ts";
import type { KvStore } from "../../store/kv.ts";
import { janitorRound } from "../sandbox/janitor_round.ts";
import { ContextCaller } from "./context_caller.ts";
import { withProcesses } from "./context_processes.ts";

const LEASE_MS = 10_000;

Deno.test("durable: another process goes on with a run, with the same calls and the same end", () =>
  withProcesses(async (start) => {
    const runtimes = fakeRuntimes();
    const box = () => new ContextCaller(start({ runtimes }));
    await box().run("x = 1\nwrite a old");
    const code = [
      "x += 1",
      "read a",
      'call ping {"n":1}',
      "start ping {}",
      "start ping {}",
      "gather",
    ];
    const first = await box().start([...code, "write b new", "x"]);
    const run = first.waiting?.run;
    await box().file("write", "a", { content: "changed meanwhile" });
    const shown = await box().call(200, "GET", `/runs/${run}`);
    assertEquals([shown["state"], shown.waiting], ["waiting", first.waiting]);
    const second = await box().answer(run, [{ key: `${run}/1`, value: "one" }]);
    assertEquals(second.waiting?.calls.map(({ key }) => key), [`${run}/2`, `${run}/3`]);
    const third = await box().answer(run, [{ key: `${run}/3`, value: "three" }]);
    assertEquals(third.logs.stdout, ['1: "one"', '3: "three"']);
    const end = await box().answer(run, [{ key: `${run}/2`, deny: "no" }]);
    assertEquals(end.logs.stdout, ['1: "one"', '3: "three"', "2: denied no"]);
    assertEquals([end["results"], end["executionCount"]], [[{ json: 2 }], 2]);
    assertEquals(await box().answer(run, [{ key: `${run}/1`, value: "one" }]), end);
    assertEquals((await box().call(200, "GET", `/runs/${run}`))["execution"], end);
    assertEquals(await box().text("a"), "changed meanwhile");
    assertEquals(await box().text("b"), "new");
    assertEquals((await box().run("x"))["results"], [{ json: 2 }]);
  }));

Deno.test("durable: a context with a waiting run takes no other, in any process", () =>
  withProcesses(async (start) => {
    const runtimes = fakeRuntimes();
    const box = () => new ContextCaller(start({ runtimes }));
    const { waiting } = await box().start(['call ping {"n":1}']);
    const body = { binding: "PYTHON", code: "x = 1" };
    for (const one of [box(), box()]) {
      const refused = await one.call(409, "POST", "/execute", body);
      assertEquals(refused.code, "RUN_WAITING");
      assertEquals(refused.context, { run: waiting?.run, calls: waiting?.calls });
    }
    await box().call(200, "DELETE", `/runs/${waiting?.run}`);
    await box().run("x = 1");
  }));

Deno.test("durable: both processes answer, and each call is answered once", () =>
  withProcesses(async (start) => {
    const runtimes = fakeRuntimes();
    const boxes = [0, 1].map(() => new ContextCaller(start({ runtimes })));
    const calls = Array.from({ length: 8 }, (_, n) => `start ping {"n":${n}}`);
    const { waiting } = await boxes[0]?.start([...calls, "gather"]) ?? {};
    const run = waiting?.run;
    await Promise.all(
      calls.map((_, n) => boxes[n % 2]?.answer(run, [{ key: `${run}/${n + 1}`, value: n }])),
    );
    const ends = await Promise.all(boxes.map((box) => box.answer(run, [])));
    assertEquals(ends[0], ends[1]);
    assertEquals([...ends[0]?.logs.stdout ?? []].sort(), calls.map((_, n) => `${n + 1}: ${n}`));
  }));

Deno.test("durable: a call expires while no process runs", () =>
  withProcesses(async (start, store) => {
    let now = Date.now();
    const clock = () => now;
    const runtimes = fakeRuntimes();
    const open = () => start({ runtimes, clock, leaseMs: LEASE_MS });
    const { waiting } = await new ContextCaller(open()).start(["call mail.send {}", "write a 1"]);
    now += 1_000;
    const sandboxes = open();
    await janitorRound(store, sandboxes, clock);
    const box = new ContextCaller(sandboxes);
    const end = await box.answer(waiting?.run, []);
    assertEquals(end.logs.stdout, ["1: expired Nobody answered the call of mail.send in time"]);
    assertEquals(await box.paths(), ["/workspace/a"]);
  }));

for (const method of ["context", "sandbox"]) {
  Deno.test(`durable: with its ${method}, a waiting run is deleted, and nothing of it is left`, () =>
    withProcesses(async (start, store) => {
      const runtimes = fakeRuntimes();
      const box = new ContextCaller(start({ runtimes }));
      await box.file("write", "a", { content: "1" });
      const { waiting } = await box.start(["call ping {}"]);
      const { contexts } = await box.ok("GET", "/contexts");
      assert(Array.isArray(contexts));
      const path = method === "context" ? `/contexts/${contexts[0].id}` : "/";
      await box.ok("DELETE", path);
      const other = new ContextCaller(start({ runtimes }));
      await other.call(404, "GET", `/runs/${waiting?.run}`);
      if (method === "context") await box.ok("DELETE", "/");
      const sandboxes = start({ runtimes });
      await janitorRound(store, sandboxes, Date.now);
      await janitorRound(store, sandboxes, Date.now);
      assertEquals(await keysOf(store), []);
    }));
}

Deno.test("durable: killed before each operation, a run has the same calls and the same end", () =>
  withProcesses(async (start, store) => {
    let now = Date.now();
    const clock = () => now;
    const runtimes = fakeRuntimes();
    const open = (kv: KvStore) =>
      new ContextCaller(start({ runtimes, clock, leaseMs: LEASE_MS }, kv));
    const box = open(store);
    await box.run("x = 0\nwrite n 0");
    const code = [
      "x += 1",
      "call ping {}",
      "start ping {}",
      "start ping {}",
      "gather",
      "write n 1",
      "x",
    ];
    let runs = 0;
    for (let count = 0;; count++) {
      const faulty = new FaultyStore(store);
      const dying = open(faulty);
      faulty.killAfter(count);
      const body = { binding: "PYTHON", code: code.join("\n"), tools: [{ name: "ping" }] };
      const begun = await dying.send("POST", "/execute", body);
      const answer = await begun.json();
      let run: string | undefined = answer.waiting?.run;
      if (run !== undefined) {
        const answers = [{ key: `${run}/1`, value: "a" }];
        await (await dying.send("POST", `/runs/${run}/answers`, { answers })).body?.cancel();
        const rest = [{ key: `${run}/3`, value: "c" }, { key: `${run}/2`, value: "b" }];
        await (await dying.send("POST", `/runs/${run}/answers`, { answers: rest })).body?.cancel();
      }
      const isDead = faulty.died;
      now += 2 * LEASE_MS;
      const next = open(store);
      if (run === undefined) {
        // whether it was stored is not known: then it waits, and is listed
        const refused = await next.send("POST", "/execute", { binding: "PYTHON", code: "x" });
        const { context } = await refused.json();
        run = refused.status === 409 ? context.run : undefined;
        if (run === undefined) {
          runs++; // that run counted
          continue;
        }
      }
      for (const [number, value] of [[1, "a"], [3, "c"], [2, "b"]]) {
        await next.answer(run, [{ key: `${run}/${number}`, value }]);
      }
      runs++;
      const end = await next.answer(run, []);
      assertEquals(end.logs.stdout, ['1: "a"', '3: "c"', '2: "b"'], `operation ${count}`);
      assertEquals(end["executionCount"], runs + 1);
      if (!isDead) break;
    }
    const sandboxes = start({ runtimes, clock, leaseMs: LEASE_MS });
    now += 25 * 3_600_000;
    await janitorRound(store, sandboxes, clock);
    await janitorRound(store, sandboxes, clock);
    await janitorRound(store, sandboxes, clock);
    const left = (await keysOf(store)).filter((key) => key.includes("run"));
    assertEquals(left, []);
  }));

Deno.test("durable: runs are listed page by page, those of other processes too", () =>
  withProcesses(async (start) => {
    const runtimes = fakeRuntimes();
    const box = new ContextCaller(start({ runtimes }));
    const runs: string[] = [];
    for (let n = 0; n < 3; n++) {
      const contextId = await box.context();
      const body = { contextId, code: "call ping {}", tools: [{ name: "ping" }] };
      const { waiting } = await box.call(200, "POST", "/execute", body);
      runs.unshift(waiting?.run ?? "");
    }
    const other = new ContextCaller(start({ runtimes }));
    const first = await other.call(200, "GET", "/runs?limit=2");
    const rest = await other.call(200, "GET", `/runs?cursor=${first["cursor"]}`);
    const ids = [first["runs"], rest["runs"]].flatMap((page) => {
      assert(Array.isArray(page));
      return page.map(({ id, state }) => [id, state]);
    });
    assertEquals(ids, runs.map((id) => [id, "waiting"]));
    assertEquals(rest["cursor"], undefined);
    await other.call(400, "GET", "/runs?limit=0");
    await other.call(400, "GET", "/runs?cursor=x");
  }));

Deno.test("durable: the same request with the same key is the run itself", () =>
  withProcesses(async (start) => {
    const runtimes = fakeRuntimes();
    const box = () => new ContextCaller(start({ runtimes }));
    const send = async (code: string) => {
      const body = { binding: "PYTHON", code, tools: [{ name: "ping" }] };
      const answer = await box().send("POST", "/execute", body, {
        headers: { "idempotency-key": "k" },
      });
      return [answer.status, await answer.json()];
    };
    const [, first] = await send("call ping {}\nx = 1");
    const [status, again] = await send("call ping {}\nx = 1");
    assertEquals([status, again.waiting], [200, first.waiting]);
    const [refused, other] = await send("call ping {}\nx = 2");
    assertEquals([refused, other.code], [409, "CONFLICT"]);
    const { run } = first.waiting;
    const end = await box().answer(run, [{ key: `${run}/1`, value: 1 }]);
    const [, repeated] = await send("call ping {}\nx = 1");
    assertEquals([repeated, end["executionCount"]], [end, 1]);
  }));

Deno.test("durable: a sandbox whose run was only looked at expires like any other", () =>
  withProcesses(async (start, store) => {
    let now = Date.now();
    const clock = () => now;
    const runtimes = fakeRuntimes();
    const { waiting } = await new ContextCaller(start({ runtimes, clock }))
      .start(["call ping {}"]);
    const sandboxes = start({ runtimes, clock });
    const box = new ContextCaller(sandboxes);
    await box.call(200, "GET", `/runs/${waiting?.run}`);
    await box.call(200, "DELETE", `/runs/${waiting?.run}`);
    now += 3 * 24 * 3_600_000;
    for (let round = 0; round < 3; round++) await janitorRound(store, sandboxes, clock);
    assertEquals(await keysOf(store), []);
  }));

Deno.test("durable: of different answers at once to one call one counts, and the others are 409", () =>
  withProcesses(async (start) => {
    const runtimes = fakeRuntimes();
    const boxes = [start({ runtimes }), start({ runtimes })].map((process) =>
      new ContextCaller(process)
    );
    const [box] = boxes;
    assert(box !== undefined);
    const first = await box.start(["x = 1", "call ping {}", "x"]);
    const run = first.waiting?.run;
    const answers = await Promise.all(Array.from({ length: 12 }, async (_, value) => {
      const each = boxes[value % 2] ?? box;
      const body = { answers: [{ key: `${run}/1`, value }] };
      const answer = await each.send("POST", `/runs/${run}/answers`, body);
      return { status: answer.status, text: await answer.text() };
    }));
    const [won, ...others] = answers.toSorted((a, b) => a.status - b.status);
    assertEquals(won?.status, 200);
    assertEquals(others.map(({ status }) => status), Array.from({ length: 11 }, () => 409));
    const same = answers.findIndex(({ status }) => status === 200);
    const again = await box.answer(run, [{ key: `${run}/1`, value: same }]);
    assertEquals(again.logs.stdout, [`1: ${same}`]);
  }));
