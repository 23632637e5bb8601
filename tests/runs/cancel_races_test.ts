/** A run that is cancelled while others answer it ends once, in every process. */
import { assert, assertEquals } from "@std/assert";
import { tenantCounterKey } from "../../store/keys.ts";
import { fakeRuntimes, keysOf, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { janitorRound } from "../sandbox/janitor_round.ts";
import { seededBelow } from "../support/random.ts";
import { ContextCaller } from "./context_caller.ts";
import { withProcesses } from "./context_processes.ts";
import { callingRuntime, RunCaller, TOOLS } from "./gateway_fixture.ts";

const ROUNDS = 12;
const DAY_MS = 24 * 3_600_000;

Deno.test("durable: a run is cancelled while two processes answer it, and leaves nothing or its result", () =>
  withStore(async (store) => {
    const below = seededBelow(39);
    let now = Date.now();
    const clock = () => now;
    const processes = Array.from({ length: 3 }, () => {
      const rules = { takenBackAt: () => below(3) === 0 };
      const bindings = new Map([["PYTHON", callingRuntime(rules).binding]]);
      const sandboxes = sandboxProcess(store, { bindings, clock });
      return { sandboxes, box: new RunCaller(rules, { sandboxes }) };
    });
    const [a, b, c] = processes.map(({ box }) => box);
    assert(a !== undefined && b !== undefined && c !== undefined);
    for (let round = 0; round < ROUNDS; round++) {
      const program = ["print before", "call ping {}", "start ping {}", "start ping {}", "gather"];
      const { waiting } = await a.run(program, { ...TOOLS, durable: true });
      const run = waiting?.run;
      const answer = async (box: RunCaller, number: number) => {
        const answers = [{ key: `${run}/${number}`, value: number }];
        const sent = await box.send("POST", `/runs/${run}/answers`, { answers });
        const { code } = await sent.json();
        return sent.status === 404 ? code : sent.status;
      };
      const cancel = async () => {
        for (let turn = below(6); turn > 0; turn--) await new Promise((done) => setTimeout(done));
        const sent = await c.send("DELETE", `/runs/${run}`);
        await sent.body?.cancel();
        return sent.status;
      };
      const answering = async () => {
        const first = await Promise.all([answer(a, 1), answer(b, 1)]);
        return [...first, ...await Promise.all([answer(b, 2), answer(a, 3)])];
      };
      const [outcomes, cancelled] = await Promise.all([answering(), cancel()]);
      assertEquals(cancelled, 200, `round ${round}`);
      for (const outcome of outcomes) {
        assert([200, "RUN_NOT_FOUND", "CALL_NOT_FOUND"].includes(outcome), `${round}: ${outcome}`);
      }
      const seen = await Promise.all([a, b, c].map(async (box) => {
        const shown = await box.send("GET", `/runs/${run}`);
        const { state } = await shown.json();
        return shown.status === 200 && state !== "cancelled" ? state : "gone";
      }));
      assertEquals(new Set(seen).size, 1, `round ${round}: ${seen}`);
      assert(["ended", "gone"].includes(seen[0]), `round ${round}: ${seen}`);
    }
    await Promise.all(processes.map(({ sandboxes }) => sandboxes.runs.close()));
    now += 2 * DAY_MS;
    const last = sandboxProcess(store, { clock });
    for (let turn = 0; turn < 3; turn++) await janitorRound(store, last, clock);
    await last.runs.close();
    assertEquals(await keysOf(store), []);
  }));

Deno.test("durable: a cancelled run is listed and shown as cancelled by every process, for a day", () =>
  withProcesses(async (start, store) => {
    let now = Date.now();
    const clock = () => now;
    const runtimes = fakeRuntimes();
    const open = () => start({ runtimes, clock });
    const box = new ContextCaller(open());
    await box.run("write n 1");
    const { waiting } = await box.start(["x = 1", "call ping {}"]);
    const run = waiting?.run;
    const used = tenantCounterKey("default", "bytes");
    await box.call(200, "DELETE", `/runs/${run}`);
    const later = open();
    for (const each of [box, new ContextCaller(later)]) {
      const { state, startedAt, endedAt, execution } = await each.call(200, "GET", `/runs/${run}`);
      assertEquals([state, execution, startedAt === undefined], ["cancelled", undefined, false]);
      assertEquals(endedAt, new Date(now).toISOString());
      const { runs } = await each.call(200, "GET", "/runs?state=cancelled");
      assert(Array.isArray(runs));
      assertEquals(runs.map(({ id }) => id), [run]);
      const answers = [{ key: `${run}/1`, value: 1 }];
      for (const list of [[], answers]) {
        const { code } = await each.call(404, "POST", `/runs/${run}/answers`, { answers: list });
        assertEquals(code, "RUN_NOT_FOUND");
      }
      await each.call(200, "DELETE", `/runs/${run}`);
    }
    assertEquals((await box.run("1"))["executionCount"], 2);
    assertEquals(
      (await store.get(tenantCounterKey("default", "waiting_runs"))).value,
      new Deno.KvU64(0n),
    );
    const before = (await store.get<Deno.KvU64>(used)).value?.value ?? 0n;
    now += DAY_MS + 1;
    await janitorRound(store, later, clock);
    await box.call(404, "GET", `/runs/${run}`);
    assert(((await store.get<Deno.KvU64>(used)).value?.value ?? 0n) < before);
    assertEquals((await keysOf(store)).filter((key) => key.includes("run_")), []);
  }));
