/** Runs that are answered before they have their turn: the queue of a context. */
import { assert, assertEquals } from "@std/assert";
import { tenantCounterKey } from "../../store/keys.ts";
import { keysOf } from "../sandbox/fixture.ts";
import { janitorRound } from "../sandbox/janitor_round.ts";
import { until } from "../support/wait.ts";
import { ContextCaller } from "./context_caller.ts";
import { withProcesses } from "./context_processes.ts";
import { TOOLS } from "./gateway_fixture.ts";
import { faults, gated, queue, send, stateOf } from "./queued_runs.ts";

Deno.test("queue: in a busy context 202 comes at once, and the runs follow in that order", () =>
  withProcesses(async (start) => {
    const { runtimes, open } = gated();
    const box = new ContextCaller(start({ runtimes }));
    const busy = box.run("wait\nx = 1\nx");
    await until(() => runtimes.PYTHON.waits === 1);
    const runs: string[] = [];
    for (let n = 0; n < 8; n++) runs.push(await queue(box, `x += ${10 ** n}\nx`));
    assertEquals(await Promise.all(runs.map((run) => stateOf(box, run))), runs.map(() => "queued"));
    const { runs: listed } = await box.call(200, "GET", "/runs?state=queued");
    assert(Array.isArray(listed));
    assertEquals(listed.map(({ id }) => id), runs.toReversed());
    open();
    assertEquals((await busy)["results"], [{ json: 1 }]);
    for (const [n, run] of runs.entries()) {
      const end = await box.answer(run, []);
      const value = Number("1".repeat(n + 1)) - 10 ** n + (n === 0 ? 1 : 10 ** n);
      assertEquals([end["executionCount"], end["error"]], [n + 2, undefined], `${value}`);
    }
    assertEquals((await box.run("x"))["results"], [{ json: 11_111_112 }]);
  }));

Deno.test("queue: runs that several services answer follow in the order of their answers", () =>
  withProcesses(async (start) => {
    const { runtimes, open } = gated();
    const boxes = [1, 2, 3].map(() => new ContextCaller(start({ runtimes })));
    const [first] = boxes;
    assert(first !== undefined);
    const busy = first.run("wait\nx = 0");
    await until(() => runtimes.PYTHON.waits === 1);
    const runs: string[] = [];
    for (let n = 0; n < 9; n++) runs.push(await queue(boxes[n % 3] ?? first, `x += 1\nx`));
    open();
    await busy;
    for (const [n, run] of runs.entries()) {
      for (const box of boxes) {
        assertEquals((await box.answer(run, []))["results"], [{ json: n + 1 }], `run ${n}`);
      }
    }
  }));

Deno.test("queue: a run that was requested later comes after the queue, in any service", () =>
  withProcesses(async (start) => {
    let now = Date.now();
    const clock = () => now++;
    const { runtimes, open } = gated();
    const [a, b] = [1, 2].map(() => new ContextCaller(start({ runtimes, clock })));
    assert(a !== undefined && b !== undefined);
    const busy = a.run("wait\nx = 0");
    await until(() => runtimes.PYTHON.waits === 1);
    const before = b.run("x += 1000\nx");
    await queue(a, "x += 1");
    await queue(a, "x += 1");
    const after = [b, a].map((box) => box.run("x"));
    await queue(b, "x += 1");
    open();
    await Promise.all([busy, before]);
    for (const { results } of await Promise.all(after)) {
      assert(Array.isArray(results) && results[0].json >= 2, JSON.stringify(results));
    }
    assertEquals((await a.run("x"))["results"], [{ json: 1003 }]);
  }));

