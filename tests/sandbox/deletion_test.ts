import { assert, assertEquals } from "@std/assert";
import type { Sandboxes } from "../../sandbox/sandboxes.ts";
import {
  Caller,
  type FakeRuntimes,
  fakeRuntimes,
  keysOf,
  sandboxProcess,
  withStore,
} from "./fixture.ts";

const HOUR = 3_600_000;

async function runTasks(sandboxes: Sandboxes): Promise<void> {
  for (const task of sandboxes.janitorTasks) await task.run(new AbortController().signal);
}

async function fill(box: Caller): Promise<void> {
  await box.ok("POST", "/env", { envVars: { A: "1" } });
  await box.run("y = 1", await box.context({ binding: "PERL", envVars: { B: "1" } }));
  await box.run("x = 1\nmkdir d\nwrite d/f text");
}

function contextsAt({ PYTHON, PERL }: FakeRuntimes): number {
  return PYTHON.stored.size + PERL.stored.size;
}

const EMPTY = {
  id: "box",
  createdAt: null,
  lastUsed: null,
  envVars: [],
  contexts: [],
  workspace: { files: 0, bytes: 0 },
  expiresAt: null,
};

Deno.test("info: a sandbox that was never used is empty, and the call does not create it", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    assertEquals(await box.ok("GET", "/"), EMPTY);
    const head = await box.send("HEAD", "/");
    assertEquals([head.status, await head.text()], [200, ""]);
    assertEquals(await keysOf(store), []);
  }));

Deno.test("delete: the store and the runtimes have no rest of a sandbox", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    await fill(box);
    assertEquals(contextsAt(runtimes), 2);
    assertEquals(await box.ok("DELETE", "/"), { success: true });
    assertEquals(contextsAt(runtimes), 0);
    assertEquals(await keysOf(store), []);
    assertEquals(await box.ok("GET", "/"), EMPTY);
    assertEquals(await box.ok("DELETE", "/"), { success: true });
    assertEquals((await box.run("1"))["executionCount"], 1);
    assertEquals(await box.paths(), []);
  }));

Deno.test("delete: a recreated sandbox has another key at runtimes", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    await box.run("x = 1");
    const [first] = [...runtimes.PYTHON.stored.keys()];
    await box.ok("DELETE", "/");
    await box.run("x = 1");
    const [second] = [...runtimes.PYTHON.stored.keys()];
    assert(first?.slice(0, 64) !== second?.slice(0, 64));
  }));

Deno.test("delete: a runtime that cannot be called is wiped later", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const sandboxes = sandboxProcess(store, { runtimes });
    const box = new Caller(sandboxes);
    await fill(box);
    runtimes.PERL.before = () => {
      throw new Error("unreachable");
    };
    assertEquals(await box.ok("DELETE", "/"), { success: true });
    await runTasks(sandboxes);
    assertEquals(runtimes.PERL.stored.size, 1);
    runtimes.PERL.before = () => undefined;
    await runTasks(sandboxes);
    assertEquals(contextsAt(runtimes), 0);
    assertEquals(await keysOf(store), []);
  }));

