// test: long
/** Contexts that outlive the module that they were created with. */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import type { BuiltIsolate } from "../../../runtimes/builder/cache.ts";
import { ENGINE_ABI, METERING_VERSION } from "../../../runtimes/builder/engine_names.ts";
import { quickJsModule } from "../../../runtimes/languages/javascript/build/builder.ts";
import { meterModule } from "../../../wasm/metering/meter.ts";
import { WASM_PAGE_BYTES } from "../../../wasm/metering/wasm_page.ts";
import { enginePartBlobKey, enginePartKey, interpreterContextKey } from "../../../store/keys.ts";
import type { KvStore } from "../../../store/kv.ts";
import { Transaction } from "../../../store/transaction.ts";
import { openStore } from "../../../store/open.ts";
import { EARLIER_ISOLATES, MEMORY_BYTES } from "../../../shared/limits.ts";
import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import { keysUnder } from "../../store/fixture.ts";
import { buildWith, marked, markedBuild, presentBuild } from "../../support/other_build.ts";
import { assertNothingOrphaned, refusalOf, send, startBuilt, TestContext } from "./test_host.ts";

const INCOMPATIBLE = [409, "SNAPSHOT_INCOMPATIBLE"];

async function withStore(test: (store: KvStore) => Promise<void>): Promise<void> {
  const store = await openStore(":memory:");
  try {
    await test(store);
  } finally {
    store.close();
  }
}

/** A context of a build, in which `n` is 1, with a file. Its host has stopped. */
async function contextMadeBy(built: BuiltIsolate, store: KvStore): Promise<TestContext> {
  await using host = await startBuilt(built, { store });
  const context = await TestContext.create(host);
  await context.run("let n = 1; require('fs').writeFileSync('a.txt', 'kept')");
  return context;
}

/**
 * Under another build a context answers 409 and changes nothing; others are created and run; under
 * its own build it goes on.
 */
async function assertRefused(
  { store, own, other, context }: {
    readonly store: KvStore;
    readonly own: BuiltIsolate;
    readonly other: BuiltIsolate;
    readonly context: TestContext;
  },
  logged: readonly string[] = [],
): Promise<void> {
  {
    await using host = await startBuilt(other, { store });
    const keys = await keysUnder(store, ["interpreter"]);
    for (let turn = 0; turn < 2; turn++) {
      const [status, code, message] = refusalOf(await context.on(host).call("n"));
      assertEquals([status, code], INCOMPATIBLE);
      assertStringIncludes(message, own.build);
      assertStringIncludes(message, other.build);
    }
    assertEquals(await keysUnder(store, ["interpreter"]), keys);
    const young = await TestContext.create(host);
    assertEquals(await young.value("let n = 2; n"), "2");
    assertEquals(host.logged, logged);
  }
  await using host = await startBuilt(own, { store });
  assertEquals(
    await context.on(host).value("n + require('fs').readFileSync('a.txt', 'utf8')"),
    "'1kept'",
  );
}

Deno.test("engine archive: a context continues on its own module at its own prices, and again under the first build", async () => {
  const present = await presentBuild("javascript");
  const dear = meterModule(await quickJsModule(), {
    floatUnits: 10_000,
    maximumPages: MEMORY_BYTES.javascript / WASM_PAGE_BYTES,
    minimumPages: 1,
    ownSize: true,
    stackPadding: { global: "auto" },
  });
  const first = buildWith(present, dear.bytes);
  const second = buildWith(present, await present.readModule());
  assertEquals(second.engineDigest, present.engineDigest);
  const floats = "let x = 1.5; for (let i = 0; i < 1e4; i++) x *= 1.0001; up()";
  await withStore(async (store) => {
    let context: TestContext;
    const fuel: (number | undefined)[] = [];
    {
      await using host = await startBuilt(first, { store });
      context = await TestContext.create(host);
      await context.run("let n = 0; const up = () => ++n; up()");
      fuel.push((await context.run(floats)).usage?.fuelConsumed);
    }
    {
      await using host = await startBuilt(second, { store });
      const later = context.on(host);
      const run = await later.run(floats);
      assertEquals(run.results[0]?.text, "3");
      assertEquals(run.context.snapshot?.build, first.build);
      fuel.push(run.usage?.fuelConsumed);
      const young = await TestContext.create(host);
      await young.run("let n = 0; const up = () => ++n; up()");
      fuel.push((await young.run(floats)).usage?.fuelConsumed);
      assertEquals(await later.value("up()"), "4"); // from the isolate that holds it
      assertEquals(host.runtime.health().isolates, 2);
      assertEquals(host.logged, []);
      await assertNothingOrphaned([later, young]);
      context = later;
    }
    await using host = await startBuilt(first, { store });
    assertEquals(await context.on(host).value("up()"), "5");
    const [own = 0, later = 0, young = 0] = fuel;
    assert(own > 5 * young && later > 5 * young, `${own}, ${later} and ${young}`);
  });
});

Deno.test("engine archive: image and module may both be earlier ones, and results name the context's engine", async () => {
  const present = await presentBuild("python");
  const first = await markedBuild(present, "first");
  await withStore(async (store) => {
    let context: TestContext;
    {
      await using host = await startBuilt(first, { store });
      context = await TestContext.create(host);
      await context.run("n = 1\ndef up():\n  global n\n  n += 1\n  return n");
    }
    const key = enginePartKey("module", "python", first.engineDigest);
    const { value } = await store.get<{ facts: { engineName: string } }>(key);
    assert(value !== null);
    await store.set(key, { ...value, facts: { ...value.facts, engineName: "CPython of then" } });
    await using host = await startBuilt(await markedBuild(present, "second"), { store });
    const run = await context.on(host).run("up()");
    assertEquals([run.results[0]?.text, run.engine], ["2", "CPython of then"]);
    assertNotEquals((await (await TestContext.create(host)).run("1")).engine, "CPython of then");
    assertEquals(host.logged, []);
  });
});

