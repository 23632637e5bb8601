/** The history of a context: its latest runs, from their stored answers. */
import { assertEquals } from "@std/assert";
import { Caller, sandboxProcess, withStore } from "./fixture.ts";
import { Processes } from "./forks_processes.ts";
import { keyed } from "./keyed.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60_000;

interface Told {
  readonly endedAt: string;
  readonly execution: { readonly code: string; readonly executionCount: number };
}

async function historyOf(box: Caller, contextId: string): Promise<readonly Told[]> {
  const { runs } = await box.ok("GET", `/contexts/${contextId}/history`);
  return runs as readonly Told[];
}

async function codesOf(box: Caller, contextId: string): Promise<readonly string[]> {
  return (await historyOf(box, contextId)).map(({ execution }) => execution.code);
}

async function newContext(box: Caller): Promise<string> {
  return String((await box.ok("POST", "/contexts", { binding: "PYTHON" })).id);
}

Deno.test("history: a context has its own latest runs with a key, newest first", () =>
  withStore(async (store) => {
    let now = Date.UTC(2026, 0, 1);
    const box = new Caller(sandboxProcess(store, { clock: () => now }));
    const [one, two] = [await newContext(box), await newContext(box)];
    assertEquals(await historyOf(box, one), []);
    const texts: string[] = [];
    for (let n = 1; n <= 24; n++) {
      now += 7 * MINUTE_MS;
      texts.unshift((await keyed(box, `a${n}`, `x = ${n}`, { contextId: one })).text);
      if (n % 8 === 0) await keyed(box, `b${n}`, `y = ${n}`, { contextId: two });
    }
    await box.ok("POST", "/execute", { code: "without a key", contextId: one });
    const runs = await historyOf(box, one);
    assertEquals(
      runs.map(({ execution }) => execution),
      texts.slice(0, 20).map((t) => JSON.parse(t)),
    );
    assertEquals(runs[0]?.endedAt, new Date(now).toISOString());
    assertEquals(await codesOf(box, two), ["y = 24", "y = 16", "y = 8"]);
    // another process, a day later: what its answers outlive is gone
    now += DAY_MS - 30 * MINUTE_MS;
    const later = new Caller(sandboxProcess(store, { clock: () => now }));
    assertEquals(await codesOf(later, one), [24, 23, 22, 21, 20].map((n) => `x = ${n}`));
    await later.fails(404, "CONTEXT_NOT_FOUND", "GET", "/contexts/none/history");
  }));

Deno.test("history: a busy context beside it hides nothing of a context", () =>
  withStore(async (store) => {
    let now = Date.UTC(2026, 0, 1);
    const box = new Caller(sandboxProcess(store, { clock: () => now }));
    const [busy, calm] = [await newContext(box), await newContext(box)];
    await keyed(box, "calm", "z = 1", { contextId: calm });
    now += 3 * 60 * MINUTE_MS;
    for (let n = 0; n < 30; n++) await keyed(box, `k${n}`, `x = ${n}`, { contextId: busy });
    assertEquals(await codesOf(box, calm), ["z = 1"]);
    assertEquals((await codesOf(box, busy)).length, 20);
  }));

Deno.test("history: runs that a restore undid are not in it, and a fork begins without one", () =>
  withStore(async (store) => {
    using processes = new Processes(store);
    const box = processes.start().caller("a");
    const contextId = await box.context();
    const add = (n: number) => JSON.stringify({ add: n });
    await keyed(box, "k1", add(1), { contextId });
    const { id } = await box.ok("POST", "/checkpoints", {});
    await keyed(box, "k2", add(2), { contextId });
    await keyed(box, "k3", add(3), { contextId });
    assertEquals(await codesOf(box, contextId), [add(3), add(2), add(1)]);
    await box.ok("POST", `/checkpoints/${String(id)}/restore`);
    assertEquals(await codesOf(box, contextId), [add(1)]);
    processes.wait(MINUTE_MS);
    await keyed(box, "k4", add(4), { contextId });
    assertEquals(await codesOf(box, contextId), [add(4), add(1)]);
    const fork = await box.ok("POST", `/contexts/${contextId}/fork`, {});
    assertEquals(await codesOf(box, String(fork.id)), []);
    await box.ok("DELETE", `/contexts/${contextId}`);
    await box.fails(404, "CONTEXT_NOT_FOUND", "GET", `/contexts/${contextId}/history`);
  }));

Deno.test("history: large answers are left out, except for the newest", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    const contextId = await newContext(box);
    await box.ok("POST", "/execute", { code: "fill large 200000", contextId });
    for (let n = 0; n < 4; n++) await keyed(box, `k${n}`, "read large", { contextId });
    assertEquals(
      (await historyOf(box, contextId)).map(({ execution }) => execution.executionCount),
      [5, 4, 3],
    );
  }));
