import { assert, assertEquals, assertFalse } from "@std/assert";
import { keysUnder } from "../../store/fixture.ts";
import { assertNothingOrphaned, commitWrites, send, startHost, TestContext } from "./test_host.ts";

for (const language of ["javascript", "python", "perl"] as const) {
  Deno.test(`joined writes: a run leaves them to the commit of its own store, in ${language}`, async () => {
    await using host = await startHost(language, { isolates: 2 });
    const context = await TestContext.create(host);
    const [set, add] = language === "perl" ? ["my $n = 1;", "$n += 1"] : ["n = 1", "n += 1; n"];
    const { store } = host;
    for (const code of [set, add, add]) {
      const keys = await keysUnder(store, ["interpreter"]);
      const lost = await context.ask(code);
      assert(lost.ok && lost.result.writes !== undefined);
      assertEquals(await keysUnder(store, ["interpreter"]), keys);
      context.fence++;
      const kept = await context.ask(code);
      assert(kept.ok && kept.result.writes !== undefined);
      assert(await commitWrites(host, kept.result.writes));
      assertFalse(await commitWrites(host, lost.result.writes), "two runs stand on one state");
      context.commit(kept.result);
      context.fence++;
      await assertNothingOrphaned([context]);
    }
    assertEquals(await context.value(language === "perl" ? "$n" : "n"), "3");
  });
}

Deno.test("joined writes: a large state is current only with the commit that it joins", async () => {
  await using host = await startHost("javascript", { isolates: 2 });
  const context = await TestContext.create(host);
  const random = "Array.from({ length: 300_000 }, () => Math.random())";
  const large = await context.ask(`globalThis.much = ${random}; 1`);
  assert(large.ok && large.result.writes !== undefined);
  assert((await keysUnder(host.store, ["intent"])).length > 0, "the state is not large");
  assertEquals(await context.value("typeof much"), "'undefined'");
  assertFalse(await commitWrites(host, large.result.writes));
  await large.result.writes.discard();
  await assertNothingOrphaned([context]);
  await context.run(`globalThis.much = ${random}; 1`);
  assertEquals(await context.value("much.length"), "300000");
  await context.run("much = 0");
  await context.run("much = 1");
  await assertNothingOrphaned([context]);
});

Deno.test("joined writes: writes fail after the removal of the context", async () => {
  await using host = await startHost("javascript");
  const context = await TestContext.create(host);
  await context.run("let n = 1");
  const late = await context.ask("n += 1");
  assert(late.ok && late.result.writes !== undefined);
  const { status } = await send(
    host,
    "DELETE",
    `/interpreters/${context.key}/contexts/${context.id}`,
  );
  assertEquals(status, 200);
  assertFalse(await commitWrites(host, late.result.writes));
  assertEquals(await keysUnder(host.store, ["interpreter", "javascript", context.key]), []);
});
