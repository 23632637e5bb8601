// test: long
/** Contexts that outlive the image that they were created with. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { BuiltIsolate } from "../../../runtimes/builder/cache.ts";
import { baselineName } from "../../../runtimes/builder/engine_names.ts";
import { type CurrentPart, PartArchive } from "../../../runtimes/contexts/part_archive.ts";
import {
  captureNonZero,
  decodeImage,
  encodeImage,
  type MemoryImage,
} from "../../../runtimes/engine/image.ts";
import {
  decodePythonImage,
  encodePythonImage,
} from "../../../runtimes/languages/python/host/artifact.ts";
import { enginePartKey } from "../../../store/keys.ts";
import type { KvStore } from "../../../store/kv.ts";
import { PACKING, packPart } from "../../../runtimes/builder/packed_part.ts";
import { openStore } from "../../../store/open.ts";
import { contentHash } from "../../../shared/content_hash.ts";
import { type ContextLanguage, EngineBench, stateOf } from "../engine/snapshot/engine_bench.ts";
import { MEMORY_PAGE_BYTES } from "../engine/snapshot/fake_state.ts";
import { damaged } from "../../store/damage.ts";
import { bytesOf, keysUnder, withMemory } from "../../store/fixture.ts";
import { printedSeed, seeded } from "../../support/random.ts";
import { presentBuild } from "../../support/other_build.ts";
import { assertNothingOrphaned, refusalOf, startBuilt, TestContext } from "./test_host.ts";

const NAME_DIGITS = 32;
const CHUNK_BYTES = 4096;
const newId = () => crypto.randomUUID();

/** The same engine with another image, taken after it ran one more program. */
async function rebuilt(built: BuiltIsolate): Promise<BuiltIsolate> {
  const language = built.language as ContextLanguage;
  const bench = await EngineBench.create(language);
  stateOf(bench.run("1"));
  const { state } = bench;
  const memory = state.memory();
  const spans = state.liveSpans();
  const heapEnd = spans.at(-1)?.[1] ?? memory.length;
  const ranges = spans.flatMap((span) => captureNonZero(memory, span, CHUNK_BYTES));
  const anew = <Head extends object>(image: MemoryImage<Head>): MemoryImage<Head> => {
    assertEquals(image.pages * MEMORY_PAGE_BYTES, memory.length);
    return {
      ...image,
      head: "heapEnd" in image.head ? { ...image.head, heapEnd } : image.head,
      ranges,
    };
  };
  const before = await built.readBaseline();
  let image: Uint8Array<ArrayBuffer>;
  if (language === "python") {
    const whole = decodePythonImage(before);
    image = encodePythonImage({ ...whole, image: anew(whole.image) });
  } else image = encodeImage(anew(decodeImage(before, (head) => Object(head))));
  return {
    ...built,
    build: `${built.build}-next`,
    baseline: baselineName(image),
    openEngine: async () => new Blob([await built.engineWith({ baseline: image })]).stream(),
    readBaseline: () => Promise.resolve(image),
  };
}

/** A context of an engine, in which `n` is 1. Its host has stopped. */
async function contextMadeBy(built: BuiltIsolate, store: KvStore): Promise<TestContext> {
  await using host = await startBuilt(built, { store });
  const context = await TestContext.create(host);
  await context.run("let n = 1");
  return context;
}

for (const language of ["javascript", "python", "perl"] as const) {
  Deno.test(`baselines: a context of ${language} continues after its image was rebuilt`, async () => {
    const built = await presentBuild(language);
    const next = await rebuilt(built);
    assertNotEquals(next.baseline, built.baseline);
    const [define, go] = {
      javascript: ["let n = 1; const up = () => ++n; n", "up()"],
      python: ["n = 1\ndef up():\n  global n\n  n += 1\n  return n\nn", "up()"],
      perl: ["my $n = 1; sub up { ++$n } $n", "up()"],
    }[language];
    const store = await openStore(":memory:");
    try {
      let context: TestContext;
      {
        await using host = await startBuilt(built, { store });
        context = await TestContext.create(host);
        assertEquals(await context.value(define ?? ""), "1");
        assertEquals(await context.value(go ?? ""), "2");
      }
      await using host = await startBuilt(next, { store });
      const later = context.on(host);
      assertEquals(await later.value(go ?? ""), "3"); // restored over the image that it was created with
      const { context: { snapshot } } = await later.run(go ?? "");
      assertEquals(snapshot?.build, built.build);
      // new contexts use the current image, and both exist side by side
      const young = await TestContext.create(host);
      assertEquals(await young.value(define ?? ""), "1");
      assertEquals((await young.run(go ?? "")).context.snapshot?.build, next.build);
      assertEquals(await later.value(go ?? ""), "5");
      await assertNothingOrphaned([later, young]);
      const kept = await keysUnder(store, ["baseline", language]);
      const names = new Set(kept.map((key) => key.split("/")[2]));
      assertEquals(names, new Set([built.baseline, next.baseline]));
      assertEquals(host.logged, []);
    } finally {
      store.close();
    }
  });
}

