/** Contexts that outlive the module that they were created with. */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import type { BuiltIsolate } from "../../../runtimes/build/cache.ts";
import { METERING_VERSION } from "../../../runtimes/build/engine_names.ts";
import { quickJsModule } from "../../../runtimes/build/javascript.ts";
import { meterModule } from "../../../runtimes/isolate/metering/meter.ts";
import { meterQuickJs } from "../../../runtimes/isolate/javascript/metered_module.ts";
import { blobRefSchema } from "../../../store/blobs.ts";
import { interpreterContextKey, keptBlobKey, keptPartKey } from "../../../store/keys.ts";
import type { KvStore } from "../../../store/kv.ts";
import { Transaction } from "../../../store/transaction.ts";
import { openStore } from "../../../store/open.ts";
import { EARLIER_ISOLATES } from "../../../wire/limits.ts";
import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import { keysUnder } from "../../store/fixture.ts";
import { buildWith, marked, markedBuild, presentBuild } from "./other_build.ts";
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
    "1kept",
  );
}

Deno.test("kept engines: a context goes on, on its own module at its own prices, and back on the first build", async () => {
  const present = await presentBuild("javascript");
  const source = await quickJsModule();
  const cheap = meterModule(source, { stackPadding: { global: "auto" }, maximumPages: 1024 }).bytes;
  assertNotEquals(cheap, meterQuickJs(source));
  const first = buildWith(present, cheap);
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
    assert(Math.abs(own - later) < own / 100, `${own} and ${later}`);
    assert(young > 1.2 * later, `${young} and ${later}`);
  });
});

Deno.test("kept engines: image and module may both be earlier ones, and results name the context's engine", async () => {
  const present = await presentBuild("python");
  const first = await markedBuild(present, "first");
  await withStore(async (store) => {
    let context: TestContext;
    {
      await using host = await startBuilt(first, { store });
      context = await TestContext.create(host);
      await context.run("n = 1\ndef up():\n  global n\n  n += 1\n  return n");
    }
    const key = keptPartKey("module", "python", first.engineDigest);
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

Deno.test("kept engines: a context without a kept module is refused, and goes on under its own build", async () => {
  const own = await presentBuild("javascript");
  const other = await markedBuild(own, "other");
  await withStore(async (store) => {
    const context = await contextMadeBy(own, store);
    // as a version without kept modules left it
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
    const last = (await store.get<{ snapshots: string[] }>(key)).value?.snapshots.at(-1);
    assertEquals(await Object.assign(again, { reference: last }).value("n"), "1");
  });
});

Deno.test("kept engines: a context that is refused is deleted like any other", async () => {
  const own = await presentBuild("javascript");
  await withStore(async (store) => {
    const context = await contextMadeBy(own, store);
    await store.delete(keptPartKey("module", "javascript", own.engineDigest));
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
    ["that needs another isolate program", { abi: 2 }],
  ] as const
) {
  Deno.test(`kept engines: a module ${what} is refused`, async () => {
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
async function plant(
  store: KvStore,
  engine: string,
  bytes: Uint8Array,
  facts: Record<string, unknown> = {},
): Promise<void> {
  const key = keptPartKey("module", "javascript", engine);
  const { value } = await store.get<{ facts: object }>(key);
  const transaction = new Transaction(store, { writeId: crypto.randomUUID(), clock: Date.now });
  const packed = new Uint8Array(await promisify(deflateRaw)(bytes));
  const blob = transaction.putBlob(keptBlobKey("module", "javascript", engine), packed);
  assert(blobRefSchema.safeParse(blob).success);
  transaction.set(key, {
    ...value,
    blob,
    bytes: bytes.length,
    facts: { ...value?.facts, ...facts },
  });
  assert(await transaction.commit());
}

Deno.test("kept engines: bytes with another digest are never loaded; the log names the digest once", async () => {
  const own = await presentBuild("javascript");
  const other = await markedBuild(own, "other");
  const module = await own.readModule();
  const flipped = module.slice();
  flipped[flipped.length >> 1] = (flipped[flipped.length >> 1] ?? 0) ^ 1;
  const plants: Readonly<Record<string, (store: KvStore) => Promise<void>>> = {
    "a module of another build": (store) =>
      plant(store, own.engineDigest, marked(module, "planted")),
    "one other bit": (store) => plant(store, own.engineDigest, flipped),
    "no module": (store) => plant(store, own.engineDigest, new Uint8Array()),
    "a higher version of metering": (store) =>
      plant(store, own.engineDigest, module, { metering: METERING_VERSION + 1 }),
    "a part that is gone": async (store) => {
      const prefix = ["module", "javascript", own.engineDigest, "blob"];
      for await (const { key } of store.list({ prefix }, { limit: 1 })) await store.delete(key);
    },
  };
  for (const [name, put] of Object.entries(plants)) {
    await withStore(async (store) => {
      const context = await contextMadeBy(own, store);
      await put(store);
      console.log(name);
      await assertRefused({ store, own, other, context }, ["module.refused"]);
    });
  }
});

Deno.test("kept engines: twenty contexts of five builds run at once on a few isolates", async () => {
  const present = await presentBuild("javascript");
  const marks = ["1", "2", "3", "4", "5"];
  const builds = await Promise.all(marks.map((mark) => markedBuild(present, mark)));
  await withStore(async (store) => {
    const contexts: TestContext[] = [];
    for (const built of builds) {
      await using host = await startBuilt(built, { store });
      for (let n = 0; n < 4; n++) {
        const context = await TestContext.create(host);
        await context.run(`let n = ${contexts.length}`);
        contexts.push(context);
      }
    }
    await using host = await startBuilt(present, { store });
    let most = 0;
    const poll = setInterval(() => most = Math.max(most, host.isolates().length), 5);
    const later = contexts.map((context) => context.on(host));
    const found = await Promise.all(later.map((context) => context.value("n++")));
    clearInterval(poll);
    assertEquals(found, contexts.map((_, n) => String(n)));
    assert(most <= 1 + EARLIER_ISOLATES, String(most));
    assertEquals(host.runtime.health().isolates <= 1 + EARLIER_ISOLATES, true);
    assertEquals(host.logged, []);
    const modules = new Set((await keysUnder(store, ["module"])).map((key) => key.split("/")[2]));
    assertEquals(modules, new Set(builds.map(({ engineDigest }) => engineDigest)));
    await assertNothingOrphaned(later);
  });
});
