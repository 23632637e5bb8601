import { assert, assertEquals } from "@std/assert";
import { keysUnder } from "../../store/fixture.ts";
import { assertNothingOrphaned, refusalOf, startHost, TestContext, valueOf } from "./test_host.ts";

Deno.test("fences: a fence lower than one seen is refused, and changes nothing", async () => {
  await using host = await startHost("javascript");
  const context = await TestContext.create(host);
  context.fence = 5;
  await context.run("let a = 1");
  const keys = await keysUnder(host.store);
  for (const fence of [4, 1, 0, -1]) {
    const answer = await context.call("a = 100", { fence });
    assertEquals(refusalOf(answer).slice(0, 2), [409, "CONFLICT"]);
  }
  assertEquals(await keysUnder(host.store), keys);
  assertEquals(await context.value("a"), "1");
  context.fence = 9;
  assertEquals(await context.value("a"), "1");
  assertEquals(refusalOf(await context.call("a", { fence: 5 })).slice(0, 2), [409, "CONFLICT"]);
});

Deno.test("fences: an uncommitted snapshot is removed when the older one is named", async () => {
  await using host = await startHost("javascript", { isolates: 2 });
  const context = await TestContext.create(host);
  await context.run("let a = 1");
  await context.run("a = 2");
  for (let turn = 0; turn < 3; turn++) {
    const lost = await context.call("a = 100"); // it never commits
    assert(lost.ok);
    context.fence++;
    assertEquals(await context.value("a"), "2");
    await assertNothingOrphaned([context]);
  }
});

Deno.test("fences: an uncommitted snapshot of the first run is removed too", async () => {
  await using host = await startHost("javascript");
  const context = await TestContext.create(host);
  for (let turn = 0; turn < 3; turn++) {
    const lost = await context.call("globalThis.a = (globalThis.a ?? 0) + 1");
    assert(lost.ok);
    assertEquals(valueOf(lost.result), "1");
    await assertNothingOrphaned([context]);
  }
});

Deno.test("fences: a holder that stalls, and resumes after another has continued, destroys nothing", async () => {
  await using host = await startHost("javascript", { isolates: 2 });
  await using elsewhere = await startHost("javascript", { store: host.store });
  const stalled = await TestContext.create(host);
  stalled.put("/workspace/a", "a");
  await stalled.run("let a = 1");
  stalled.put("/workspace/a", "b");
  const next = stalled.on(elsewhere);
  next.fence = 2;
  // it is asked for a file, and answers only after the other has run and committed twice
  const woken = await stalled.call("a = 100", {}, async () => {
    assertEquals(await next.value("a += 1"), "2");
    assertEquals(await next.value("a += 1"), "3");
    return [{ path: "/workspace/a", data: new TextEncoder().encode("b"), updatedAt: 1 }];
  });
  assertEquals(refusalOf(woken).slice(0, 2), [409, "CONFLICT"]);
  assertEquals(refusalOf(await stalled.call("a = 100")).slice(0, 2), [409, "CONFLICT"]);
  assertEquals(await next.value("a += 1"), "4");
  await assertNothingOrphaned([next]);
});

Deno.test("fences: one of two simultaneous holders writes; the other loses only its run", async () => {
  await using host = await startHost("javascript", { isolates: 2 });
  const context = await TestContext.create(host);
  await context.run("let a = 1");
  const answers = await Promise.all([context.call("a += 1"), context.call("a += 10")]);
  const won = answers.filter(({ ok }) => ok);
  assert(won.length >= 1);
  for (const answer of answers) {
    if (!answer.ok) assertEquals(refusalOf(answer).slice(0, 2), [409, "CONFLICT"]);
  }
  // in either case the snapshot that the sandbox names exists
  assertEquals(await context.value("a"), "1");
  await assertNothingOrphaned([context]);
});

Deno.test("fences: a reference to nothing, or to another context's snapshot, is refused", async () => {
  await using host = await startHost("javascript");
  const [one, other] = [await TestContext.create(host), await TestContext.create(host)];
  await one.run("let secret = 1");
  await other.run("let a = 1");
  const own = other.reference ?? "";
  const references = [
    one.reference,
    "",
    ".",
    "nonsense",
    own.slice(0, -1),
    `${own}0`,
    own.replace(/^\d+/, "2"),
    own.replace(/.$/, (digit) => digit === "0" ? "1" : "0"),
    "x".repeat(5_000),
    "1-../../..",
  ];
  for (const snapshot of references) {
    const refused = refusalOf(await other.call("typeof secret", { snapshot }));
    assertEquals(refused.slice(0, 2), [500, "SNAPSHOT_CORRUPT"], String(snapshot));
  }
  assertEquals(
    host.logged.filter((event) => event === "context.unreadable").length,
    references.length,
  );
  assertEquals(await other.value("a"), "1");
  assertEquals(await one.value("secret"), "1");
});
