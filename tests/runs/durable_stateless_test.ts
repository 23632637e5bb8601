/** Durable runs without a context outlive their process: another one goes on with them. */
import { assert, assertEquals } from "@std/assert";
import type { ProcessOptions } from "../sandbox/fixture.ts";
import { keysOf, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { FaultyStore } from "../sandbox/faulty_store.ts";
import { janitorRound } from "../sandbox/janitor_round.ts";
import type { Sandboxes } from "../../sandbox/sandboxes.ts";
import type { KvStore } from "../../store/kv.ts";
import { tenantCounterKey } from "../../store/keys.ts";
import { countIn } from "../../store/transaction.ts";
import { assertTidy } from "../sandbox/forks_processes.ts";
import { until } from "../support/wait.ts";
import type { IsolateRules } from "./calling_runtime.ts";
import { callingRuntime, RunCaller, TOOLS } from "./gateway_fixture.ts";

interface Process {
  readonly box: RunCaller;
  readonly sandboxes: Sandboxes;
}

/** Starts a process, over the store of the test or another one. */
type Start = (
  options?: ProcessOptions & { readonly rules?: IsolateRules; readonly kv?: KvStore },
) => Process;

/** Does `work` with a store in memory. The runs of all processes end with it. */
function withProcesses(work: (start: Start, store: KvStore) => Promise<void>): Promise<void> {
  return withStore(async (store) => {
    const started: Sandboxes[] = [];
    const start: Start = ({ rules = {}, kv = store, ...options } = {}) => {
      const bindings = new Map([["PYTHON", callingRuntime(rules).binding]]);
      const sandboxes = sandboxProcess(kv, { bindings, ...options });
      started.push(sandboxes);
      return { sandboxes, box: new RunCaller(rules, { sandboxes }) };
    };
    try {
      await work(start, store);
    } finally {
      await Promise.all(started.map(({ runs }) => runs.close()));
    }
  });
}

const LEASE_MS = 10_000;
const DURABLE = { ...TOOLS, durable: true };
const PROGRAM = ["call ping {}", "start ping {}", "start ping {}", "gather", "print end"];

Deno.test("durable: a run without a context goes on in another process, and ends once", () =>
  withProcesses(async (start) => {
    const box = () => start().box;
    const first = await box().run(PROGRAM, DURABLE);
    const run = first.waiting?.run;
    const shown = await box().call(200, "GET", `/runs/${run}`);
    assertEquals([shown["state"], shown.waiting], ["waiting", first.waiting]);
    assertEquals(shown["contextId"], undefined);
    const second = await box().answer(run, [{ key: `${run}/1`, value: "one" }]);
    assertEquals(second.waiting?.calls.map(({ key }) => key), [`${run}/2`, `${run}/3`]);
    const third = await box().answer(run, [{ key: `${run}/3`, value: "three" }]);
    assertEquals(third.logs.stdout, ['1: "one"', '3: "three"']);
    const end = await box().answer(run, [{ key: `${run}/2`, deny: "no" }]);
    assertEquals(end.logs.stdout, ['1: "one"', '3: "three"', "2: denied no", "end"]);
    assertEquals(await box().answer(run, [{ key: `${run}/1`, value: "one" }]), end);
    assertEquals((await box().call(200, "GET", `/runs/${run}`))["execution"], end);
    const { runs } = await box().call(200, "GET", "/runs");
    assert(Array.isArray(runs));
    assertEquals(runs.map(({ id, state }) => [id, state]), [[run, "ended"]]);
  }));

Deno.test("durable: killed before each operation, a run without a context has the same calls and end", () =>
  withProcesses(async (start, store) => {
    let now = Date.now();
    const clock = () => now;
    const open = (kv: KvStore) => start({ clock, leaseMs: LEASE_MS, kv });
    let seen = 0;
    for (let count = 0;; count++) {
      const faulty = new FaultyStore(store);
      const { box: dying } = open(faulty);
      faulty.killAfter(count);
      const body = { code: PROGRAM.join("\n"), ...DURABLE };
      const begun = await dying.send("POST", "/execute/python", body);
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
      const { box: next, sandboxes } = open(store);
      await janitorRound(store, sandboxes, clock);
      const { runs } = await next.call(200, "GET", "/runs?limit=100");
      assert(Array.isArray(runs));
      if (run === undefined) {
        if (runs.length === seen) continue;
        // it was stored, and is listed
        run = runs[0].id;
      }
      seen++;
      assertEquals(runs.length, seen);
      const id = String(run);
      await until(async () => {
        const { state, waiting } = await (await next.send("GET", `/runs/${id}`)).json();
        // one that has not made its first call yet has none to answer
        return waiting?.calls.length > 0 || state === "ended";
      });
      for (const [number, value] of [[1, "a"], [3, "c"], [2, "b"]]) {
        await next.answer(id, [{ key: `${id}/${number}`, value }]);
      }
      const end = await next.answer(id, []);
      assertEquals(end.logs.stdout, ['1: "a"', '3: "c"', '2: "b"', "end"], `operation ${count}`);
      now += 120_000; // the janitor's second look at the run is due, too
      await janitorRound(store, sandboxes, clock);
      await assertTidy(store, `operation ${count}`);
      if (!isDead) break;
    }
    const { sandboxes } = open(store);
    now += 25 * 3_600_000;
    for (let round = 0; round < 3; round++) await janitorRound(store, sandboxes, clock);
    assertEquals(await keysOf(store), []);
  }));

Deno.test("durable: a cancelled run without a context is shown for a day, whichever process ends it", () =>
  withProcesses(async (start, store) => {
    let shift = 0;
    const clock = () => Date.now() + shift;
    const box = start().box;
    for (const ending of [box, start().box]) {
      const { waiting } = await box.run(["print x", "call ping {}"], DURABLE);
      await ending.call(200, "DELETE", `/runs/${waiting?.run}`);
      for (const each of [box, ending, start().box]) {
        const { state } = await each.call(200, "GET", `/runs/${waiting?.run}`);
        assertEquals(state, "cancelled");
      }
      for (const each of [box, ending, start().box]) {
        await each.call(404, "POST", `/runs/${waiting?.run}/answers`, { answers: [] });
      }
    }
    shift = 25 * 3_600_000;
    await janitorRound(store, start({ clock }).sandboxes, clock);
    const used = await store.get<Deno.KvU64>(tenantCounterKey("default", "bytes"));
    assertEquals(used.value?.value ?? 0n, 0n);
    assertEquals((await keysOf(store)).filter((key) => key.includes("run")), []);
  }));

Deno.test("durable: a run without a context counts in the bytes of its tenant, and needs room for them", () =>
  withProcesses(async (start, store) => {
    const { box } = start({ quotas: { maxTenantBytes: 2_000 } });
    const code = `print ${"x".repeat(2_000)}\ncall ping {}`;
    const body = { code, ...DURABLE };
    const refused = await box.call(507, "POST", "/execute/python", body);
    assertEquals(refused.code, "NO_SPACE");
    assertEquals(await keysOf(store), []);
    const { waiting } = await box.run(["call ping {}"], {
      tools: [{ name: "ping" }],
      durable: true,
    });
    const used = await store.get<Deno.KvU64>(tenantCounterKey("default", "bytes"));
    assert((used.value?.value ?? 0n) > 200n);
    await box.answer(waiting?.run, [{ key: `${waiting?.run}/1`, value: 1 }]);
  }));

Deno.test("durable: a caller that leaves before the first wait ends no durable run", () =>
  withProcesses(async (start) => {
    const { box } = start();
    const left = new AbortController();
    const ids = async () => {
      const { runs } = await box.call(200, "GET", "/runs");
      assert(Array.isArray(runs));
      return runs;
    };
    const body = { code: "sleep 30\nprint done", ...DURABLE };
    const sent = box.send("POST", "/execute/python", body, { signal: left.signal });
    await until(async () => (await ids()).length === 1);
    left.abort();
    await sent.catch(() => undefined);
    await until(async () => (await ids())[0]?.state === "ended");
    const [{ id }] = await ids();
    const shown = await box.call(200, "GET", `/runs/${id}`);
    assertEquals(shown["execution"], { ...await box.answer(id, []) });
  }));

Deno.test("durable: processes answer one run at once, and each call is answered once", async () => {
  for (let round = 0; round < 8; round++) {
    await withProcesses(async (start) => {
      const boxes = Array.from({ length: 1 + round % 3 }, () => start().box);
      const box = (n: number) => boxes[n % boxes.length] ?? start().box;
      const calls = Array.from({ length: 8 }, (_, n) => `start ping {"n":${n}}`);
      const { waiting } = await box(0).run([...calls, "gather"], DURABLE);
      const run = waiting?.run;
      await Promise.all(
        calls.map((_, n) => box(n).answer(run, [{ key: `${run}/${n + 1}`, value: n }])),
      );
      const ends = await Promise.all(boxes.map((box) => box.answer(run, [])));
      for (const end of ends) assertEquals(end, ends[0]);
      assertEquals([...ends[0]?.logs.stdout ?? []].sort(), calls.map((_, n) => `${n + 1}: ${n}`));
    });
  }
});

Deno.test("durable: a call of a run without a context expires while no process runs", () =>
  withProcesses(async (start, store) => {
    let now = Date.now();
    const clock = () => now;
    const open = () => start({ clock, leaseMs: LEASE_MS });
    const { waiting } = await open().box.run(["call mail.send {}"], DURABLE);
    now += 1_000;
    const { box, sandboxes } = open();
    await janitorRound(store, sandboxes, clock);
    const end = await box.answer(waiting?.run, []);
    assertEquals(end.logs.stdout, ["1: expired Nobody answered the call of mail.send in time"]);
  }));

Deno.test("durable: a run without a context is another tenant's secret", () =>
  withProcesses(async (start) => {
    const { box, sandboxes } = start();
    const { waiting } = await box.run(["call ping {}"], DURABLE);
    const found = await sandboxes.runs.find("other", waiting?.run ?? "").catch(({ code }) => code);
    assertEquals(found, "RUN_NOT_FOUND");
  }));

Deno.test("durable: a service that stores nothing refuses it", async () => {
  const box = new RunCaller();
  const body = { code: "print x", durable: true };
  const refused = await box.call(400, "POST", "/execute/python", body);
  assertEquals(refused.message, "durable needs a service that stores contexts");
});

Deno.test("durable: the waiting runs of a tenant are counted in the store, for all processes", () =>
  withProcesses(async (start, store) => {
    const boxes = [start().box, start().box];
    const [box] = boxes;
    assert(box !== undefined);
    const { waiting } = await box.run(["call ping {}"], DURABLE);
    const counter = tenantCounterKey("default", "waiting_runs");
    assertEquals(countIn(await store.get(counter)), 1);
    await store.atomic().sum(counter, 998n).commit();
    const inMemory = await boxes[1]?.run(["call ping {}"], TOOLS); // the thousandth, of one process
    const body = { code: "call ping {}" };
    for (const fields of [TOOLS, DURABLE]) {
      const refused = await boxes[1]?.call(429, "POST", "/execute/python", { ...body, ...fields });
      assertEquals(refused?.code, "RATE_LIMITED");
    }
    const plain = { code: "any program" };
    await boxes[1]?.call(200, "POST", "/execute/python", plain); // one that cannot wait
    await box.call(200, "DELETE", `/runs/${waiting?.run}`);
    await boxes[1]?.run(["call ping {}"], DURABLE);
    await boxes[1]?.call(200, "DELETE", `/runs/${inMemory?.waiting?.run}`);
    assertEquals(countIn(await store.get(counter)), 999);
  }));