Deno.test("queue: a cancelled run is cancelled in every service, and the others follow", () =>
  withProcesses(async (start, store) => {
    const { runtimes, open } = gated();
    const [a, b] = [1, 2].map(() => new ContextCaller(start({ runtimes })));
    assert(a !== undefined && b !== undefined);
    const busy = a.run("wait\nx = 0");
    await until(() => runtimes.PYTHON.waits === 1);
    const runs: string[] = [];
    for (let n = 0; n < 5; n++) runs.push(await queue(a, `x += ${10 ** n}\nx`));
    const [first = "", second = "", third = "", fourth = "", fifth = ""] = runs;
    await a.call(200, "DELETE", `/runs/${first}`);
    await b.call(200, "DELETE", `/runs/${third}`);
    await b.call(200, "DELETE", `/runs/${fifth}`);
    for (const run of [first, third, fifth]) {
      for (const box of [a, b]) {
        assertEquals(await stateOf(box, run), "cancelled");
        await box.call(404, "POST", `/runs/${run}/answers`, { answers: [] });
      }
    }
    open();
    await busy;
    assertEquals((await a.answer(second, []))["results"], [{ json: 10 }]);
    assertEquals((await a.answer(fourth, []))["results"], [{ json: 1010 }]);
    assertEquals((await keysOf(store)).filter((key) => key.includes("run_queue")), []);
    assertEquals(await faults(store), []);
  }));

Deno.test("queue: behind a run that waits for an answer, runs stay queued until it is over", () =>
  withProcesses(async (start) => {
    const { runtimes } = gated();
    const [a, b] = [1, 2].map(() => new ContextCaller(start({ runtimes })));
    assert(a !== undefined && b !== undefined);
    for (const end of ["answer", "cancel"]) {
      const { waiting } = await a.start(["x = 1", "call ping {}"]);
      const runs = [await queue(a, "x = 5\nx"), await queue(b, "x += 1\nx")];
      const { code } = await b.call(409, "POST", "/execute", { binding: "PYTHON", code: "x" });
      assertEquals(code, "RUN_WAITING");
      for (const run of runs) assertEquals(await stateOf(b, run), "queued");
      if (end === "cancel") await b.call(200, "DELETE", `/runs/${waiting?.run}`);
      else await b.answer(waiting?.run, [{ key: `${waiting?.run}/1`, value: 1 }]);
      assertEquals((await a.answer(runs[1], []))["results"], [{ json: 6 }]);
      assertEquals((await b.answer(runs[0], []))["results"], [{ json: 5 }]);
    }
  }));

Deno.test("queue: a run that waits for answers itself is answered, and the next one follows", () =>
  withProcesses(async (start) => {
    let now = Date.now();
    const clock = () => now;
    const { runtimes, open } = gated();
    const box = new ContextCaller(start({ runtimes, clock }));
    const busy = box.run("wait\nx = 1");
    await until(() => runtimes.PYTHON.waits === 1);
    const asking = await queue(box, "call ping {}\nclock", TOOLS);
    const next = await queue(box, "x += 1\nx");
    now += 3_600_000;
    open();
    await busy;
    await until(async () => await stateOf(box, asking) === "waiting");
    assertEquals(await stateOf(box, next), "queued");
    const { startedAt, createdAt } = await box.call(200, "GET", `/runs/${asking}`);
    assertEquals(Date.parse(String(startedAt)) - Date.parse(String(createdAt)), 3_600_000);
    const end = await box.answer(asking, [{ key: `${asking}/1`, value: 1 }]);
    assertEquals(end.logs.stdout, ["1: 1", "0"]); // its clock began with its turn
    assertEquals((await box.answer(next, []))["results"], [{ json: 2 }]);
  }));

Deno.test("queue: the same request with the same key is the same run, in the queue and after it", () =>
  withProcesses(async (start, store) => {
    const { runtimes, open } = gated();
    const boxes = [1, 2].map(() => new ContextCaller(start({ runtimes })));
    const [a] = boxes;
    assert(a !== undefined);
    const busy = a.run("wait\nx = 0");
    await until(() => runtimes.PYTHON.waits === 1);
    const keyed = (key: string) => ({ headers: { "idempotency-key": key } });
    await queue(a, "x += 1");
    const at = boxes.flatMap((box) => [box, box, box]);
    const all = await Promise.all(at.map((box) => queue(box, "x += 10\nx", keyed("k"))));
    const [run = ""] = all;
    assertEquals(new Set(all).size, 1);
    for (const box of boxes) {
      assertEquals((await send(box, "x += 11\nx", keyed("k"))).status, 409);
      assertEquals((await send(box, "x += 10\nx", keyed("other"))).body.run.id === run, false);
    }
    open();
    await busy;
    await a.answer(run, []);
    for (const box of boxes) {
      const { status, body } = await send(box, "x += 10\nx", keyed("k"));
      assertEquals([status, body.results], [200, [{ json: 11 }]]);
    }
    assertEquals((await a.run("x"))["results"], [{ json: 21 }]);
    assertEquals(await faults(store), []);
  }));

