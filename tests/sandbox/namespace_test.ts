import { assertEquals, assertLess, assertMatch, assertNotEquals } from "@std/assert";
import { leastWorkMs } from "../support/figures.ts";
import { assertFailure, Caller, sandboxProcess, withStore } from "./fixture.ts";

function request(path: string, headers: HeadersInit = {}, init: RequestInit = {}): Request {
  return new Request(`https://any.host.example${path}`, { ...init, headers });
}

Deno.test("namespace: ids are 64 hex digits that follow from tenant and name", () =>
  withStore(async (store) => {
    const sandboxes = sandboxProcess(store);
    const [a, b] = [sandboxes.forTenant("a"), sandboxes.forTenant("b")];
    assertMatch(a.idFromName("box"), /^[0-9a-f]{64}$/);
    assertEquals(a.idFromName("box"), sandboxProcess(store).forTenant("a").idFromName("box"));
    assertNotEquals(a.idFromName("box"), b.idFromName("box"));
    assertNotEquals(a.idFromName("box"), a.idFromName("Box"));
    const id = a.idFromName("box");
    const named = await a.get(id).fetch(request("/", { "x-sandbox-id": "box" }));
    assertEquals((await named.json()).id, "box");
    for (const headers of [{}, { "x-sandbox-id": "other" }]) {
      await assertFailure(await a.get(id).fetch(request("/", headers)), 400, "VALIDATION_FAILED");
    }
    const foreign = await b.get(id).fetch(request("/", { "x-sandbox-id": "box" }));
    await assertFailure(foreign, 400, "VALIDATION_FAILED");
  }));

Deno.test("namespace: sandboxes are found only by name; an object's id is not a name, with any header", () =>
  withStore(async (store) => {
    const namespace = sandboxProcess(store).forTenant("default");
    const id = namespace.idFromName("box");
    for (const headers of [{}, { "x-sandbox-id": "box" }, { "x-sandbox-id": id }]) {
      const answer = await namespace.named(id).fetch(request("/", headers));
      const { message } = await assertFailure(answer, 400, "VALIDATION_FAILED");
      assertMatch(String(message), /^Invalid sandbox id '[0-9a-f]{64}': it is 1 to 63 letters/);
    }
    const named = await namespace.named("box").fetch(request("/", { "x-sandbox-id": "box" }));
    assertEquals((await named.json()).id, "box");
  }));

Deno.test("namespace: invalid names are refused, and the header must match", () =>
  withStore(async (store) => {
    const namespace = sandboxProcess(store).forTenant("default");
    const names = ["", "-a", "a-", ".", "..", "a/b", "a b", "a\0", "é", "a".repeat(64), "a\n"];
    for (const name of names) {
      const answer = await namespace.get(name).fetch(request("/"));
      await assertFailure(answer, 400, "VALIDATION_FAILED");
    }
    for (const name of ["a", "...", "_", ".a", "A-b.c_9", "a".repeat(63), "__proto__"]) {
      const answer = await namespace.get(name).fetch(request("/", { "x-sandbox-id": name }));
      assertEquals((await answer.json()).id, name);
    }
    const spoofed = await namespace.get("a").fetch(request("/", { "x-sandbox-id": "b" }));
    await assertFailure(spoofed, 400, "VALIDATION_FAILED");
    assertEquals((await namespace.get("a").fetch(request("/"))).status, 200);
  }));

Deno.test("namespace: unknown routes and methods are refused", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    for (const path of ["/nothing", "/contexts/a/b", "/interpreter", "/env/a"]) {
      await box.fails(404, "VALIDATION_FAILED", "GET", path);
    }
    for (const [method, path] of [["GET", "/execute"], ["PUT", "/"], ["POST", "/contexts/a"]]) {
      const answer = await box.send(method ?? "", path ?? "");
      assertMatch(answer.headers.get("allow") ?? "", /^[A-Z, ]+$/);
      await assertFailure(answer, 405, "VALIDATION_FAILED");
    }
    const options = await box.send("OPTIONS", "/contexts");
    assertEquals([options.status, options.headers.get("allow")], [204, "POST, GET, HEAD, OPTIONS"]);
  }));

