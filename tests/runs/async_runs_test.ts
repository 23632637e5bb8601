/** Runs that go on without their caller, and stored runs whose store falls silent. */
import { assert, assertEquals } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import { GuardedStore } from "../../store/guarded_store.ts";
import { FaultyStore } from "../sandbox/faulty_store.ts";
import { fakeRuntimes } from "../sandbox/fixture.ts";
import { janitorRound } from "../sandbox/janitor_round.ts";
import { silenceTimers, SilentStore } from "../store/silent_store.ts";
import { pause, until } from "../support/wait.ts";
import { ContextCaller } from "./context_caller.ts";
import { withProcesses } from "./context_processes.ts";

const LEASE_MS = 10_000;

Deno.test("async: a run goes on without its caller, and its events are read from any position", () =>
  withProcesses(async (start) => {
    const runtimes = fakeRuntimes();
    const box = new ContextCaller(start({ runtimes }));
    const headers = { prefer: "respond-async" };
    const body = { binding: "PYTHON", code: "x = 1\nprint a\nprint b\nx" };
    const begun = await box.send("POST", "/execute", body, { headers });
    const { run } = await begun.json();
    assertEquals([begun.status, begun.headers.get("location")], [202, `/runs/${run.id}`]);
    const events = async (query: string, more: Record<string, string> = {}) => {
      const init = { headers: { accept: "application/x-ndjson", ...more } };
      const answer = await box.send("GET", `/runs/${run.id}${query}`, undefined, init);
      return (await answer.text()).trim().split("\n").map((line) => JSON.parse(line))
        .map(({ id, type, text }) => [id, type, text ?? null]);
    };
    const all = await events("");
    assertEquals(all.map(([id, type]) => [id, type]).slice(0, 1), [[1, "start"]]);
    assertEquals(all.at(-1)?.[1], "end");
    assertEquals(await events("?after=1"), all.slice(1));
    assertEquals(await events("", { "last-event-id": "2" }), all.slice(2));
    const shown = await box.call(200, "GET", `/runs/${run.id}`);
    assertEquals(shown["state"], "ended");
    assertEquals((await box.call(400, "GET", `/runs/${run.id}?after=x`)).code, "VALIDATION_FAILED");
    assertEquals((await box.run("x"))["results"], [{ json: 1 }]);
  }));

Deno.test("async: a run whose process is lost begins again, and happens once", () =>
  withProcesses(async (start, store) => {
    let now = Date.now();
    const clock = () => now;
    const runtimes = fakeRuntimes();
    const gate = Promise.withResolvers<void>();
    runtimes.PYTHON.gate = gate.promise;
    const faulty = new FaultyStore(store);
    const open = (kv: KvStore) => start({ runtimes, clock, leaseMs: LEASE_MS }, kv);
    const dying = new ContextCaller(open(faulty));
    const headers = { prefer: "respond-async" };
    const body = { binding: "PYTHON", code: "wait\nx = 1\nx" };
    const begun = await dying.send("POST", "/execute", body, { headers });
    const { run } = await begun.json();
    faulty.kill();
    gate.resolve();
    now += 60_000;
    const sandboxes = open(store);
    await janitorRound(store, sandboxes, clock);
    const box = new ContextCaller(sandboxes);
    const end = await box.answer(run.id, []);
    assertEquals([end["results"], end["executionCount"]], [[{ json: 1 }], 1]);
  }));

Deno.test("async: a run that one process computes is read in another, which waits for its end", () =>
  withProcesses(async (start) => {
    const runtimes = fakeRuntimes();
    const gate = Promise.withResolvers<void>();
    runtimes.PYTHON.gate = gate.promise;
    const open = () => new ContextCaller(start({ runtimes, limits: { maxWaitMs: 20 } }));
    const [computing, reading] = [open(), open()];
    const headers = { prefer: "respond-async" };
    const body = { binding: "PYTHON", code: "print a\nwait\nx = 1\nx" };
    const { run } = await (await computing.send("POST", "/execute", body, { headers })).json();
    await until(() => runtimes.PYTHON.waits === 1);
    assertEquals((await reading.call(200, "GET", `/runs/${run.id}`))["state"], "queued");
    const { runs } = await reading.call(200, "GET", "/runs");
    assert(Array.isArray(runs));
    assertEquals(runs.map(({ state }) => state), ["queued"]);
    const streamed = { headers: { accept: "application/x-ndjson" } };
    const stream = reading.send("GET", `/runs/${run.id}`, undefined, streamed);
    const end = reading.answer(run.id, []);
    await pause(1_500); // longer than a run may wait, and than one attempt to take the turn
    gate.resolve();
    assertEquals((await end)["results"], [{ json: 1 }]);
    const lines = (await (await stream).text()).trim().split("\n").map((line) => JSON.parse(line));
    assertEquals(lines.map(({ id, type }) => [id, type]), [[1, "start"], [2, "stdout"], [
      3,
      "end",
    ]]);
    assertEquals(await computing.answer(run.id, []), await end);
    assertEquals(runtimes.PYTHON.runs.length, 1);
  }));