Deno.test("queue: with too many waiting runs a request is 429, and nothing is stored", () =>
  withProcesses(async (start, store) => {
    const box = new ContextCaller(start({}));
    await box.run("x = 1");
    await store.atomic().sum(tenantCounterKey("default", "waiting_runs"), 1_000n).commit();
    const before = await keysOf(store);
    const { status, body } = await send(box, "x");
    assertEquals([status, body.code], [429, "RATE_LIMITED"]);
    assertEquals(await keysOf(store), before);
    const quotas = new ContextCaller(
      start({ quotas: { maxTenantBytes: 2_000 } }),
      "other",
      "small",
    );
    const large = await send(quotas, `x = ${JSON.stringify("y".repeat(2_000))}`);
    assertEquals([large.status, large.body.code], [507, "NO_SPACE"]);
  }));

for (
  const [what, end] of [
    ["a deleted sandbox", (box: ContextCaller) => box.call(200, "DELETE", "")],
    ["a deleted context", async (box: ContextCaller) => {
      const { contexts } = await box.call(200, "GET", "/contexts");
      assert(Array.isArray(contexts));
      await (await box.send("DELETE", `/contexts/${contexts[0].id}`)).body?.cancel();
    }],
  ] as const
) {
  Deno.test(`queue: runs of ${what} are over in every service, and nothing of them is left`, () =>
    withProcesses(async (start, store) => {
      let now = Date.now();
      const clock = () => now;
      const { runtimes, open } = gated();
      const processes = [1, 2].map(() => start({ runtimes, clock }));
      const [a, b] = processes.map((sandboxes) => new ContextCaller(sandboxes));
      const [janitor] = processes;
      assert(a !== undefined && b !== undefined && janitor !== undefined);
      const busy = a.send("POST", "/execute", { binding: "PYTHON", code: "wait" });
      await until(() => runtimes.PYTHON.waits === 1);
      const runs = [];
      for (const box of [a, b, a, b]) runs.push(await queue(box, "x = 1"));
      await end(b);
      for (const run of runs) await b.call(404, "GET", `/runs/${run}`);
      open();
      await (await busy).body?.cancel();
      for (let round = 0; round < 3; round++) {
        now += 120_000;
        await janitorRound(store, janitor, clock);
      }
      const { runs: listed } = await b.call(200, "GET", "/runs");
      assertEquals(listed, []);
      assertEquals((await keysOf(store)).filter((key) => key.includes("run_")), []);
      assertEquals(await faults(store), []);
    }));
}

Deno.test("queue: a fork has none of the queued runs of its source", () =>
  withProcesses(async (start, store) => {
    const { runtimes } = gated();
    const sandboxes = start({ runtimes });
    const box = new ContextCaller(sandboxes);
    const { waiting } = await box.start(["x = 1", "call ping {}"]);
    const run = await queue(box, "x += 1\nx");
    await box.call(201, "POST", "/fork", { to: "copy" });
    const copy = new ContextCaller(sandboxes, "copy");
    const { runs } = await copy.call(200, "GET", "/runs");
    assert(Array.isArray(runs));
    assertEquals(runs.map(({ state }) => state), ["waiting"]);
    await copy.answer(runs[0].id, [{ key: `${runs[0].id}/1`, value: 1 }]);
    assertEquals((await copy.run("x"))["results"], [{ json: 1 }]);
    await box.answer(waiting?.run, [{ key: `${waiting?.run}/1`, value: 1 }]);
    assertEquals((await box.answer(run, []))["results"], [{ json: 2 }]);
    assertEquals(await faults(store), []);
  }));
