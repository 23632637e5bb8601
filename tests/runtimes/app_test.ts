import { assertEquals, assertMatch } from "@std/assert";
import { createRuntimeApp } from "../../runtimes/app.ts";
import type { RunRequest } from "../../runtimes/engine/engine.ts";
import type { PoolRun } from "../../runtimes/pool/pool_options.ts";
import { statelessRuns } from "../../runtimes/stateless_runs.ts";
import type { RunCaller } from "../../shared/binding.ts";
import { limitsByLanguage } from "../../shared/limits.ts";
import { plainAnswer } from "./pool/fake_isolate.ts";
import { jsonPost } from "../support/json_post.ts";

const LIMITS = limitsByLanguage().javascript;
const TIMES = { queueMs: 1, runMs: 2, killed: false };
const bytes = (text: string) => new TextEncoder().encode(text);
const NO_OUTPUT = { stdout: bytes(""), stderr: bytes(""), displays: [] };

interface Asked {
  readonly request: RunRequest;
  readonly caller: RunCaller;
}

function appFor(ran: PoolRun) {
  const asked: Asked[] = [];
  const kills: (readonly [tenant: string, runMs: number])[] = [];
  const shared = { language: "javascript", engine: "Test 1.0", limits: LIMITS } as const;
  const app = createRuntimeApp({
    ...shared,
    hasContexts: true,
    clock: () => 0,
    execute: statelessRuns({
      ...shared,
      run: (request, caller) => {
        asked.push({ request, caller });
        return Promise.resolve(ran);
      },
      onKill: (...kill) => kills.push(kill),
    }),
    onUnexpected: (thrown) => {
      throw thrown;
    },
  });
  const execute = async (body: unknown, headers: Record<string, string> = {}) =>
    await app.request("/execute", jsonPost(body, headers));
  return { app, execute, asked, kills };
}

function answered(head: object, value = "", output = NO_OUTPUT): PoolRun {
  const answer = plainAnswer(1);
  const whole = { ...answer, head: { ...answer.head, ...head }, value };
  return { ...TIMES, end: "answered", run: { answer: whole, unreadable: false, output } };
}

Deno.test("runtime: a run's answer is a whole ExecutionResult with its timing", async () => {
  const output = { stdout: bytes("a\nb"), stderr: bytes("e\n\n"), displays: [] };
  const { execute } = appFor(answered({ ending: { kind: "json" } }, '{"a":1}', output));
  const response = await execute({ code: "x" });
  assertEquals(await response.json(), {
    code: "x",
    language: "javascript",
    engine: "Test 1.0",
    durationMs: 1,
    logs: { stdout: ["a", "b"], stderr: ["e", ""] },
    results: [{ json: { a: 1 } }],
    usage: { fuelConsumed: 1, fuelLimit: LIMITS.fuel, memoryBytes: 65_536 },
  });
  assertMatch(
    response.headers.get("server-timing") ?? "",
    /^queue;dur=1.000, reset;dur=0.000, run;/,
  );
  assertEquals(response.headers.get("cache-control"), "no-store");
});

Deno.test("runtime: the guest gets the fields of the request, with the runtime's limits", async () => {
  const { execute, asked } = appFor(answered({}));
  await execute({ code: "x", language: "TS", envVars: { A: "1", B: null, __proto__: "2" } }, {
    "x-belljar-tenant": "acme",
  });
  const [{ request, caller } = { request: undefined, caller: undefined }] = asked;
  assertEquals([request?.code, request?.typescript], ["x", true]);
  assertEquals(request?.env.get("A"), "1");
  assertEquals(request?.env.has("B"), false);
  assertEquals(request?.limits.fuel, LIMITS.fuel);
  assertEquals(caller?.tenant, "acme");
});

Deno.test("runtime: guest errors and limits are 200 with an error and no results", async (t) => {
  const error = { kind: "error", name: "TypeError", message: "m", traceback: ["t"], lineNumber: 2 };
  const limits = {
    "fuel": `Fuel limit reached: ${LIMITS.fuel} units`,
    "wall clock": "Wall clock limit reached: 60000 ms",
    "output": "Output limit reached: 1048576 bytes or 10000 lines",
    "result": "Result limit reached: 262144 bytes",
    "memory": "Memory limit reached: 67108864 bytes",
  };
  await t.step("exception", async () => {
    const result = await (await appFor(answered({ ending: error })).execute({ code: "x" })).json();
    assertEquals(result.error, {
      name: "TypeError",
      message: "m",
      traceback: ["t"],
      lineNumber: 2,
    });
    assertEquals(result.results, []);
  });
  for (const [limit, message] of Object.entries(limits)) {
    await t.step(limit, async () => {
      const ending = { kind: "limit", limit, traceback: [] };
      const { execute } = appFor(answered({ ending }));
      const response = await execute({ code: "x" });
      const { error, results, usage } = await response.json();
      assertEquals(response.status, 200);
      assertEquals(error, { name: "ExecutionLimitError", message, traceback: [] });
      assertEquals([results, usage.fuelLimit], [[], LIMITS.fuel]);
    });
  }
});

Deno.test("runtime: a trap is an InterpreterCrash", async () => {
  const { execute } = appFor(answered({ ending: { kind: "crash" } }));
  const { error } = await (await execute({ code: "x" })).json();
  assertEquals(error.name, "InterpreterCrash");
});

