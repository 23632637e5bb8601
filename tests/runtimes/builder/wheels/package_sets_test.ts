/** `wheels add --set`, and a distribution in a folder. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { PACKAGE_SETS } from "../../../../runtimes/builder/wheels/package_sets.ts";
import { type FakeFile, FakeIndex, NATIVE, sha256, wheelNameOf, wheelOf } from "./fake_index.ts";

const DATA = PACKAGE_SETS.get("data");
assert(DATA !== undefined);
const FILES = DATA.packages.map((name): FakeFile => ({ is: `${name} 1`, tags: NATIVE }));
const SCIPY: FakeFile = { is: "scipy 2", tags: NATIVE };

/** Writes wheels to a folder, and the lock file of a distribution if it is to have one. */
async function distribution(files: readonly FakeFile[], hasLock = true): Promise<string> {
  const folder = await Deno.makeTempDir();
  const packages = files.map((file) => {
    const [name = "", version = ""] = file.is.split(" ");
    const hash = sha256(wheelOf(file));
    return [name, { name, version, file_name: wheelNameOf(file), sha256: hash, depends: [] }];
  });
  for (const file of files) await Deno.writeFile(`${folder}/${wheelNameOf(file)}`, wheelOf(file));
  const lock = JSON.stringify({ packages: Object.fromEntries(packages) });
  if (hasLock) await Deno.writeTextFile(`${folder}/pyodide-lock.json`, lock);
  return folder;
}

/** Runs the command with a distribution in a folder. */
async function runWith(
  folder: string,
  command: string,
  index: readonly FakeFile[] = [],
): Promise<{ readonly code: number; readonly said: string; readonly locked: readonly string[] }> {
  await using fake = await FakeIndex.start(index);
  try {
    const { code, said } = await fake.run(command, { distributionUrl: folder }, []);
    return { code, said, locked: code === 0 ? await fake.locked() : [] };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("wheels add --set data: takes the set from a folder, and says which packages are absent", async () => {
  const { code, said, locked } = await runWith(await distribution(FILES), "add --set data");
  assertEquals(code, 0, said);
  assertEquals(locked, FILES.map(({ is }) => is).sort());
  assertStringIncludes(said, "Without scipy, scikit-learn, statsmodels, duckdb, pyarrow:");
});

Deno.test("wheels add --set data: takes packages that the distribution has in addition", async () => {
  const folder = await distribution([...FILES, SCIPY]);
  const { said, locked } = await runWith(folder, "add --set data");
  assert(locked.includes("scipy 2"), said);
  assertStringIncludes(said, "Without scikit-learn, statsmodels, duckdb, pyarrow:");
});

Deno.test("wheels add --set data: a named version takes the place of the set's", async () => {
  const index: FakeFile[] = [{ is: "tabulate 0.5" }, { is: "tabulate 9" }];
  const folder = await distribution(FILES);
  const { said, locked } = await runWith(folder, "add --set data tabulate==0.5", index);
  assert(locked.includes("tabulate 0.5"), said);
});

Deno.test("wheels add --set: an unknown set is refused with the names of the sets", async () => {
  const { code, said } = await runWith(await distribution([]), "add --set dta");
  assertEquals(code, 2);
  assertStringIncludes(said, "--set must be data\n");
});

Deno.test("wheels add: a folder that does not exist is refused", async () => {
  await using fake = await FakeIndex.start([]);
  const { code, said } = await fake.run("add numpy", { distributionUrl: "/no/such/folder" });
  assertEquals([code, said], [
    1,
    "WHEELS_DISTRIBUTION_URL must be a URL or the path of a folder that exists\n",
  ]);
});

Deno.test("wheels add: a changed wheel of a folder is refused", async () => {
  const folder = await distribution([SCIPY]);
  await Deno.writeTextFile(`${folder}/${wheelNameOf(SCIPY)}`, "changed");
  const { code, said } = await runWith(folder, "add scipy");
  assertEquals(code, 1);
  assertStringIncludes(said, "its SHA-256 differs");
});

Deno.test("wheels add: a folder without a lock file is used by the engine's own", async () => {
  const { code, said } = await runWith(
    await distribution([SCIPY], false),
    "add --only engine scipy",
  );
  assertEquals(code, 1);
  assertStringIncludes(said, "There is no package scipy on the engine's distribution");
});
