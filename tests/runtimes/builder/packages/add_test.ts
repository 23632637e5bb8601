/**
 * `deno task packages`: choice of versions, bundles, the lock, and refusals.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parsePackageRequest } from "../../../../runtimes/builder/package_names.ts";
import { readBuildInputs } from "../../../../runtimes/builder/build_inputs.ts";
import { BUNDLES, FakeRegistry, tarballOf } from "./fake_registry.ts";

const LEFT = {
  is: "left 1.2.0",
  manifest: { dependencies: { dep: "^1.0.0" } },
  files: {
    "index.js": "module.exports = (text) => require('dep') + text",
    "extra.js": "exports.extra = require('./index')",
  },
};
const DEPENDENCIES = [
  { is: "dep 1.0.0", files: { "index.js": "module.exports = 'old'" } },
  { is: "dep 1.5.0", files: { "index.js": "module.exports = 'dep'" } },
  { is: "dep 2.0.0", files: { "index.js": "module.exports = 'new'" } },
];

Deno.test("packages: a name, its entry and its version are read; anything else is none", () => {
  assertEquals(parsePackageRequest("@a/b/c/d@^1.2"), {
    name: "@a/b",
    subpath: "c/d",
    range: "^1.2",
  });
  assertEquals(parsePackageRequest("lodash"), { name: "lodash", subpath: "", range: undefined });
  const others = [
    ...[
      "",
      "..",
      "../x",
      "/x",
      "./x",
      "a/../b",
      "__proto__",
      "@a",
      "@/a",
      "a b",
      "a\\b",
      ".a",
      "_a",
    ],
    ...["node_modules", "http://x/y", "git+ssh://x", "a/", "@a/../b", "x".repeat(300), "a%2fb"],
  ];
  for (const other of others) assertEquals(parsePackageRequest(other), undefined, other);
});

Deno.test(
  "packages: add bundles a package with its dependencies, and locks versions and hashes",
  BUNDLES,
  async () => {
    await using registry = await FakeRegistry.start([LEFT, ...DEPENDENCIES]);
    const { code, said } = await registry.run("add left left/extra");
    assertEquals(code, 0, said);
    assertStringIncludes(said, "+ left 1.2.0 (");
    const files = ["left/extra.cjs", "left/index.cjs", "left/package.json", "packages.lock.json"];
    assertEquals(await registry.there(), files);
    const lock = JSON.parse(await Deno.readTextFile(`${registry.folder}/packages.lock.json`));
    const [locked] = lock.packages;
    assertEquals([locked.name, locked.version, locked.entries], ["left", "1.2.0", ["extra"]]);
    assertEquals(
      locked.parts.map(({ name, version }: Record<string, string>) => `${name} ${version}`),
      ["dep 1.5.0", "left 1.2.0"],
    );
    for (const { sha256 } of locked.files) assertMatch(sha256, /^[0-9a-f]{64}$/);
    const extra = await Deno.readTextFile(`${registry.folder}/left/extra.cjs`);
    assertStringIncludes(extra, 'require("./index.cjs")'); // one copy of what both use
    const { exports } = JSON.parse(await Deno.readTextFile(`${registry.folder}/left/package.json`));
    assertEquals(Object.keys(exports).sort(), [".", "./extra", "./extra.js", "./package.json"]);
    const { packages } = await readBuildInputs({ javascriptPackages: registry.folder });
    assertEquals(packages?.javascript?.installed, [{ name: "left", version: "1.2.0" }]);
    assertEquals(packages?.javascript?.files.map(([path]) => path), [
      "/node_modules/left/extra.cjs",
      "/node_modules/left/index.cjs",
      "/node_modules/left/package.json",
    ]);
  },
);

Deno.test(
  "packages: what is there stays at its version, and add makes a changed file again",
  BUNDLES,
  async () => {
    await using registry = await FakeRegistry.start([LEFT, ...DEPENDENCIES]);
    await registry.run("add dep@1.0.0 left");
    const before = await Deno.readTextFile(`${registry.folder}/dep/index.cjs`);
    assertStringIncludes(before, "old");
    await registry.run("add dep");
    assertEquals(await Deno.readTextFile(`${registry.folder}/dep/index.cjs`), before);
    await Deno.writeTextFile(`${registry.folder}/dep/index.cjs`, "forged");
    await Deno.remove(`${registry.folder}/left/index.cjs`);
    const { lines } = await registry.run("list");
    assertEquals(lines.filter((line) => line.endsWith("add makes it again")).length, 2);
    assertEquals((await registry.run("add")).code, 0);
    assertEquals(await Deno.readTextFile(`${registry.folder}/dep/index.cjs`), before);
    const asked = registry.requests.length;
    assertEquals((await registry.run("add")).code, 0);
    assertEquals(registry.requests.length, asked); // nothing is missing, nothing is fetched
    await registry.run("add --upgrade dep@2");
    assertStringIncludes(await Deno.readTextFile(`${registry.folder}/dep/index.cjs`), "new");
    assertEquals((await registry.run("remove left")).code, 0);
    assertEquals(await registry.there(), [
      "dep/index.cjs",
      "dep/package.json",
      "packages.lock.json",
    ]);
    const { code, said } = await registry.run("remove depp");
    assertEquals([code, said.trim()], [
      1,
      `depp is not among the packages in ${registry.folder}: is it dep?`,
    ]);
  },
);

Deno.test(
  "packages: ES modules, and packages with two builds, have a file for each kind",
  BUNDLES,
  async () => {
    await using registry = await FakeRegistry.start([
      {
        is: "esm 1.0.0",
        files: { "index.js": "export default 1; export const a = import.meta.url" },
        manifest: { type: "module", exports: "./index.js" },
      },
      {
        is: "@two/builds 1.0.0",
        files: { "a.mjs": "export const kind = 'import'", "a.cjs": "exports.kind = 'require'" },
        manifest: {
          exports: {
            ".": { import: "./a.mjs", require: "./a.cjs" },
            "./sub": "./a.mjs",
            "./nothing": "./nothing.js",
          },
        },
      },
      {
        is: "waits 1.0.0",
        files: { "index.mjs": "export const a = await 1" },
        manifest: { exports: { import: "./index.mjs" } },
      },
    ]);
    const { code, said } = await registry.run("add esm @two/builds waits");
    assertEquals(code, 0, said);
    assertEquals(await registry.there(), [
      "@two/builds/index.cjs",
      "@two/builds/index.import.esm.cjs",
      "@two/builds/package.json",
      "@two/builds/sub.esm.cjs",
      "esm/index.esm.cjs",
      "esm/package.json",
      "packages.lock.json",
      "waits/index.mjs",
      "waits/package.json",
    ]);
  },
);

Deno.test("packages: a peer is a package of its own, which both share", BUNDLES, async () => {
  await using registry = await FakeRegistry.start([
    {
      is: "plugin 1.0.0",
      files: { "index.js": "exports.host = require('host')" },
      manifest: { peerDependencies: { host: "1" } },
    },
    { is: "host 1.1.0", files: { "index.js": "exports.name = 'host'" } },
    { is: "host 2.0.0", files: { "index.js": "exports.name = 'host'" } },
  ]);
  const { said } = await registry.run("add plugin");
  assertStringIncludes(said, "+ host 1.1.0 (1 KiB, which plugin shares)");
  const plugin = await Deno.readTextFile(`${registry.folder}/plugin/index.cjs`);
  assertStringIncludes(plugin, 'require("host")');
});

Deno.test(
  "packages: a refused package changes nothing, and the message names it",
  BUNDLES,
  async () => {
    const file = (path: string, type = "0") => ({ path, type, content: "" });
    const cases: readonly (readonly [name: string, reason: string, parts: object])[] = [
      ["link", "is no file but a symlink", { entries: [file("package/a", "2")] }],
      ["hard", "is no file but a link", { entries: [file("package/a", "1")] }],
      ["device", "is no file but a character-device", { entries: [file("package/a", "3")] }],
      ["above", '"package/../../x" that leads out', { entries: [file("package/../../x")] }],
      ["root", '"/etc/x" that leads out', { entries: [file("/etc/x")] }],
      ["both", '"a" as a file and as a folder', {
        entries: [file("package/a"), file("package/a/b")],
      }],
      ["damaged", "the tarball is damaged", { tarball: new Uint8Array(100) }],
      ["bomb", "has more than 256 MiB unpacked", {
        tarball: tarballOf([{ path: "package/a", content: new Uint8Array(257 * 1024 * 1024) }]),
      }],
      ["forged", "its hash differs", { isForged: true, files: { "index.js": "1" } }],
      ["native", "has native code (binding.gyp)", { files: { "binding.gyp": "{}" } }],
      ["empty", "has nothing that programs can import", {}],
      ["broken", "cannot be bundled: ", { files: { "index.js": "const = 1" } }],
      ["needs", "The registry has no package nowhere, which needs 1.0.0 needs", {
        manifest: { dependencies: { nowhere: "1" } },
      }],
      ["range", 'dep has no version for "^9", which range 1.0.0 needs', {
        manifest: { dependencies: { dep: "^9" } },
      }],
      ["address", 'needs dep from "https://x.example/dep.tgz", which is refused', {
        manifest: { dependencies: { dep: "https://x.example/dep.tgz" } },
      }],
      ["climbs", '"../x", which is no name of a package', {
        manifest: { dependencies: { "../x": "1" } },
      }],
    ];
    await using registry = await FakeRegistry.start([
      ...DEPENDENCIES,
      ...cases.map(([name, , parts]) => ({ is: `${name} 1.0.0`, ...parts })),
    ]);
    await registry.run("add dep");
    const before = await registry.there();
    for (const [name, reason] of cases) {
      const { code, said } = await registry.run(`add ${name}`);
      assertEquals(code, 1, said);
      assertStringIncludes(said, reason, name);
      assert(said.includes(name), said);
      assertEquals(await registry.there(), before);
    }
    assertStringIncludes((await registry.run("add dep@9")).said, 'dep has no version for "9"');
    assertStringIncludes((await registry.run("add nope")).said, "The registry has no package nope");
    assertStringIncludes((await registry.run("add fs")).said, "fs is a module of Node");
    for (const usage of ["", "frob", "add ../x", "remove", "list x", "add --frob"]) {
      assertEquals((await registry.run(usage)).code, 2, usage);
    }
  },
);

Deno.test("packages: no script of a package runs", BUNDLES, async () => {
  const mark = await Deno.makeTempFile();
  await using registry = await FakeRegistry.start([{
    is: "scripts 1.0.0",
    files: { "index.js": "module.exports = 1" },
    manifest: { scripts: { install: `rm ${mark}`, postinstall: `rm ${mark}` } },
  }]);
  assertEquals((await registry.run("add scripts")).code, 0);
  await Deno.remove(mark); // it is still there
});

Deno.test("packages: npm's configuration names the registry and its token", BUNDLES, async () => {
  await using registry = await FakeRegistry.start(DEPENDENCIES);
  const home = await Deno.makeTempDir();
  const { host } = new URL(registry.url);
  await Deno.writeTextFile(`${home}/.npmrc`, `; a comment\n//${host}/:_authToken=\${SECRET}\n`);
  const { code, said } = await registry.run("add dep", { HOME: home, SECRET: "s3cret" });
  assertEquals(code, 0, said);
  assertEquals(new Set(registry.authorizations), new Set(["Bearer s3cret"]));
  assert(!said.includes("s3cret"));
  await Deno.remove(home, { recursive: true });
});
