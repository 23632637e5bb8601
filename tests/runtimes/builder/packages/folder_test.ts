/**
 * The folder of npm packages, as a build and a start check it.
 */
import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { RuntimesRefused } from "../../../../shared/binding.ts";
import { readBuildInputs } from "../../../../runtimes/builder/build_inputs.ts";
import { findFiles } from "../../../../runtimes/builder/package_folder.ts";
import { sourceKeys } from "../../../../runtimes/builder/source_keys.ts";
import { BUNDLES, FakeRegistry } from "./fake_registry.ts";

async function withPackage(): Promise<FakeRegistry> {
  const registry = await FakeRegistry.start([
    { is: "one 1.0.0", files: { "index.js": "exports.one = 1" } },
  ]);
  await registry.run("add one");
  return registry;
}

async function refusal(folder: string, preload: readonly string[] = []): Promise<string> {
  const read = () => readBuildInputs({ javascriptPackages: folder, javascriptPreload: preload });
  return (await assertRejects(read, RuntimesRefused)).message;
}

Deno.test(
  "package folder: a file that is forged, missing or too many is refused by its name",
  BUNDLES,
  async () => {
    await using registry = await withPackage();
    const { folder } = registry;
    const bundle = `${folder}/one/index.cjs`;
    const text = await Deno.readTextFile(bundle);
    await Deno.writeTextFile(bundle, `${text} `);
    assertEquals(
      await refusal(folder),
      "JAVASCRIPT_PACKAGES: one/index.cjs is not the file that packages.lock.json names: " +
        "its SHA-256 differs; deno task packages add makes it again",
    );
    await Deno.remove(bundle);
    assertEquals(
      await refusal(folder),
      "JAVASCRIPT_PACKAGES: one/index.cjs is missing, which packages.lock.json names: " +
        "deno task packages add makes it again",
    );
    await Deno.writeTextFile(bundle, text);
    await Deno.mkdir(`${folder}/two`);
    await Deno.writeTextFile(`${folder}/two/index.cjs`, "");
    assertEquals(
      await refusal(folder),
      "JAVASCRIPT_PACKAGES: two/index.cjs is not in packages.lock.json: remove it, " +
        "or add its package with deno task packages add",
    );
    await Deno.remove(`${folder}/packages.lock.json`);
    assertEquals(
      await refusal(folder),
      "JAVASCRIPT_PACKAGES: one/index.cjs is there without packages.lock.json: " +
        "deno task packages add makes both",
    );
  },
);

Deno.test(
  "package folder: a lock that is none, or leads elsewhere, is refused",
  BUNDLES,
  async () => {
    await using registry = await withPackage();
    const path = `${registry.folder}/packages.lock.json`;
    const text = await Deno.readTextFile(path);
    const lock = JSON.parse(text);
    const [one] = lock.packages;
    const [file] = one.files;
    const locks = [
      "{",
      "[]",
      ...[
        { name: "__proto__" },
        { name: "../x" },
        { files: [{ ...file, file: "../x" }] },
        {
          files: [{ ...file, file: "two/index.cjs" }],
        },
        { files: [{ ...file, file: "one/../../x" }] },
        { more: 1 },
      ].map((changes) => JSON.stringify({ ...lock, packages: [{ ...one, ...changes }] })),
      JSON.stringify({ ...lock, packages: [one, one] }),
    ];
    for (const other of locks) {
      await Deno.writeTextFile(path, other);
      assertEquals(
        await refusal(registry.folder),
        "JAVASCRIPT_PACKAGES: packages.lock.json is damaged: restore it, or empty the folder and run " +
          "deno task packages add with the names again",
        other,
      );
    }
  },
);

Deno.test(
  "package folder: a folder that is not there, or too large, is refused",
  BUNDLES,
  async () => {
    await using registry = await withPackage();
    assertEquals(
      await refusal(`${registry.folder}/nope`),
      "JAVASCRIPT_PACKAGES must name a folder that exists and can be read",
    );
    const find = (limits: { files: number; bytes: number }) =>
      assertRejects(() => findFiles(registry.folder, "NAME", limits), RuntimesRefused);
    assertEquals(
      (await find({ files: 2, bytes: 1e9 })).message,
      "NAME: the folder has more than 2 files",
    );
    assertEquals(
      (await find({ files: 9, bytes: 0 })).message,
      "NAME: the files of the folder have more than 0 MiB",
    );
  },
);

Deno.test("package folder: what to preload must be there", BUNDLES, async () => {
  await using registry = await withPackage();
  assertEquals(
    await refusal(registry.folder, ["one", "two/part"]),
    "JAVASCRIPT_PRELOAD: two/part is not in JAVASCRIPT_PACKAGES: deno task packages add two/part",
  );
  const read = () => readBuildInputs({ javascriptPreload: ["one"] });
  assertEquals(
    (await assertRejects(read, RuntimesRefused)).message,
    "JAVASCRIPT_PRELOAD names packages of JAVASCRIPT_PACKAGES, which is not set",
  );
});

Deno.test(
  "package folder: packages and preloading are part of the key of that engine only",
  BUNDLES,
  async () => {
    await using registry = await withPackage();
    const keys = async (settings: Parameters<typeof readBuildInputs>[0]) =>
      sourceKeys(await readBuildInputs(settings));
    const [none, some, loaded] = [
      await keys({}),
      await keys({ javascriptPackages: registry.folder }),
      await keys({ javascriptPackages: registry.folder, javascriptPreload: ["one"] }),
    ];
    assertNotEquals(none.engines.get("javascript"), some.engines.get("javascript"));
    assertNotEquals(some.engines.get("javascript"), loaded.engines.get("javascript"));
    for (const language of ["python", "perl", "ruby"] as const) {
      assertEquals(none.engines.get(language), loaded.engines.get(language));
    }
    assertEquals(none.program, some.program);
  },
);
