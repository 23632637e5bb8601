import { assert, assertEquals, assertMatch } from "@std/assert";
import { keysUnder } from "../../store/fixture.ts";
import { newKey, refusalOf, send, startHost, TestContext } from "./test_host.ts";

function contextsPath(key: string): string {
  return `/interpreters/${key}/contexts`;
}

Deno.test("interpreter routes: contexts are created, counted, deleted and wiped", async (t) => {
  await using host = await startHost("javascript");
  const key = newKey();
  const create = (id: unknown, cwd: unknown = "/workspace", at = key) =>
    send(host, "POST", contextsPath(at), { id, cwd });

  await t.step("the probe reports contexts", async () => {
    const { body } = await send(host, "GET", "/interpreter");
    assertEquals([body.contexts, body.protocol], [true, 1]);
  });
  await t.step("a new one is 201, with the given id and directory", async () => {
    const { status, body } = await create("one", "/workspace/in");
    assertEquals([status, body.id, body.cwd], [201, "one", "/workspace/in"]);
    assertMatch(String(body.createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assertEquals(Object.keys(body).sort(), ["createdAt", "cwd", "id"]);
  });
  await t.step("an id that is taken is 409", async () => {
    const { status, body } = await create("one");
    assertEquals([status, body.code], [409, "CONFLICT"]);
  });
  await t.step("invalid keys, ids and directories are 400", async () => {
    const wrong = [
      create("x", "/workspace", "k".repeat(129)),
      create("x", "/workspace", "a%20b"),
      create("a b"),
      create(""),
      create(5),
      create(undefined),
      create("x", "relative"),
      create("x", "/tmp"),
      create("x", "/workspace/../tmp"),
      create("x", "/workspace/"),
      create("x", "/workspace/a\0b"),
      create("x", null),
    ];
    for (const { status, body } of await Promise.all(wrong)) {
      assertEquals([status, body.code], [400, "VALIDATION_FAILED"], String(body.message));
    }
  });
  await t.step("a ninth is 400", async () => {
    for (let n = 2; n <= 8; n++) assertEquals((await create(`n${n}`)).status, 201);
    const { status, body } = await create("ninth");
    assertEquals([status, body.code], [400, "VALIDATION_FAILED"]);
    assertEquals((await create("ninth", "/workspace", newKey())).status, 201);
    assertEquals((await send(host, "DELETE", `${contextsPath(key)}/n8`)).body, { success: true });
    assertEquals((await create("ninth")).status, 201);
  });
  await t.step("deleting one that does not exist is 404", async () => {
    for (const id of ["n8", "never", "a%20b", "x".repeat(200)]) {
      const { status, body } = await send(host, "DELETE", `${contextsPath(key)}/${id}`);
      assertEquals([status, body.code], [404, "CONTEXT_NOT_FOUND"]);
    }
  });
  await t.step("wiping leaves nothing, and other keys alone", async () => {
    const other = await TestContext.create(host);
    const mine = new TestContext(host, key, "one");
    await mine.run("let x = 1");
    await other.run("let x = 2");
    assertEquals((await send(host, "DELETE", `/interpreters/${key}`)).body, { success: true });
    assertEquals(await keysUnder(host.store, ["interpreter", "javascript", key]), []);
    assertEquals(refusalOf(await mine.call("x")).slice(0, 2), [404, "CONTEXT_NOT_FOUND"]);
    assertEquals(await other.value("x"), "2");
    assertEquals((await send(host, "DELETE", `/interpreters/${key}`)).status, 200);
  });
  await t.step("other methods are 405, and a body that is not JSON is refused", async () => {
    assertEquals((await send(host, "GET", contextsPath(key))).status, 405);
    assertEquals((await send(host, "POST", contextsPath(key))).status, 415);
    assertEquals((await send(host, "POST", contextsPath(key), [])).status, 400);
    const large = await send(host, "POST", contextsPath(key), { id: "x".repeat(20_000) });
    assertEquals(large.status, 413);
  });
});

Deno.test("interpreter routes: deleting a context leaves nothing of it", async () => {
  await using host = await startHost("javascript");
  const context = await TestContext.create(host);
  await context.run("let x = require('crypto').randomBytes(300000)");
  await context.run("x.fill(7)");
  await send(host, "DELETE", `${contextsPath(context.key)}/${context.id}`);
  assertEquals(await keysUnder(host.store, ["interpreter"]), []);
  assertEquals(refusalOf(await context.call("x")).slice(0, 2), [404, "CONTEXT_NOT_FOUND"]);
});

Deno.test("interpreter routes: a context deleted during its run leaves nothing, and the run reports it", async () => {
  await using host = await startHost("javascript");
  const context = await TestContext.create(host);
  await context.run("let x = 1");
  let deleted: Promise<unknown> | undefined;
  context.put("/workspace/a", "a");
  // it is deleted after the run has begun
  const answer = await context.call("x = 2", {}, async () => {
    deleted = send(host, "DELETE", `${contextsPath(context.key)}/${context.id}`);
    await deleted;
    return [{ path: "/workspace/a", data: new TextEncoder().encode("a"), updatedAt: 1 }];
  });
  assert(deleted !== undefined);
  assertEquals(refusalOf(answer).slice(0, 2), [409, "CONFLICT"]);
  assertEquals(await keysUnder(host.store, ["interpreter"]), []);
  assertEquals(await keysUnder(host.store, ["intent"]), []);
});

Deno.test("interpreter routes: without contexts each route, and the call, reports the reason", async () => {
  const noStore = "Code contexts are not supported: this Worker has no interpreter object binding";
  const services = [
    ["javascript", { stateless: true }, noStore],
    ["ruby", {}, "Code contexts are not supported for ruby"],
    ["ruby", { rubyContexts: true, stateless: true }, noStore],
  ] as const;
  for (const [language, options, message] of services) {
    await using host = await startHost(language, options);
    assertEquals((await send(host, "GET", "/interpreter")).body.contexts, false);
    const answers = await Promise.all([
      send(host, "POST", contextsPath("k"), { id: "x", cwd: "/workspace" }),
      send(host, "DELETE", `${contextsPath("k")}/x`),
      send(host, "DELETE", "/interpreters/k"),
    ]);
    for (const { status, body } of answers) {
      assertEquals([status, body.code, body.message], [400, "VALIDATION_FAILED", message]);
    }
    const context = new TestContext(host, "k", "x");
    assertEquals(refusalOf(await context.call("1")), [400, "VALIDATION_FAILED", message]);
    assertEquals(await keysUnder(host.store), []);
  }
});