Deno.test("namespace: two tenants have separate sandboxes under one name", () =>
  withStore(async (store) => {
    const sandboxes = sandboxProcess(store);
    const [a, b] = [new Caller(sandboxes, "box", "a"), new Caller(sandboxes, "box", "b")];
    await a.run("x = 1\nwrite f secret");
    await a.ok("POST", "/env", { envVars: { KEY: "secret" } });
    assertEquals((await b.ok("GET", "/"))["createdAt"], null);
    assertEquals(await b.paths(), []);
    assertEquals((await b.run("x"))["error"] !== undefined, true);
    const { contexts } = await a.ok("GET", "/contexts");
    const id = Array.isArray(contexts) ? contexts[0]?.id : "";
    await b.fails(404, "CONTEXT_NOT_FOUND", "DELETE", `/contexts/${id}`);
    await b.fails(404, "CONTEXT_NOT_FOUND", "POST", "/execute", { code: "x", contextId: id });
    await b.ok("DELETE", "/");
    assertEquals(await a.text("f"), "secret");
  }));

Deno.test("files: bodies with excessive structure are refused, bodies with all fields are read", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    const list = { op: "list", path: "." };
    for (const x of [Array(200).fill(0), Object.fromEntries(Array(200).fill(0).entries())]) {
      await box.fails(400, "VALIDATION_FAILED", "POST", "/files", { ...list, x });
    }
    const flags = { recursive: true, force: true, includeHidden: true };
    const more = { newPath: "b", content: "[{,:".repeat(1_000), encoding: "utf-8", ...flags };
    await box.ok("POST", "/files", { op: "write", path: "a", ...more, ignored: [1, 2, {}] });
    assertEquals(await box.text("a"), more.content);
  }));

Deno.test("files: the text of a path has a bounded length", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    await box.file("write", "./".repeat(500) + "f", { content: "text" });
    const long = "a/".repeat(2_000_000);
    for (const fields of [{ op: "stat", path: long }, { op: "move", path: "f", newPath: long }]) {
      let context: unknown;
      const ms = await leastWorkMs(async () => {
        ({ context } = await box.fails(400, "FILESYSTEM_ERROR", "POST", "/files", fields));
      });
      assertLess(ms, 500);
      assertEquals(context, {
        path: fields.path.slice(0, 1024),
        operation: fields.op,
        errno: "ENAMETOOLONG",
      });
    }
    const cwd = "a/".repeat(40_000);
    await box.fails(400, "VALIDATION_FAILED", "POST", "/contexts", { binding: "PYTHON", cwd });
  }));

Deno.test("env: layers over 32 KiB are 413, values are never shown", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    const half = "x".repeat(16 * 1024 - 1);
    await box.ok("POST", "/env", { envVars: { A: half, B: half } });
    await box.fails(413, "VALIDATION_FAILED", "POST", "/env", { envVars: { C: "" } });
    await box.ok("POST", "/env", { envVars: { A: null, C: "" } });
    await box.fails(413, "VALIDATION_FAILED", "POST", "/env", { envVars: { D: half + "xxx" } });
    const long = { envVars: { A: "é".repeat(16 * 1024) } };
    await box.fails(413, "VALIDATION_FAILED", "POST", "/env", long);
    await box.fails(413, "VALIDATION_FAILED", "POST", "/contexts", { binding: "PYTHON", ...long });
    for (const envVars of [undefined, null, [], "A=1", { "1A": "" }, { A: 1 }, { A: "a\0b" }]) {
      await box.fails(400, "VALIDATION_FAILED", "POST", "/env", { envVars });
    }
    const info = await box.send("GET", "/");
    const text = await info.text();
    assertEquals(text.includes("xxx"), false);
    assertEquals(JSON.parse(text).envVars, ["B", "C"]);
  }));
