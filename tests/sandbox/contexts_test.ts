import { assert, assertEquals, assertMatch } from "@std/assert";
import { Caller, fakeRuntimes, keysOf, sandboxProcess, withStore } from "./fixture.ts";

Deno.test("contexts: created, listed with dates, deleted at sandbox and runtime", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    assertEquals(await box.ok("GET", "/contexts"), { contexts: [] });
    await box.file("mkdir", "src");
    const response = await box.send("POST", "/contexts", { binding: "PERL", cwd: "src/./" });
    assertEquals(response.status, 201);
    const made = await response.json();
    assertEquals(Object.keys(made), [
      "id",
      "binding",
      "language",
      "cwd",
      "createdAt",
      "lastUsed",
    ]);
    assertEquals([made.binding, made.language, made.cwd], ["PERL", "perl", "/workspace/src"]);
    assertMatch(made.createdAt, /^\d{4}-\d\d-\d\dT.*Z$/);
    assertEquals(await box.ok("GET", "/contexts"), { contexts: [made] });
    assertEquals(runtimes.PERL.stored.size, 0);
    await box.run("x = 1", made.id);
    assertEquals(runtimes.PERL.stored.size, 1);
    assertMatch([...runtimes.PERL.stored.keys()][0] ?? "", /^[0-9a-f]{64}\//);
    assertEquals(await box.ok("DELETE", `/contexts/${made.id}`), { success: true });
    assertEquals(runtimes.PERL.stored.size, 0);
    assertEquals(await box.ok("GET", "/contexts"), { contexts: [] });
    const gone = await box.fails(404, "CONTEXT_NOT_FOUND", "DELETE", `/contexts/${made.id}`);
    assertEquals(gone["context"], { contextId: made.id });
    assertEquals((await box.paths()).length, 1);
    assert(!(await keysOf(store)).some((key) => key.includes("runtime_wipe")));
  }));

Deno.test("contexts: a refusal names its reason", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    const message = async (body: unknown) =>
      (await box.fails(400, "VALIDATION_FAILED", "POST", "/contexts", body))["message"];
    assertEquals(await message({ binding: "NOPE" }), "Unknown binding 'NOPE'");
    assertEquals(
      await message({ binding: "RUBY" }),
      "Code contexts are not supported by binding 'RUBY' (ruby)",
    );
    assertMatch(String(await message({ binding: "a-b" })), /^binding must match/);
    assertMatch(String(await message({ binding: "__proto__" })), /^Unknown binding/);
    assertMatch(String(await message({})), /^binding must/);
    const badCwd = "cwd must be an existing directory under /workspace";
    await box.file("write", "file", { content: "" });
    for (const cwd of ["missing", "file", "/etc", "../..", "a\0b", "\ud800"]) {
      assertEquals(await message({ binding: "PYTHON", cwd }), badCwd);
    }
    assertMatch(String(await message({ binding: "PYTHON", cwd: "" })), /cwd must not be empty/);
    assertEquals(await box.ok("GET", "/contexts"), { contexts: [] });
  }));

Deno.test("contexts: an unknown binding is refused, and creates no sandbox", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    const body = await box.fails(400, "VALIDATION_FAILED", "POST", "/contexts", {
      binding: "OTHER",
    });
    assertEquals(body["message"], "Unknown binding 'OTHER'");
    assertEquals((await box.ok("GET", "/"))["createdAt"], null);
  }));

Deno.test("contexts: the ninth is refused, also among simultaneous calls", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => box.send("POST", "/contexts", { binding: "PYTHON" })),
    );
    const statuses = await Promise.all(answers.map(async (answer) => {
      await answer.body?.cancel();
      return answer.status;
    }));
    assertEquals(statuses.filter((status) => status === 201).length, 8);
    assertEquals(statuses.filter((status) => status === 400).length, 4);
    const body = { code: "1", binding: "PERL" };
    await box.fails(400, "VALIDATION_FAILED", "POST", "/execute", body);
  }));

Deno.test("contexts: the default context is created once, also by simultaneous calls, and is the oldest", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const processes = [1, 2].map(() => new Caller(sandboxProcess(store, { runtimes })));
    await Promise.all(
      processes.flatMap((box) => Array.from({ length: 8 }, (_, n) => box.run(`v${n} = 1`))),
    );
    const [box] = processes;
    assert(box !== undefined);
    const { contexts } = await box.ok("GET", "/contexts");
    assert(Array.isArray(contexts) && contexts.length === 1);
    await box.context();
    const { context } = await box.run("v7");
    assert(typeof context === "object" && context !== null && "id" in context);
    assertEquals(context.id, contexts[0].id);
    await box.ok("DELETE", `/contexts/${context.id}`);
    assertEquals((await box.run("v7"))["executionCount"], 1);
  }));

Deno.test("contexts: a context registered but never created at its runtime is created by its first run", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    const id = await box.context();
    runtimes.PYTHON.stored.clear();
    assertEquals((await box.run("x = 1", id))["executionCount"], 1);
    runtimes.PYTHON.stored.clear();
    await box.fails(404, "CONTEXT_NOT_FOUND", "POST", "/execute", { code: "x", contextId: id });
  }));
