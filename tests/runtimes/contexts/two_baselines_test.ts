// test: long
/** Runs and contexts of an engine with two baselines; a package of ours is imported in the second. */
import { assert, assertEquals } from "@std/assert";
import { WASM_PAGE_BYTES } from "../../../wasm/metering/wasm_page.ts";
import { MEMORY_BYTES } from "../../../shared/limits.ts";
import type { BuiltIsolate } from "../../../runtimes/builder/cache.ts";
import { baselineName } from "../../../runtimes/builder/engine_names.ts";
import { differenceOf } from "../../../runtimes/engine/image_difference.ts";
import { driverSources } from "../../../runtimes/languages/python/build/builder.ts";
import { bootImage, PYTHON_PATHS } from "../../../runtimes/languages/python/build/boot.ts";
import {
  decodePythonImage,
  encodePythonImage,
} from "../../../runtimes/languages/python/host/artifact.ts";
import { trampolineBytes } from "../../../runtimes/languages/python/host/trampoline.ts";
import { openStore } from "../../../store/open.ts";
import { presentBuild } from "../../support/other_build.ts";
import { bootableModule } from "../languages/python/support.ts";
import { assertNothingOrphaned, type Host, send, startBuilt, TestContext } from "./test_host.ts";

const SCRIPT = new URL(
  "../../../runtimes/languages/python/guest/native_modules.py",
  import.meta.url,
);
/** A package with as much data as a large one has, and a count that programs change. */
const FRAMES = `
import sys
data = [bytes([n % 251]) * 4096 for n in range(5000)]
count = 0
def add():
    global count
    count += 1
    data[count] = bytes(4096)
    return count
`;
/** Whether the package is there before the program imports it. */
const IS_THERE = "import sys\nthere = 'frames' in sys.modules\n";
const IMPORT = `${IS_THERE}import frames\n[there, frames.add()]`;
const NO_IMPORT = `${IS_THERE}there`;

let made: Promise<BuiltIsolate> | undefined;

/** The present build with the package, and with a second baseline that holds it. */
function twoBaselines(): Promise<BuiltIsolate> {
  return made ??= build();
}

async function build(): Promise<BuiltIsolate> {
  const built = await presentBuild("python");
  const { files: present, libraries } = decodePythonImage(await built.readBaseline());
  const path = `${PYTHON_PATHS.packages}/frames.py`;
  const files = [...present, [path, new TextEncoder().encode(FRAMES)] as const];
  const boot = {
    module: await bootableModule(),
    trampoline: await WebAssembly.compile(trampolineBytes()),
    maximumPages: MEMORY_BYTES.python / WASM_PAGE_BYTES,
    files,
    packages: [],
    driver: await driverSources(),
  };
  const script = await Deno.readTextFile(SCRIPT);
  const natives = { modules: [], heapBase: undefined, preload: ["frames"], script };
  const plain = bootImage(boot);
  const preloaded = differenceOf(bootImage({ ...boot, natives }), plain);
  const image = encodePythonImage({ image: plain, preloaded, files, libraries });
  return {
    ...built,
    build: `${built.build}-two`,
    baseline: baselineName(image),
    preloads: ["frames"],
    readBaseline: () => Promise.resolve(image),
    openEngine: async () => new Blob([await built.engineWith({ baseline: image })]).stream(),
  };
}

async function stateless(host: Host, code: string, body: object = {}) {
  const { body: result } = await send(host, "POST", "/execute", { code, ...body });
  assert(Array.isArray(result["results"]), JSON.stringify(result));
  return [result["results"][0]?.json ?? result["results"][0]?.text, result["usage"]];
}

Deno.test("two baselines: a stateless run begins on the one that its imports choose", async () => {
  await using host = await startBuilt(await twoBaselines());
  for (let turn = 0; turn < 3; turn++) {
    assertEquals((await stateless(host, IMPORT))[0], [true, 1]);
    assertEquals((await stateless(host, NO_IMPORT))[0], "False");
    const computed =
      `${IS_THERE}import importlib\n[there, importlib.import_module("frames").add()]`;
    assertEquals((await stateless(host, computed))[0], [false, 1]);
  }
  assertEquals(host.logged, []);
});

Deno.test("two baselines: a run without the package costs what it costs where there is one", async () => {
  const replay = { seed: 1, clock: 1e12 };
  const usages: unknown[] = [];
  const two = await twoBaselines();
  for (const built of [two, { ...two, preloads: [] }]) {
    await using host = await startBuilt(built);
    for (const before of ["1", IMPORT]) {
      await stateless(host, before);
      usages.push((await stateless(host, "sum(range(1000))", replay))[1]);
    }
  }
  for (const usage of usages) assertEquals(usage, usages[0]);
});

Deno.test("two baselines: a replayed run has equal fuel and memory in every process", async () => {
  const replay = { seed: 1, clock: 1e12 };
  const usages: unknown[] = [];
  for (const before of ["1", IMPORT]) {
    await using host = await startBuilt(await twoBaselines());
    await stateless(host, before);
    const [value, usage] = await stateless(host, IMPORT, replay);
    assertEquals(value, [true, 1]);
    usages.push(usage);
  }
  assertEquals(usages[1], usages[0]);
});

Deno.test("two baselines: a context stays on the one of its first run, in every process", async () => {
  const store = await openStore(":memory:");
  try {
    const built = await twoBaselines();
    let data: TestContext, plain: TestContext;
    {
      await using host = await startBuilt(built, { store });
      data = await TestContext.create(host);
      plain = await TestContext.create(host);
      assertEquals(await data.value(IMPORT), "[true,1]");
      assertEquals(await plain.value(NO_IMPORT), "False");
      // both take turns on one isolate
      assertEquals(await data.value("frames.add()"), "2");
      assertEquals(await plain.value(IMPORT), "[false,1]");
      assertEquals(await data.value("frames.add()"), "3");
      const { context: { snapshot } } = await data.run("frames.add()");
      assert(snapshot !== null && snapshot !== undefined && snapshot.bytes < 4 * 1024 * 1024);
    }
    {
      await using host = await startBuilt(built, { store });
      [data, plain] = [data.on(host), plain.on(host)];
      assertEquals(await data.value("[frames.add(), frames.data[9][:2].hex()]"), '[5,"0909"]');
      assertEquals(await plain.value("frames.add()"), "2");
    }
    // the service that follows has another image, with one baseline
    await using host = await startBuilt(await presentBuild("python"), { store });
    [data, plain] = [data.on(host), plain.on(host)];
    assertEquals(await data.value("frames.add()"), "6");
    assertEquals(await plain.value("frames.add()"), "3");
    assertEquals(await data.value("frames.add()"), "7");
    await assertNothingOrphaned([data, plain]);
    assertEquals(host.logged, []);
  } finally {
    store.close();
  }
});

Deno.test("two baselines: a file of the workspace is imported in place of the package", async () => {
  await using host = await startBuilt(await twoBaselines());
  const context = await TestContext.create(host);
  context.put("/workspace/frames.py", "def add(): return 'own'");
  assertEquals(await context.value(IMPORT), '[false,"own"]');
});

Deno.test("two baselines: programs of both kinds find isolates that are ready for them", async () => {
  await using host = await startBuilt(await twoBaselines(), { isolates: 2 });
  await Promise.all([stateless(host, IMPORT), stateless(host, NO_IMPORT)]);
  for (let turn = 0; turn < 5; turn++) {
    assertEquals((await stateless(host, IMPORT))[0], [true, 1]);
    assertEquals((await stateless(host, NO_IMPORT))[0], "False");
  }
  assertEquals(host.isolates().length, 2);
});
