import { assert, assertEquals, assertMatch } from "@std/assert";
import type { RunStep } from "../../sandbox/operation_options.ts";
import { Caller, fakeRuntimes, sandboxProcess, withStore } from "./fixture.ts";

Deno.test("execute: an answer has the registry's view of the context and no workspace", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store, { clock: () => 1_700_000_000_000 }));
    await box.run("x = 1");
    const result = await box.run("print hi\nwrite a.txt text\nx");
    const { context, ...rest } = result;
    assertEquals(rest, {
      code: "print hi\nwrite a.txt text\nx",
      language: "python",
      engine: "Fake 1",
      durationMs: 1,
      logs: { stdout: ["hi"], stderr: [] },
      results: [{ json: 1 }],
      executionCount: 2,
      usage: { fuelConsumed: 1, fuelLimit: 2, memoryBytes: 3 },
    });
    assert(typeof context === "object" && context !== null && "id" in context);
    assertEquals({ ...context, id: "" }, {
      id: "",
      cwd: "/workspace",
      executions: 2,
      snapshotMs: 1,
      expiresAt: 1_700_000_000_000 + 86_400_000,
    });
    const info = await box.ok("GET", "/");
    const { contexts } = info;
    assert(Array.isArray(contexts));
    assertEquals(contexts[0].executions, 2);
    assertEquals(contexts[0].snapshot, {
      build: "fake",
      pages: 1,
      bytes: 4096,
      storedBytes: 100,
      takenAt: 1,
    });
  }));

Deno.test("execute: a header shows the timing of a run in a context", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    await box.run("x = 1");
    const answer = await box.send("POST", "/execute", { code: "x", binding: "PYTHON" });
    await answer.body?.cancel();
    const timing = answer.headers.get("server-timing");
    assertEquals([answer.status, timing], [200, "queue;dur=1.000, reset;dur=2.250, run;dur=3.000"]);
  }));

Deno.test("execute: checks are made in a fixed order", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    const message = async (status: number, body: unknown) =>
      (await box.fails(status, "VALIDATION_FAILED", "POST", "/execute", body))["message"];
    assertEquals(await message(400, { code: "1" }), "Pass a context or a binding");
    assertMatch(String(await message(400, { input: 1, code: "" })), /^input/);
    assertMatch(String(await message(400, { cwd: "/", code: "1", binding: "PYTHON" })), /^cwd/);
    assertMatch(String(await message(400, { binding: "PYTHON" })), /^code/);
    assertMatch(String(await message(400, { code: "", binding: "PYTHON" })), /^code/);
    assertMatch(String(await message(413, { code: "x".repeat(65537), envVars: 1 })), /^code/);
    assertMatch(String(await message(400, { code: "1", envVars: { "a b": "" } })), /'a b'/);
    assertMatch(String(await message(400, { code: "1", binding: "a b" })), /^binding must match/);
    assertEquals(await message(400, { code: "1", binding: "NOPE" }), "Unknown binding 'NOPE'");
    assertMatch(
      String(await message(413, { code: "1", envVars: { A: "x".repeat(32 * 1024) } })),
      /^envVars is larger/,
    );
    await message(413, { code: "1", envVars: { A: "x".repeat(96 * 1024) } });
    const body = { code: "1", contextId: "none", binding: "not valid" };
    const gone = await box.fails(404, "CONTEXT_NOT_FOUND", "POST", "/execute", body);
    assertEquals(gone["context"], { contextId: "none" });
    const text = await box.send("POST", "/execute", undefined, {
      headers: { "content-type": "text/plain" },
      body: "{}",
    });
    assertEquals((await text.json()).httpStatus, 415);
    assertEquals((await box.ok("GET", "/"))["createdAt"], null);
  }));

Deno.test("execute: globals, files and cwd of an exception are kept", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    const { error, results } = await box.run("x = 5\nmkdir d\ncd d\nwrite f text\nthrow no");
    assertEquals(error, { name: "Error", message: "no", traceback: [] });
    assertEquals(results, []);
    assertEquals((await box.run("x"))["results"], [{ json: 5 }]);
    assertEquals(await box.text("d/f"), "text");
    const { contexts } = await box.ok("GET", "/contexts");
    assert(Array.isArray(contexts));
    assertEquals(contexts[0].cwd, "/workspace/d");
    await box.file("delete", "d", { recursive: true });
    await box.run("print a\ncd /workspace/none");
    const listed = await box.ok("GET", "/contexts");
    assert(Array.isArray(listed["contexts"]));
    assertEquals(listed["contexts"][0].cwd, "/workspace");
  }));

Deno.test("execute: a limit leaves everything as it was and counts", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    await box.run("x = 1\nwrite f one");
    const { error, context, executionCount } = await box.run("x = 2\nwrite f two\nlimit");
    assert(typeof error === "object" && error !== null && "name" in error);
    assertEquals(error.name, "ExecutionLimitError");
    assert(typeof context === "object" && context !== null && "rolledBack" in context);
    assertEquals([context.rolledBack, "snapshotMs" in context], [true, false]);
    assertEquals(executionCount, 2);
    assertEquals((await box.run("x"))["results"], [{ json: 1 }]);
    assertEquals(await box.text("f"), "one");
    assertEquals((await box.run("x"))["executionCount"], 4);
  }));

