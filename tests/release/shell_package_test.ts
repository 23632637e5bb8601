// test: slow
/** The npm package of the shell's module, and `deno task shell install`. Nothing asks a registry of others. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import client from "../../client/deno.json" with { type: "json" };
import module from "../../runtimes/languages/shell/module/module.json" with { type: "json" };
import { writeShellPackage } from "../../release/shell_package.ts";
import { runShell } from "../../runtimes/builder/shell_command.ts";
import { run, temporaryFolder } from "../client/deno_command.ts";
import {
  type FakeEntry,
  type FakePackage,
  FakeRegistry,
  tarballOf,
} from "../runtimes/builder/packages/fake_registry.ts";
import { shellTest } from "../support/shell_engine.ts";

const IS = `@belljar/shell ${client.version}`;
const FILE = `belljar-shell-${client.version}.tgz`;
const MODULE = `shell-module-${module.sha256}.wasm`;

/** Runs `deno task shell` with a cache folder of its own; gives what is in the folder afterwards. */
async function shell(args: readonly string[], registryUrl: string | undefined) {
  await using folder = await temporaryFolder();
  const cacheDir = `${folder.path}/cache`;
  let said = "";
  const code = await runShell(
    { args, cacheDir, registryUrl, env: {}, patience: { stallMs: 2_000, retryMs: 1 } },
    {
      print: (line) => said += `${line}\n`,
      progress: { isTerminal: false, write: (text) => said += text },
    },
  );
  const files = await Array.fromAsync(Deno.readDir(cacheDir)).catch(() => []);
  const bytes = await Deno.readFile(`${cacheDir}/${MODULE}`).catch(() => undefined);
  return { code, said, files: files.map(({ name }) => name), bytes };
}

/** Runs it on a registry with some packages. */
async function installFrom(packages: readonly FakePackage[]) {
  await using registry = await FakeRegistry.start(packages);
  return await shell(["install"], registry.url);
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

shellTest("npm packs the package, and the module of its tarball is installed", async (t) => {
  await using folder = await temporaryFolder();
  await writeShellPackage(new URL(`file://${folder.path}/package/`));
  const pack = ["pack", "--json", "--offline", "--ignore-scripts"];
  const packed = await run(
    "npm",
    ...pack,
    `--pack-destination=${folder.path}`,
    `${folder.path}/package`,
  );
  assertEquals(packed.code, 0, packed.output);
  const [{ filename, files }] = JSON.parse(packed.output.slice(packed.output.indexOf("[")));
  assertEquals(filename, FILE);
  assertEquals(files.map(({ path }: { readonly path: string }) => path).sort(), [
    "LICENSE",
    "README.md",
    "THIRD_PARTY_LICENCES.md",
    "package.json",
    "shell.wasm",
  ]);

  await t.step("from the file", async () => {
    const { code, said, bytes } = await shell(["install", `${folder.path}/${FILE}`], undefined);
    assertEquals([code, await sha256(bytes ?? new Uint8Array())], [0, module.sha256], said);
  });

  await t.step("from a registry, by the version of these sources", async () => {
    const tarball = await Deno.readFile(`${folder.path}/${FILE}`);
    const other = { is: "@belljar/shell 99.0.0", entries: [] };
    const { code, said, bytes } = await installFrom([{ is: IS, tarball }, other]);
    assertEquals([code, await sha256(bytes ?? new Uint8Array())], [0, module.sha256], said);
  });
});

const REFUSALS: readonly (readonly [string, readonly FakePackage[], string])[] = [
  ["the package is not there", [], `The registry has no ${IS}`],
  [
    "the version is not there",
    [{ is: "@belljar/shell 0.0.1" }],
    `The registry has no ${IS}: deno task shell build compiles the module`,
  ],
  ["it has another module", [{ is: IS, files: { "shell.wasm": "other" } }], "has a module with"],
  ["it has no module", [{ is: IS }], `${IS} has no shell.wasm`],
  ["its bytes are not those that are announced", [{ is: IS, isForged: true }], "its hash differs"],
  ["it is damaged", [{ is: IS, tarball: new Uint8Array([1, 2, 3]) }], "the tarball is damaged"],
  [
    "its tarball leads out of its folder",
    [{ is: IS, entries: [{ path: "package/../../shell.wasm" }] }],
    "leads out of its folder",
  ],
  [
    "its tarball has many entries",
    [{ is: IS, entries: Array.from({ length: 101 }, entryOf) }],
    "more than 100 entries",
  ],
];

function entryOf(_: unknown, index: number): FakeEntry {
  return { path: `package/${index}` };
}

for (const [when, packages, reason] of REFUSALS) {
  Deno.test(`shell install: nothing is installed when ${when}`, async () => {
    const { code, said, files } = await installFrom(packages);
    assertEquals([code, files], [1, []], said);
    assertStringIncludes(said, reason);
  });
}

Deno.test("shell install: a file that is missing, a folder, or another tarball is refused by its name", async () => {
  await using folder = await temporaryFolder();
  const other = `${folder.path}/other.tgz`;
  await Deno.writeFile(other, tarballOf([{ path: "package/shell.wasm", content: "other" }]));
  const cases = [
    [`${folder.path}/none.tgz`, `There is no file ${folder.path}/none.tgz`],
    [folder.path, `${folder.path} is no file`],
    [other, `${other} has a module with the SHA-256`],
  ] as const;
  for (const [file, reason] of cases) {
    const { code, said, files } = await shell(["install", file], undefined);
    assertEquals([code, files], [1, []], said);
    assertStringIncludes(said, reason);
  }
});

Deno.test("deno task shell: other arguments end with 2 and the usage", async () => {
  for (const args of [[], ["buidl"], ["build", "x"], ["pin", "x"], ["install", "a", "b"]]) {
    const { code, said, files } = await shell(args, undefined);
    assertEquals([code, files], [2, []], args.join(" "));
    assertStringIncludes(said, "Usage: deno task shell build");
  }
});
