import { assert, assertEquals } from "@std/assert";
import { KillMeter } from "../../gateway/kill_meter.ts";
import { parseExactJson } from "../../runtimes/exact_json.ts";
import { contentHash } from "../../wire/content_hash.ts";
import { ADMISSION_LIMITS } from "../../wire/limits.ts";
import { FakeRuntime } from "../sandbox/fake_runtime.ts";
import { Caller, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { until } from "../support/wait.ts";
import { NearEnd, runArgs, serveFar } from "./ends.ts";

const UNREACHABLE = "Binding 'PYTHON' could not be called";
const HELLO = new TextEncoder().encode("hello");

/** A workspace with one file. */
const ONE_FILE = {
  workspace: {
    dirs: ["/workspace/d"],
    manifest: Object.assign(Object.create(null), { "/workspace/d/in.txt": contentHash(HELLO) }),
  },
};

async function giveHello(paths: readonly string[]) {
  await Promise.resolve();
  return paths.map((path) => ({ path, data: HELLO, updatedAt: 7 }));
}

Deno.test("remote: an outcome is passed on unchanged, files and digits included", async () => {
  const runtime = new FakeRuntime("python");
  await using far = serveFar(runtime);
  using near = new NearEnd(far.url);
  await near.create();
  const code = "write out.bin \u{1F600}\nrm d/in.txt\nx = 1";
  const local = new FakeRuntime("python");
  await local.fetch(
    new Request("http://r/interpreters/k/contexts", {
      method: "POST",
      body: JSON.stringify({ id: "c", cwd: "/workspace" }),
    }),
  );
  const here = await local.executeInContext("k", { ...runArgs(code), ...ONE_FILE }, giveHello);
  assertEquals(await near.run(code, ONE_FILE, giveHello), here);
  assert(here.ok && here.result.workspace.files.length === 1);
  assertEquals(runtime.asked, [["/workspace/d/in.txt"]]);
  const { signal: _, ...args } = runtime.runs[0] ?? runArgs("");
  assertEquals(args, { ...runArgs(code), ...ONE_FILE });
});

Deno.test("remote: a run may wait at the runtime for the rest of its wait", async () => {
  const runtime = new FakeRuntime("python");
  await using far = serveFar(runtime);
  using near = new NearEnd(far.url);
  await near.create();
  assert((await near.run("x = 1", { maxWaitMs: 1234.5 })).ok);
  assertEquals(runtime.runs.map(({ maxWaitMs }) => maxWaitMs), [1234.5]);
});

Deno.test("remote: values keep integers that no number holds", async () => {
  const runtime = new FakeRuntime("python");
  await using far = serveFar({
    fetch: (request) => runtime.fetch(request),
    executeInContext: async (key, args, getFiles) => {
      const outcome = await runtime.executeInContext(key, args, getFiles);
      const json = parseExactJson('{"n":123456789012345678901}');
      return outcome.ok
        ? { ok: true, result: { ...outcome.result, results: [{ json }] } }
        : outcome;
    },
  });
  using near = new NearEnd(far.url);
  await near.create();
  const outcome = await near.run("x = 1");
  assert(outcome.ok);
  assertEquals(JSON.stringify(outcome.result.results), '[{"json":{"n":123456789012345678901}}]');
});

Deno.test("remote: sandboxes work over it as over a runtime of the same process", async () => {
  const runtime = new FakeRuntime("python");
  await using far = serveFar(runtime);
  using near = new NearEnd(far.url);
  await withStore(async (store) => {
    const sandboxes = sandboxProcess(store, { bindings: new Map([["PYTHON", near.binding]]) });
    const caller = new Caller(sandboxes);
    await caller.file("write", "a.txt", { content: "one" });
    const first = await caller.run("x = 5\nwrite b.txt two\nread a.txt");
    assertEquals(first["results"], [{ text: "one" }]);
    assertEquals(await caller.text("b.txt"), "two");
    assertEquals((await caller.run("x"))["results"], [{ json: 5 }]);
    const limit = await caller.run("x = 6\nwrite c.txt three\nlimit");
    assertEquals(limit["context"] instanceof Object && "rolledBack" in limit["context"], true);
    assertEquals((await caller.run("x"))["results"], [{ json: 5 }]);
    assertEquals(await caller.paths(), ["/workspace/a.txt", "/workspace/b.txt"]);
    await caller.ok("DELETE", "/");
    assertEquals(runtime.contexts.size, 0);
  });
});

Deno.test("remote: a ticket that is lost is asked for once more", async (t) => {
  for (const [late, expected] of [[1, "ok"], [2, UNREACHABLE]] as const) {
    await t.step(`files that come too late ${late} times`, async () => {
      const runtime = new FakeRuntime("python");
      await using far = serveFar(runtime, { ticketMs: 1_000 });
      using near = new NearEnd(far.url);
      await near.create();
      let calls = 0;
      const outcome = await near.run("x = 1", ONE_FILE, async (paths) => {
        const run = calls++;
        if (run < late) await until(() => runtime.runs[run]?.signal?.aborted === true);
        return await giveHello(paths);
      });
      assertEquals([outcome.ok ? "ok" : outcome.body.message, calls], [expected, 2]);
      assertEquals(outcome.ok ? 200 : outcome.status, late === 1 ? 200 : 502);
    });
  }
});

Deno.test("remote: a ticket is good for its key alone, and once", async () => {
  const runtime = new FakeRuntime("python");
  await using far = serveFar(runtime);
  using near = new NearEnd(far.url);
  await near.create();
  const seen = await near.run("x = 1", ONE_FILE, async (paths) => {
    const other = await near.binding.executeInContext("other", runArgs("x"), giveHello);
    assertEquals(other.ok ? "" : other.body.code, "CONTEXT_NOT_FOUND");
    return await giveHello(paths);
  });
  assert(seen.ok);
});

Deno.test("remote: gone is 502 that names the binding, and back is back", async () => {
  const runtime = new FakeRuntime("python");
  let far = serveFar(runtime);
  using near = new NearEnd(far.url);
  await near.create();
  assert((await near.run("x = 1")).ok);
  assertEquals(near.health(), "ready");
  await far[Symbol.asyncDispose]();
  const gone = await near.run("x = 2");
  assertEquals(gone.ok ? [] : [gone.status, gone.body.message], [502, UNREACHABLE]);
  assertEquals(near.health(), "failing");
  far = serveFar(runtime, { port: far.port });
  assert((await near.run("x = 2")).ok);
  assertEquals(near.health(), "ready");
  await far[Symbol.asyncDispose]();
});

Deno.test("remote: health sees by itself that a runtime is back", async () => {
  const runtime = new FakeRuntime("python");
  const first = serveFar(runtime);
  await first[Symbol.asyncDispose]();
  using near = new NearEnd(first.url);
  await until(() => near.health() === "failing");
  await using _back = serveFar(runtime, { port: first.port });
  await until(() => near.health() === "ready");
});

Deno.test("remote: a wrong token is a runtime that cannot be called, and stays out of the log", async () => {
  await using far = serveFar(new FakeRuntime("python"));
  using near = new NearEnd(far.url, "canary-wrong-77aa");
  const outcome = await near.run("x = 1");
  assertEquals(outcome.ok ? [] : [outcome.status, outcome.body.message], [502, UNREACHABLE]);
  assertEquals(near.health(), "failing");
  assertEquals(near.lines.filter((line) => line.includes("canary")), []);
  assert(near.lines.some((line) => line.includes("refused the token")));
});

Deno.test("remote: a caller who leaves ends the run over there", async (t) => {
  for (
    const [name, args] of [["in its first phase", {}], ["in its second phase", ONE_FILE]] as const
  ) {
    await t.step(name, async () => {
      const runtime = new FakeRuntime("python");
      runtime.gate = Promise.withResolvers<void>().promise;
      await using far = serveFar(runtime);
      using near = new NearEnd(far.url);
      await near.create();
      const leaving = new AbortController();
      const running = near.run("wait", { ...args, signal: leaving.signal }, giveHello);
      await until(() => runtime.waits === 1);
      leaving.abort();
      const outcome = await running;
      assertEquals(outcome.ok ? "" : outcome.body.code, "CONFLICT");
      await until(() => runtime.runs[0]?.signal?.aborted === true);
      assertEquals(near.lines, []);
    });
  }
  await t.step("between them, when its ticket ends", async () => {
    const runtime = new FakeRuntime("python");
    await using far = serveFar(runtime, { ticketMs: 50 });
    using near = new NearEnd(far.url);
    await near.create();
    const leaving = new AbortController();
    const outcome = await near.run("x = 1", { ...ONE_FILE, signal: leaving.signal }, (paths) => {
      leaving.abort();
      return giveHello(paths);
    });
    assertEquals(outcome.ok ? "" : outcome.body.code, "CONFLICT");
    await until(() => runtime.runs[0]?.signal?.aborted === true);
    assertEquals([near.lines, runtime.waits, runtime.runs.length], [[], 0, 1]);
  });
});

Deno.test("remote: a runtime that stops ends the runs it has", async () => {
  const runtime = new FakeRuntime("python");
  runtime.gate = Promise.withResolvers<void>().promise;
  await using far = serveFar(runtime);
  using near = new NearEnd(far.url);
  await near.create();
  const running = near.run("wait");
  await until(() => runtime.waits === 1);
  far.stopping.abort();
  const outcome = await running;
  assert(!outcome.ok);
  assertEquals([outcome.status, outcome.body.code], [503, "OVERLOADED"]);
  assert(runtime.runs[0]?.signal?.aborted);
});

Deno.test("remote: a tenant that caused too many kills there is refused with that reason", async () => {
  const kills = new KillMeter({ ...ADMISSION_LIMITS, killsPerMinute: 0 }, Date.now);
  kills.record("loud", 0);
  const runtime = new FakeRuntime("python");
  await using far = serveFar(runtime, { kills });
  using near = new NearEnd(far.url);
  await near.create();
  const loud = await near.run("x = 1", { tenant: "loud" });
  assertEquals(loud.ok ? "" : loud.body.code, "RATE_LIMITED");
  assert((await near.run("x = 1", { tenant: "quiet" })).ok);
});
