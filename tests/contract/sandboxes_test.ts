import { assert, assertEquals, assertGreater, assertMatch } from "@std/assert";
import { assertError } from "./assertions.ts";
import {
  CONTEXT_LANGUAGES,
  sandboxTarget,
  shareService,
  type TargetSandbox,
} from "./sandbox_target.ts";

shareService();

const INVALID = [400, "VALIDATION_FAILED"] as const;
const NO_ROUTE = [404, "VALIDATION_FAILED"] as const;
const NO_METHOD = [405, "VALIDATION_FAILED"] as const;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

Deno.test("contract of sandboxes", async (t) => {
  await using target = sandboxTarget();
  const step = (name: string, body: (box: TargetSandbox) => Promise<void>) =>
    t.step(name, () => body(target.sandbox()));

  await step("a missing sandbox is shown as empty and is not created", async (box) => {
    const empty = {
      id: box.id,
      createdAt: null,
      lastUsed: null,
      envVars: [],
      contexts: [],
      workspace: { files: 0, bytes: 0 },
      expiresAt: null,
    };
    const { tenant: _, ...info } = await box.ok("GET", "");
    assertEquals(info, empty);
    assertEquals(await box.ok("GET", "/contexts"), { contexts: [] });
    assertEquals((await box.file("list", "/workspace"))["count"], 0);
    assertEquals(await box.ok("DELETE", ""), { success: true });
    assertEquals((await box.ok("GET", ""))["createdAt"], null);
  });

  await step("information about a sandbox with contexts, files and variables", async (box) => {
    await box.ok("POST", "/env", { envVars: { SECRET: "do-not-tell", B: "" } });
    await box.file("write", "a/b.txt", { content: "grün", recursive: true });
    const { id } = await box.context("perl");
    await box.run("javascript", "let kept = 1; kept");
    const info = await box.ok("GET", "");
    assertEquals(Object.keys(info).sort(), [
      ...["contexts", "createdAt", "envVars", "expiresAt", "id", "lastUsed", "workspace"],
    ]);
    assert(!JSON.stringify(info).includes("do-not-tell"));
    assertEquals([info["id"], info["workspace"]], [box.id, { files: 1, bytes: 5 }]);
    assert(Array.isArray(info["envVars"]));
    assertEquals([...info["envVars"]].sort(), ["B", "SECRET"]);
    assertMatch(String(info["createdAt"]), ISO);
    assertMatch(String(info["lastUsed"]), ISO);
    if (info["expiresAt"] !== null) assertGreater(Number(info["expiresAt"]), Date.now());
    assert(Array.isArray(info["contexts"]));
    const [perl, javascript] = info["contexts"];
    const fields = ["id", "binding", "language", "engine", "cwd", "createdAt", "lastUsed"];
    assertEquals(Object.keys(perl).sort(), [...fields, "executions", "snapshot"].sort());
    assertEquals([perl.id, perl.executions, perl.snapshot], [id, 0, null]);
    assertEquals(javascript.executions, 1);
    const { snapshot } = javascript;
    const sizes = ["build", "bytes", "pages", "storedBytes", "takenAt"];
    assertEquals(Object.keys(snapshot).sort(), sizes);
    assertEquals(snapshot.bytes, snapshot.pages * 4096);
    assert(snapshot.storedBytes > 0 && snapshot.storedBytes < 32 * 1024, snapshot.storedBytes);
    assertEquals(typeof snapshot.takenAt, "number");
    assertMatch(perl.engine, /\S+ v?\d/);
  });

  await step("two languages reach the same sandbox", async (box) => {
    const languages = [...CONTEXT_LANGUAGES, "ruby"] as const;
    await box.file("write", "shared.txt", { content: "one" });
    for (const language of languages) {
      const { workspace } = await box.ok("GET", "", undefined, { language });
      assertEquals(workspace, { files: 1, bytes: 3 });
    }
    await box.run("javascript", "var n = 1");
    await box.run("python", "n = 2");
    assertEquals(await box.value("javascript", "n"), "1");
    assertEquals((await box.contexts()).map(({ binding }) => binding).sort(), [
      "JAVASCRIPT",
      "PYTHON",
    ]);
  });

  await step("x-sandbox-id must name the addressed sandbox on every route", async (box) => {
    const calls = [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/contexts"],
      ["POST", "/contexts", {}],
      ["DELETE", "/contexts/x"],
      ["POST", "/execute", { code: "1" }],
      ["POST", "/env", { envVars: {} }],
      ["POST", "/files", { op: "list", path: "." }],
    ] as const;
    for (const [method, path, body] of calls) {
      const headers = { "x-sandbox-id": `${box.id}x` };
      const { message } = await assertError(
        await box.send(method, path, body, "python", headers),
        ...INVALID,
      );
      assertMatch(message, /x-sandbox-id/);
    }
    const right = await box.send("GET", "", undefined, "python", { "x-sandbox-id": box.id });
    assertEquals(right.status, 200);
    await right.body?.cancel();
  });

  await step("a run without a context has room for the longest code and variables", async (box) => {
    await box.ok("POST", "/env", { envVars: { BIG: "x".repeat(32 * 1024 - 3) } });
    const code = (text: string) => text.padEnd(64 * 1024);
    assertEquals(await box.value("ruby", code('ENV["BIG"].size')), "32765");
    assertEquals(await box.value("javascript", code("process.env.BIG.length")), "32765");
  });

  await t.step("invalid ids and unknown languages", async () => {
    for (const id of ["-a", "a-", "a".repeat(64), "a b", "%20", "ä", "a%2Fb", "a:b", "%00"]) {
      const response = await target.call(`/languages/python/sandboxes/${id}`);
      await assertError(response, ...INVALID);
    }
    for (const language of ["cobol", "Python", "js", "__proto__"]) {
      const response = await target.call(`/languages/${language}/sandboxes/a`);
      const { message } = await assertError(response, ...INVALID);
      assertMatch(message, new RegExp(`'${language}'`));
    }
    for (const id of ["a", "A.b_c-9", "z".repeat(63), "..."]) {
      const response = await target.call(`/languages/python/sandboxes/${id}`);
      assertEquals([response.status, (await response.json()).id], [200, id]);
    }
  });

  await step("other paths are 404, other methods 405 with Allow", async (box) => {
    for (const path of ["/nothing", "/execute/more", "/contexts/a/b", "/interpreter", "/Files"]) {
      await box.fails(NO_ROUTE, "GET", path);
    }
    const methods = {
      "": ["DELETE", "GET", "HEAD", "OPTIONS"],
      "/execute": ["OPTIONS", "POST"],
      "/contexts": ["GET", "HEAD", "OPTIONS", "POST"],
      "/contexts/some": ["DELETE", "OPTIONS"],
      "/env": ["OPTIONS", "POST"],
      "/files": ["OPTIONS", "POST"],
    };
    for (const [path, known] of Object.entries(methods)) {
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        if (known.includes(method)) continue;
        const response = await box.send(method, path);
        const allow = (response.headers.get("allow") ?? "").split(/, */).sort();
        assertEquals(allow, known, `${method} ${path}`);
        await assertError(response, ...NO_METHOD);
      }
    }
  });

  await step("bodies are read in the order of all routes", async (box) => {
    for (const path of ["/execute", "/contexts", "/env", "/files"]) {
      const send = (body: BodyInit, type = "application/json") =>
        target.call(`/languages/python/sandboxes/${box.id}${path}`, {
          method: "POST",
          headers: { "content-type": type },
          body,
        });
      await assertError(await send("{}", "text/plain"), 415, "VALIDATION_FAILED");
      await assertError(await send("{}", "application/json; charset=utf-16"), 415, INVALID[1]);
      for (const body of ["", "{", "[]", "null", '"x"', new Uint8Array([0x22, 0xff, 0x22])]) {
        await assertError(await send(body), ...INVALID);
      }
      const cap = path === "/files" ? 6 * 1024 * 1024 : 96 * 1024;
      await assertError(await send(`{"x":"${"x".repeat(cap)}"}`), 413, INVALID[1]);
    }
    assertEquals((await box.ok("GET", ""))["createdAt"], null);
  });

  await step("deletion removes contexts, files and variables", async (box) => {
    await box.ok("POST", "/env", { envVars: { A: "x" } });
    await box.file("write", "f", { content: "x" });
    for (const language of CONTEXT_LANGUAGES) await box.context(language);
    await box.run("python", "x = 1");
    const [{ id } = { id: "" }] = await box.contexts();
    assertEquals(await box.ok("DELETE", ""), { success: true });
    await box.fails([404, "CONTEXT_NOT_FOUND"], "POST", "/execute", { code: "1", contextId: id });
    assertEquals([await box.contexts(), (await box.ok("GET", ""))["createdAt"]], [[], null]);
    const seen = await box.value(
      "python",
      "import os\n['x' in globals(), 'A' in os.environ, os.listdir()]",
    );
    assertEquals(seen, [false, false, []]);
  });

  await step("deletion ends a running program, and no part of the run appears", async (box) => {
    const { id } = await box.context("python");
    const going = box.send("POST", "/execute", {
      code: "open('late.txt', 'w').write('x')\nwhile True: pass",
      contextId: id,
    });
    await new Promise((resolve) => setTimeout(resolve, 150));
    await box.ok("DELETE", "");
    const response = await going;
    const { code } = await response.json();
    assert(code === "CONFLICT" || code === "CONTEXT_NOT_FOUND", code);
    assertEquals((await box.ok("GET", ""))["createdAt"], null);
  });

  await step("sandboxes share neither files, variables nor contexts", async (box) => {
    const other = target.sandbox();
    await box.file("write", "mine", { content: "x" });
    const { id } = await box.context("python");
    await box.run("python", "mine = 1", { contextId: id });
    await other.fails([404, "CONTEXT_NOT_FOUND"], "POST", "/execute", { code: "1", contextId: id });
    await other.fails([404, "CONTEXT_NOT_FOUND"], "DELETE", `/contexts/${id}`);
    assertEquals((await other.file("exists", "mine"))["exists"], false);
    assertEquals(await other.value("python", "'mine' in globals()"), "False");
    assertEquals(await box.value("python", "mine", { contextId: id }), "1");
  });
});
