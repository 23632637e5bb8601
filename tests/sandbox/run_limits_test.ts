import { assertEquals } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import type { RuntimeBinding } from "../../shared/binding.ts";
import {
  Caller,
  type FakeRuntimes,
  fakeRuntimes,
  keysOf,
  sandboxProcess,
  withStore,
} from "./fixture.ts";

const MOST = { fuel: 1_000, wallMs: 500 };

/** Bindings with the maximum limits that a run can ask for. */
function bindingsOf(runtimes: FakeRuntimes): ReadonlyMap<string, RuntimeBinding> {
  return new Map(
    Object.entries(runtimes).map(([name, runtime], index) => [name, {
      language: runtime.language,
      engine: runtime.engine,
      contexts: runtime.contexts,
      fetch: (request) => runtime.fetch(request),
      execute: (request, caller) => runtime.execute(request, caller),
      executeInContext: (key, args, getFiles) => runtime.executeInContext(key, args, getFiles),
      mostRunLimits: { ...MOST, fuel: MOST.fuel * (index + 1) },
    }]),
  );
}

async function withBox(
  work: (box: Caller, runtimes: FakeRuntimes, store: KvStore) => Promise<void>,
): Promise<void> {
  await withStore(async (store) => {
    const runtimes = fakeRuntimes();
    await work(
      new Caller(sandboxProcess(store, { bindings: bindingsOf(runtimes) })),
      runtimes,
      store,
    );
  });
}

Deno.test("run limits: a run in a context passes only its own limits to the runtime", () =>
  withBox(async (box, { PYTHON }) => {
    const limits = { fuel: 10, wallMs: 500 };
    await box.ok("POST", "/execute", { code: "x = 1", binding: "PYTHON", limits });
    await box.run("x");
    assertEquals(PYTHON.runs.map((args) => args.limits), [limits, undefined]);
    assertEquals(PYTHON.runs.map((args) => "limits" in args), [true, false]);
  }));

Deno.test("run limits: a stateless fallback passes them on too", () =>
  withBox(async (box) => {
    const limits = { wallMs: 7 };
    const ran = await box.ok("POST", "/execute", { code: "x", binding: "RUBY", limits });
    assertEquals([ran["stateless"], ran["limits"]], [true, limits]);
    assertEquals(
      "limits" in await box.ok("POST", "/execute", { code: "x", binding: "RUBY" }),
      false,
    );
  }));

Deno.test("run: standard input goes to the runtime, in a context and without one", () =>
  withBox(async (box, { PYTHON }) => {
    await box.ok("POST", "/execute", { code: "x = 1", binding: "PYTHON", stdin: "given" });
    await box.run("x");
    assertEquals(PYTHON.runs.map((args) => args.stdin), ["given", undefined]);
    assertEquals(PYTHON.runs.map((args) => "stdin" in args), [true, false]);
    const ran = await box.ok("POST", "/execute", { code: "x", binding: "RUBY", stdin: "given" });
    assertEquals([ran["stateless"], ran["stdin"]], [true, "given"]);
  }));

Deno.test("run limits: a refused request leaves nothing behind and runs nothing", () =>
  withBox(async (box, { PYTHON }, store) => {
    const refused = async (limits: unknown) => {
      const body = { code: "x = 1", binding: "PYTHON", limits };
      return (await box.fails(400, "VALIDATION_FAILED", "POST", "/execute", body))["message"];
    };
    assertEquals(await refused({ fuel: 1_001 }), "limits.fuel must be at most 1000");
    assertEquals(await refused({ wallMs: 501, fuel: 1 }), "limits.wallMs must be at most 500");
    assertEquals(await refused({ fuel: -1 }), "limits.fuel must be a positive integer");
    assertEquals(await refused(null), "limits must be an object");
    assertEquals(await refused({ time: 1 }), "Unknown limit 'time': limits takes fuel and wallMs");
    assertEquals([PYTHON.runs, PYTHON.stored.size, await keysOf(store)], [[], 0, []]);
  }));

Deno.test("run limits: the maximum is that of the context's language", () =>
  withBox(async (box, { PERL }) => {
    const contextId = await box.context({ binding: "PERL" });
    const run = { code: "x = 1", contextId, binding: "PYTHON" };
    await box.ok("POST", "/execute", { ...run, limits: { fuel: 2_000 } });
    const { message } = await box.fails(400, "VALIDATION_FAILED", "POST", "/execute", {
      ...run,
      limits: { fuel: 2_001 },
    }) as { message: string };
    assertEquals(message, "limits.fuel must be at most 2000");
    assertEquals(PERL.runs.length, 1);
    await box.ok("POST", "/execute", run);
  }));

Deno.test("run limits: the check comes after envVars and before the binding", () =>
  withBox(async (box) => {
    const message = async (body: object) =>
      (await box.fails(400, "VALIDATION_FAILED", "POST", "/execute", body))["message"];
    const bad = { binding: "a b", limits: null };
    assertEquals(await message({ ...bad, code: "1", envVars: 1 }), "envVars must be an object");
    assertEquals(await message({ ...bad, code: "1" }), "limits must be an object");
    assertEquals(await message({ ...bad }), "code must be a string");
  }));