Deno.test("baselines: a context without its image is corrupt, and the others continue", async () => {
  const built = await presentBuild("javascript");
  const store = await openStore(":memory:");
  try {
    const context = await contextMadeBy(built, store);
    await store.delete(enginePartKey("baseline", "javascript", built.baseline));
    await using host = await startBuilt(await rebuilt(built), { store });
    const refused = refusalOf(await context.on(host).call("n"));
    assertEquals(refused.slice(0, 2), [500, "SNAPSHOT_CORRUPT"]);
    const young = await TestContext.create(host);
    assertEquals(await young.value("1 + 1"), "2");
  } finally {
    store.close();
  }
});

function baselinesOf(kv: KvStore, current: CurrentPart): PartArchive {
  const part = "baseline";
  const nameOf = baselineName;
  return new PartArchive({ kv, part, language: "x", clock: Date.now, current, nameOf, newId });
}

async function load(kept: PartArchive, name: string) {
  const found = await kept.find(name);
  return found && await kept.read(name, found.record);
}

/** A made-up image: noise and zeros. */
function someImage(): { readonly image: Uint8Array<ArrayBuffer>; readonly baseline: string } {
  const image = new Uint8Array(300_000);
  image.set(bytesOf(120_000), 50_000);
  return { image, baseline: contentHash(image).slice(0, NAME_DIGITS) };
}

Deno.test("baselines: an image is stored once, however many request it, and read back unchanged", async () => {
  await withMemory(async (kv) => {
    const { image, baseline } = someImage();
    let reads = 0;
    const readBaseline = () => Promise.resolve((reads++, image));
    const make = () => baselinesOf(kv, { name: baseline, read: readBaseline });
    const [one, other] = [make(), make()];
    await Promise.all([one, other, one, other].map((baselines) => baselines.ensureCurrent()));
    assertEquals(await load(other, baseline), image);
    const keys = await keysUnder(kv);
    await make().ensureCurrent();
    assertEquals([await keysUnder(kv), reads <= 2], [keys, true]);
    assertEquals(await load(one, "0".repeat(NAME_DIGITS)), undefined);
  });
});

Deno.test("baselines: an image that the build has compressed is stored as it is", async () => {
  await withMemory(async (kv) => {
    const { image, baseline } = someImage();
    const made = baselinesOf(kv, {
      name: baseline,
      read: () => Promise.reject(new Error("it need not be read")),
      readPacked: () => packPart(image, PACKING.built),
    });
    await made.ensureCurrent();
    assertEquals(await load(made, baseline), image);
  });
});

Deno.test("baselines: an image that differs from the written one is not used", async () => {
  const random = seeded(printedSeed("baseline damage"));
  const below = (limit: number) => Math.floor(random() * limit);
  await withMemory(async (kv) => {
    const { image, baseline } = someImage();
    const baselines = baselinesOf(kv, { name: baseline, read: () => Promise.resolve(image) });
    await baselines.ensureCurrent();
    const stored = await Array.fromAsync(kv.list({ prefix: [] }));
    for (let turn = 0; turn < 400; turn++) {
      const entry = stored[below(stored.length)];
      assert(entry !== undefined);
      await kv.set(entry.key, damaged(entry.value, below));
      const loaded = await load(baselines, baseline);
      // damage to unneeded data, such as the time of storing, does no harm
      if (loaded !== undefined) assertEquals(contentHash(loaded), contentHash(image));
      await kv.set(entry.key, entry.value);
    }
    assertEquals(await load(baselines, baseline), image);
  });
});