Deno.test("runtime: a run killed at the wall clock keeps its output and has no usage", async () => {
  const output = { stdout: bytes("kept\n"), stderr: bytes(""), displays: [] };
  const run = { answer: undefined, unreadable: false, output };
  const { execute, kills } = appFor({ ...TIMES, killed: true, end: "wall clock", run });
  const result = await (await execute({ code: "x" }, { "x-belljar-tenant": "acme" })).json();
  assertEquals(result.logs.stdout, ["kept"]);
  assertEquals([result.error.name, "usage" in result], ["ExecutionLimitError", false]);
  assertEquals(kills, [["acme", TIMES.runMs]]);
});

Deno.test("runtime: a run has the limits that it asks for, and its error and usage report them", async () => {
  const limits = { fuel: 1_000, wallMs: 7 };
  const ending = (limit: string) => ({ kind: "limit", limit, traceback: [] });
  const byFuel = appFor(answered({ ending: ending("fuel"), fuelConsumed: 5_000 }));
  const { error, usage } = await (await byFuel.execute({ code: "x", limits })).json();
  assertEquals(byFuel.asked.map(({ request }) => request.limits), [{
    ...limits,
    outputBytes: LIMITS.outputBytes,
    outputLines: LIMITS.outputLines,
    resultBytes: LIMITS.resultBytes,
    tracebackBytes: LIMITS.tracebackBytes,
    displayBytes: LIMITS.displayBytes,
  }]);
  assertEquals(error.message, "Fuel limit reached: 1000 units");
  assertEquals([usage.fuelLimit, usage.fuelConsumed], [1_000, 1_000]);
  const bySleep = appFor(answered({ ending: ending("wall clock") }));
  const slept = await (await bySleep.execute({ code: "x", limits: { wallMs: 7 } })).json();
  assertEquals(slept.error.message, "Wall clock limit reached: 7 ms");
  assertEquals(slept.usage.fuelLimit, LIMITS.fuel);
});

Deno.test("runtime: a killed run is charged no more time than it could have", async () => {
  const run = { answer: undefined, unreadable: false, output: NO_OUTPUT };
  const { execute, kills } = appFor({
    queueMs: 1,
    runMs: 7.5,
    killed: true,
    end: "wall clock",
    run,
  });
  const { error } = await (await execute({ code: "x", limits: { wallMs: 7 } })).json();
  assertEquals(error.message, "Wall clock limit reached: 7 ms");
  assertEquals(kills, [["default", 7]]);
});

Deno.test("runtime: a run that asks for more than the maximum does not begin", async () => {
  const { execute, asked } = appFor(answered({}));
  const refused = await execute({ code: "x", limits: { fuel: LIMITS.fuel + 1 } });
  assertEquals(refused.status, 400);
  assertEquals((await refused.json()).message, `limits.fuel must be at most ${LIMITS.fuel}`);
  assertEquals(asked, []);
});

Deno.test("runtime: an isolate that died by itself is 502 with a fixed text", async () => {
  const { execute } = appFor({ ...TIMES, end: "died" });
  const response = await execute({ code: "x" });
  const body = await response.json();
  assertEquals([response.status, body.code], [502, "INTERNAL_ERROR"]);
});

Deno.test("runtime: invalid JSON from an isolate is not a result", async () => {
  const { execute } = appFor(answered({ ending: { kind: "json" } }, "{oops"));
  assertEquals((await (await execute({ code: "x" })).json()).results, []);
});

Deno.test("runtime: the probe reports language, engine and the lack of contexts", async () => {
  const { app } = appFor(answered({}));
  const probe = await app.request("/interpreter");
  assertEquals(await probe.json(), {
    language: "javascript",
    engine: "Test 1.0",
    contexts: false,
    protocol: 1,
  });
});

Deno.test("runtime: context routes are 400 while there are no contexts", async () => {
  const { app } = appFor(answered({}));
  const routes = [
    ["POST", "/interpreters/abc/contexts"],
    ["DELETE", "/interpreters/abc/contexts/1"],
    ["DELETE", "/interpreters/abc"],
  ] as const;
  for (const [method, path] of routes) {
    const response = await app.request(path, { method });
    const body = await response.json();
    assertEquals([path, response.status, body.code], [path, 400, "VALIDATION_FAILED"]);
    assertMatch(body.message, /^Code contexts are not supported/);
  }
});

Deno.test("runtime: a caller who leaves before the run begins is not reported", async () => {
  const unexpected: unknown[] = [];
  const caller = new AbortController();
  const shared = { language: "javascript", engine: "Test 1.0", limits: LIMITS } as const;
  const app = createRuntimeApp({
    ...shared,
    hasContexts: true,
    clock: () => 0,
    execute: statelessRuns({
      ...shared,
      run: (_request, { signal }) => {
        caller.abort();
        return Promise.reject(signal?.reason);
      },
      onKill: () => unexpected.push("kill"),
    }),
    onUnexpected: (thrown) => unexpected.push(thrown),
  });
  const response = await app.request("/execute", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: "x" }),
    signal: caller.signal,
  });
  assertEquals([response.status, unexpected], [499, []]);
});

Deno.test("runtime: a byte order mark at the start of output is part of it", async () => {
  const output = { stdout: bytes("\ufeffa\n\ufeffb"), stderr: bytes("\ufeff"), displays: [] };
  const { execute } = appFor(answered({ ending: { kind: "text" } }, "\ufeffv", output));
  const { logs } = await (await execute({ code: "x" })).json();
  assertEquals(logs, { stdout: ["\ufeffa", "\ufeffb"], stderr: ["\ufeff"] });
});