Deno.test("engine archive: a context without its module in the archive is refused, and continues under its own build", async () => {
  const own = await presentBuild("javascript");
  const other = await markedBuild(own, "other");
  await withStore(async (store) => {
    const context = await contextMadeBy(own, store);
    // as a version without an archive of modules left it
    const key = interpreterContextKey("javascript", context.key, context.id);
    const { value } = await store.get<{ engine?: string }>(key);
    const { engine, ...record } = value ?? {};
    assertEquals(engine, own.engineDigest);
    await store.set(key, record);
    for (const name of ["module", "module_use"]) {
      for await (const entry of store.list({ prefix: [name] })) await store.delete(entry.key);
    }
    await assertRefused({ store, own, other, context });
    // it has run under this version now
    await using host = await startBuilt(other, { store });
    const again = new TestContext(host, context.key, context.id);
    const reference = await lastSnapshot(store, context);
    assertEquals(await Object.assign(again, { reference }).value("n"), "1");
  });
});

Deno.test("engine archive: a context that is refused is deleted like any other", async () => {
  const own = await presentBuild("javascript");
  await withStore(async (store) => {
    const context = await contextMadeBy(own, store);
    await store.delete(enginePartKey("module", "javascript", own.engineDigest));
    await using host = await startBuilt(await markedBuild(own, "other"), { store });
    assertEquals(refusalOf(await context.on(host).call("n")).slice(0, 2), INCOMPATIBLE);
    const path = `/interpreters/${context.key}/contexts/${context.id}`;
    assertEquals((await send(host, "DELETE", path)).status, 200);
    const kept = [["interpreter"], ["module_use"], ["baseline_use"]];
    for (const prefix of kept) assertEquals(await keysUnder(store, prefix), []);
  });
});

for (
  const [what, versions] of [
    ["whose metering is below the lowest safe one", { lowestMetering: METERING_VERSION + 1 }],
    ["that needs an earlier isolate program", { lowestAbi: ENGINE_ABI.javascript + 1 }],
    ["that needs a later isolate program", { abi: ENGINE_ABI.javascript - 1 }],
  ] as const
) {
  Deno.test(`engine archive: a module ${what} is refused`, async () => {
    const own = await presentBuild("javascript");
    const marks = await markedBuild(own, "other");
    const other = { ...marks, versions: { ...marks.versions, ...versions } };
    await withStore(async (store) => {
      const context = await contextMadeBy(own, store);
      await assertRefused({ store, own, other, context });
    });
  });
}

/** Stores other bytes for a module, with a record that fits them. */
async function plant(store: KvStore, engine: string, bytes: Uint8Array): Promise<void> {
  const key = enginePartKey("module", "javascript", engine);
  const { value } = await store.get<object>(key);
  const transaction = new Transaction(store, { writeId: crypto.randomUUID(), clock: Date.now });
  const packed = new Uint8Array(await promisify(deflateRaw)(bytes));
  const blob = transaction.putBlob(enginePartBlobKey("module", "javascript", engine), packed);
  assert(await transaction.set(key, { ...value, blob, bytes: bytes.length }).commit());
}

async function lastSnapshot(store: KvStore, { key, id }: TestContext): Promise<string | null> {
  const record = await store.get<{ snapshots: string[] }>(
    interpreterContextKey("javascript", key, id),
  );
  return record.value?.snapshots.at(-1) ?? null;
}

Deno.test("engine archive: a planted module is refused like a missing one; the log names it once", async () => {
  const own = await presentBuild("javascript");
  const other = await markedBuild(own, "other");
  await withStore(async (store) => {
    const context = await contextMadeBy(own, store);
    const before = await store.get(enginePartKey("module", "javascript", own.engineDigest));
    await plant(store, own.engineDigest, marked(await own.readModule(), "planted"));
    const mend = () => store.set(before.key, before.value);
    await assertRefused({ store, own, other, context }, ["module.refused"]);
    await mend();
    await using host = await startBuilt(other, { store });
    const later = Object.assign(new TestContext(host, context.key, context.id), {
      reference: await lastSnapshot(store, context),
    });
    assertEquals(await later.value("n"), "1");
  });
});

Deno.test("engine archive: contexts of more builds than there may be isolates run at once", async () => {
  const present = await presentBuild("javascript");
  const marks = Array.from({ length: EARLIER_ISOLATES + 1 }, (_, n) => `mark ${n}`);
  const builds = await Promise.all(marks.map((mark) => markedBuild(present, mark)));
  await withStore(async (store) => {
    const contexts: TestContext[] = [];
    for (const built of builds) {
      await using host = await startBuilt(built, { store });
      const context = await TestContext.create(host);
      await context.run(`let n = ${contexts.length}`);
      contexts.push(context);
    }
    await using host = await startBuilt(present, { store });
    const counts: number[] = [];
    const poll = setInterval(() => counts.push(host.isolates().length), 5);
    const later = contexts.map((context) => context.on(host));
    const found = await Promise.all(later.map((context) => context.value("n++")));
    clearInterval(poll);
    assertEquals(found, contexts.map((_, n) => String(n)));
    assert(Math.max(...counts) <= 1 + EARLIER_ISOLATES, String(counts));
    assertEquals(host.runtime.health().isolates, 1 + EARLIER_ISOLATES);
    assertEquals(host.logged, []);
    const modules = new Set((await keysUnder(store, ["module"])).map((key) => key.split("/")[2]));
    assertEquals(modules, new Set(builds.map(({ engineDigest }) => engineDigest)));
    await assertNothingOrphaned(later);
  });
});