Deno.test("async: the events of a run that has ended are read from any position in any process", () =>
  withProcesses(async (start) => {
    const runtimes = fakeRuntimes();
    const box = () => new ContextCaller(start({ runtimes }));
    const first = box();
    const { waiting } = await first.start(["print a", "print b", "call ping {}", "prompt end"]);
    const run = waiting?.run;
    await first.answer(run, [{ key: `${run}/1`, value: 1 }]);
    const events = async (from: ContextCaller, position: string, accept: string) => {
      const answer = await from.send("GET", `/runs/${run}${position}`, undefined, {
        headers: { accept },
      });
      return await answer.text();
    };
    for (const accept of ["application/x-ndjson", "text/event-stream"]) {
      for (const position of ["", "?after=0", "?after=1", "?after=4", "?after=6", "?after=99"]) {
        const known = await events(first, position, accept);
        assertEquals(await events(box(), position, accept), known, position);
      }
    }
    const lines = (await events(box(), "", "application/x-ndjson")).trim().split("\n");
    assertEquals(lines.map((line) => JSON.parse(line)).map(({ id, type }) => [id, type]), [
      [1, "start"],
      [2, "stdout"],
      [3, "stdout"],
      [4, "call"],
      [5, "stdout"],
      [6, "stdout"],
      [7, "end"],
    ]);
  }));

Deno.test("durable: a store that falls silent ends no stored run", () =>
  withProcesses(async (start, store) => {
    const runtimes = fakeRuntimes();
    for (let after = 0, happened = true; happened; after++) {
      const silent = new SilentStore(store);
      const guarded = new GuardedStore(silent, {
        readMs: 60,
        writeMs: 80,
        log: () => undefined,
        timers: silenceTimers(silent),
      });
      const box = new ContextCaller(start({ runtimes }, guarded), `box-${after}`);
      const { waiting } = await box.start(['call ping {"n":1}', "print end"]);
      const answers = { answers: [{ key: `${waiting?.run}/1`, value: 1 }] };
      silent.fallSilent(after, "done late");
      const path = `/runs/${waiting?.run}/answers`;
      let isAnswered = false;
      const sent = box.send("POST", path, answers).finally(() => isAnswered = true);
      await until(() => isAnswered || guarded.state === "failing");
      happened = silent.happened;
      await silent.comeBack();
      await (await sent).body?.cancel();
      await until(() => guarded.state === "ready");
      const other = new ContextCaller(start({ runtimes }), `box-${after}`);
      for (const each of [box, other]) {
        const { logs } = await each.call(200, "POST", path, answers);
        assertEquals(logs.stdout, ["1: 1", "end"], `operation ${after}`);
      }
      guarded.close();
    }
  }));

Deno.test("async: the same request with the same key names the run while it computes", () =>
  withProcesses(async (start) => {
    const runtimes = fakeRuntimes();
    const gate = Promise.withResolvers<void>();
    runtimes.PYTHON.gate = gate.promise;
    const boxes = [1, 2].map(() => new ContextCaller(start({ runtimes })));
    const send = async (box: ContextCaller | undefined, code: string) => {
      const headers = { prefer: "respond-async", "idempotency-key": "k" };
      const answer = await box?.send("POST", "/execute", { binding: "PYTHON", code }, { headers });
      return [answer?.status, await answer?.json()];
    };
    const [status, { run }] = await send(boxes[0], "wait\nx = 1\nx");
    await until(() => runtimes.PYTHON.waits === 1);
    for (const box of boxes) {
      const [again, body] = await send(box, "wait\nx = 1\nx");
      assertEquals([again, body.run.id], [status, run.id]);
      assertEquals((await send(box, "wait\nx = 2")).at(0), 409);
    }
    gate.resolve();
    for (const box of boxes) assertEquals((await box.answer(run.id, []))["results"], [{ json: 1 }]);
    assertEquals(runtimes.PYTHON.runs.length, 1);
  }));