for (const path of ["/", "/contexts/"]) {
  for (const where of ["in the same process", "in another process"]) {
    Deno.test(`delete: ${path} ends runs going and waiting, ${where}`, () =>
      withStore(async (store) => {
        const runtimes = fakeRuntimes();
        const begun = Promise.withResolvers<void>();
        const gate = Promise.withResolvers<void>();
        runtimes.PYTHON.gate = gate.promise;
        runtimes.PYTHON.before = (what) => what === "run" ? begun.resolve() : undefined;
        const options = { runtimes, leaseMs: 90 };
        const sandboxes = sandboxProcess(store, options);
        const box = new Caller(sandboxes);
        const deleter = where === "in the same process"
          ? box
          : new Caller(sandboxProcess(store, options));
        const contextId = await box.context();
        const body = { code: "x = 1\nwrite f text\nwait", contextId };
        const calls = [1, 2].map(() => box.send("POST", "/execute", body));
        await begun.promise;
        await deleter.ok("DELETE", path === "/" ? "/" : `/contexts/${contextId}`);
        const codes = await Promise.all(
          calls.map(async (call) => (await (await call).json()).code),
        );
        assert(codes.includes("CONFLICT"), codes.join());
        assert(codes.every((code) => ["CONFLICT", "CONTEXT_NOT_FOUND"].includes(code)));
        gate.resolve();
        assertEquals(await box.paths(), []);
        assertEquals(await box.ok("GET", "/contexts"), { contexts: [] });
        const left = (await keysOf(store)).filter((key) => !/^\["(sandbox|expiry)",/.test(key));
        assertEquals(left, []);
        assertEquals(contextsAt(runtimes), 0);
      }));
  }
}

Deno.test("expiry: an idle sandbox is really deleted, a used one is not", () =>
  withStore(async (store) => {
    let now = 1_700_000_000_000;
    const runtimes = fakeRuntimes();
    const sandboxes = sandboxProcess(store, { runtimes, clock: () => now });
    const [idle, used] = [new Caller(sandboxes, "idle"), new Caller(sandboxes, "used")];
    await fill(idle);
    await fill(used);
    now += 23 * HOUR;
    assertEquals((await used.ok("GET", "/"))["expiresAt"], 1_700_000_000_000 + 24 * HOUR);
    assertEquals((await used.ok("GET", "/"))["expiresAt"], now + 24 * HOUR);
    now += HOUR + 60_000;
    await runTasks(sandboxes);
    assertEquals((await keysOf(store)).filter((key) => key.includes("idle")), []);
    assertEquals((await idle.ok("GET", "/"))["createdAt"], null);
    assertEquals((await used.run("x"))["results"], [{ json: 1 }]);
    assertEquals(contextsAt(runtimes), 2);
    await used.ok("DELETE", "/");
    assertEquals(await keysOf(store), []);
  }));

Deno.test("expiry: an expired sandbox is invisible, even before the janitor runs", () =>
  withStore(async (store) => {
    let now = 1_700_000_000_000;
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes, clock: () => now }));
    await fill(box);
    now += 25 * HOUR;
    assertEquals((await box.run("1"))["executionCount"], 1);
    assertEquals(await box.paths(), []);
    assertEquals(contextsAt(runtimes), 1);
    now += 25 * HOUR;
    assertEquals(await box.ok("GET", "/"), EMPTY);
    assertEquals(await keysOf(store), []);
  }));

Deno.test("expiry: a use is recorded at most once per twentieth of the expiry time", () =>
  withStore(async (store) => {
    let now = 1_700_000_000_000;
    const box = new Caller(sandboxProcess(store, { clock: () => now }));
    await box.file("write", "f", { content: "f" });
    const lastUsed = async () => (await box.ok("GET", "/"))["lastUsed"];
    const first = await lastUsed();
    now += HOUR;
    await box.text("f");
    assertEquals(await lastUsed(), first);
    now += HOUR;
    await box.text("f");
    assertEquals(await lastUsed(), new Date(now).toISOString());
  }));

Deno.test("expiry: a sandbox with a run in any process does not expire", () =>
  withStore(async (store) => {
    let now = 1_700_000_000_000;
    const runtimes = fakeRuntimes();
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    runtimes.PYTHON.gate = gate.promise;
    runtimes.PYTHON.before = (what) => what === "run" ? begun.resolve() : undefined;
    const options = { runtimes, clock: () => now, leaseMs: 10 * HOUR, quotas: { idleTtlMs: HOUR } };
    const box = new Caller(sandboxProcess(store, options));
    const other = sandboxProcess(store, options);
    const running = box.run("wait\nx = 1");
    await begun.promise;
    now += 2 * HOUR;
    await runTasks(other);
    assert((await new Caller(other).ok("GET", "/"))["createdAt"] !== null);
    gate.resolve();
    assertEquals((await running)["executionCount"], 1);
  }));

Deno.test("expiry: 0 means never", () =>
  withStore(async (store) => {
    let now = 1_700_000_000_000;
    const sandboxes = sandboxProcess(store, { clock: () => now, quotas: { idleTtlMs: 0 } });
    const box = new Caller(sandboxes);
    const { context } = await box.run("x = 1");
    assert(typeof context === "object" && context !== null);
    assertEquals("expiresAt" in context, false);
    now += 10_000 * HOUR;
    await runTasks(sandboxes);
    const { expiresAt, createdAt } = await box.ok("GET", "/");
    assertEquals([expiresAt, createdAt !== null], [null, true]);
  }));