Deno.test("execute: a dead isolate is 502 and changes nothing", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    await box.run("x = 1\nwrite f one");
    const body = { binding: "PYTHON", code: "x = 2\nwrite f two\ndie" };
    await box.fails(502, "INTERNAL_ERROR", "POST", "/execute", body);
    runtimes.PYTHON.before = (what) => {
      if (what === "run") throw new Error("unreachable");
    };
    await box.fails(502, "INTERNAL_ERROR", "POST", "/execute", body);
    runtimes.PYTHON.before = () => undefined;
    assertEquals(await box.text("f"), "one");
    const { results, executionCount } = await box.run("x");
    assertEquals([results, executionCount], [[{ json: 1 }], 2]);
  }));

Deno.test("execute: variables of sandbox, context and call; null unsets for the call", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    await box.ok("POST", "/env", { envVars: { A: "sandbox", B: "sandbox", C: "sandbox" } });
    const contextId = await box.context({ envVars: { B: "context", C: "context", D: null } });
    const value = async (name: string, envVars = {}) => {
      const body = { code: `env ${name}`, contextId, envVars };
      return (await box.ok("POST", "/execute", body))["results"];
    };
    assertEquals(await value("A"), [{ text: "sandbox" }]);
    assertEquals(await value("B"), [{ text: "context" }]);
    assertEquals(await value("C", { C: "call" }), [{ text: "call" }]);
    assertEquals(await value("C", { C: null }), [{ text: "unset" }]);
    assertEquals(await value("C"), [{ text: "context" }]);
    await box.ok("POST", "/env", { envVars: { A: null, E: "late" } });
    assertEquals(await value("A"), [{ text: "unset" }]);
    assertEquals(await value("E"), [{ text: "late" }]);
    assertEquals((await box.ok("GET", "/"))["envVars"], ["B", "C", "E"]);
  }));

Deno.test("execute: __proto__ and similar names are ordinary names", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const json = `{"envVars":{${names.map((name) => `"${name}":"v-${name}"`).join()}}}`;
    const response = await box.send("POST", "/env", undefined, { body: json });
    assertEquals(await response.json(), { success: true });
    assertEquals((await box.ok("GET", "/"))["envVars"], names);
    for (const name of names) {
      assertEquals((await box.run(`env ${name}`))["results"], [{ text: `v-${name}` }]);
      await box.file("write", name, { content: name });
      assertEquals((await box.run(`read ${name}`))["results"], [{ text: name }]);
    }
    assertEquals((await box.paths()).length, names.length);
  }));

Deno.test("execute: a binding without contexts runs statelessly with the sandbox's variables", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    const body = { code: "1", binding: "RUBY", envVars: { B: null, C: "call" } };
    const before = await box.ok("POST", "/execute", body);
    assertEquals([before["stateless"], before["envVars"]], [true, [["C", "call"]]]);
    assertEquals((await box.ok("GET", "/"))["createdAt"], null);
    await box.ok("POST", "/env", { envVars: { A: "a", B: "b" } });
    const result = await box.ok("POST", "/execute", body);
    assertEquals(result["envVars"], [["A", "a"], ["C", "call"]]);
    assertEquals("context" in result || "executionCount" in result, false);
    assertEquals(runtimes.RUBY.requests, ["POST /execute", "POST /execute"]);
  }));

Deno.test("execute: files are sent to the runtime once, and returned as references", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    await box.file("write", "a", { content: "A" });
    await box.file("write", "b", { content: "B" });
    await box.run("read a");
    await box.run("write c C");
    await box.file("write", "b", { content: "B2" });
    assertEquals((await box.run("read b"))["results"], [{ text: "B2" }]);
    assertEquals(runtimes.PYTHON.asked, [
      ["/workspace/a", "/workspace/b"],
      [],
      ["/workspace/b"],
    ]);
    await box.run("rm a\nmkdir d\nwrite d/e E");
    assertEquals(await box.paths(), [
      "/workspace/b",
      "/workspace/c",
      "/workspace/d",
      "/workspace/d/e",
    ]);
    await box.run("rm d/e\nrmdir d");
    assertEquals(await box.paths(), ["/workspace/b", "/workspace/c"]);
  }));

Deno.test("execute: the steps of a run are reported in order", () =>
  withStore(async (store) => {
    const steps: RunStep[] = [];
    const onStep = (step: RunStep) => void steps.push(step);
    const box = new Caller(sandboxProcess(store, { onStep }));
    await box.run("x = 1");
    assertEquals(steps, [
      "admitted",
      "leased",
      "read",
      "ran",
      "blobs written",
      "committed",
      "answered",
    ]);
  }));
