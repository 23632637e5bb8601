/**
 * Programs over npm packages, in Belljar and in Node: `deno task test:npm [NAME...]`. It installs the
 * packages from npm's registry into a temporary folder, and prints a table of what an import costs
 * and whether the output is the one of Node. Without the registry or without Node it says so and
 * ends with 0. It ends with 1 if a package that should be alike is not.
 *
 * @module
 */
import { PACKAGES_LOCK, parsePackagesLock } from "../../../runtimes/builder/packages_lock.ts";
import { runPackages } from "../../../runtimes/builder/packages/command.ts";
import { execute, type Service, startService } from "../../support/service.ts";

const PROGRAMS = new URL("programs/", import.meta.url);
const MIB = 1024 * 1024;
/** Newer versions of these have no default export, which the programs use, or are native. */
const VERSIONS = new Map([["pako", "2"], ["js-yaml", "4"], ["he", "1"], ["typescript", "5"]]);
/** More than any import needs. */
const FUEL = "100000000000";

/** Why a program does not end as in Node. */
const DIFFERENT = new Map([
  ["axios", "requests fail as in a browser: there is no network"],
  ["better-sqlite3", "refused: native code"],
  ["sql.js", "needs `WebAssembly`"],
  ["natural", "does not fit into the memory; parts of it do"],
  ["express", "serves a network"],
  ["typescript", "needs 128 MiB of memory (`MEMORY_JAVASCRIPT`)"],
]);

interface Case {
  readonly name: string;
  readonly code: string;
  /** Its imports, as the command takes them. */
  readonly requests: readonly string[];
}

interface Row {
  readonly name: string;
  readonly version: string;
  readonly bytes: number;
  readonly fuel: number | undefined;
  readonly memoryBytes: number;
  readonly verdict: string;
  readonly isExpected: boolean;
}

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

async function casesFor(names: readonly string[]): Promise<readonly Case[]> {
  const cases: Case[] = [];
  for await (const { name: file } of Deno.readDir(PROGRAMS)) {
    const name = file.replace(/\.mjs$/, "");
    if (names.length > 0 && !names.includes(name)) continue;
    const code = await Deno.readTextFile(new URL(file, PROGRAMS));
    const found = code.matchAll(/\bfrom "([^"]+)"/g);
    const requests = [...new Set([...found].map(([, id = ""]) => id))].map((id) => {
      const version = VERSIONS.get(id);
      return version === undefined ? id : `${id}@${version}`;
    });
    cases.push({ name, code, requests });
  }
  return cases.sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Adds packages; gives the last line of a refusal. */
async function add(folder: string, requests: readonly string[]): Promise<string | undefined> {
  let said = "";
  const code = await runPackages({
    args: ["add", ...requests],
    folder,
    registryUrl: Deno.env.get("NPM_CONFIG_REGISTRY"),
    env: Deno.env.toObject(),
  }, {
    print: () => undefined,
    progress: { isTerminal: false, write: (text) => said += text },
  });
  return code === 0 ? undefined : said.trim().split("\n").at(-1);
}

/** The same versions for Node, without scripts. */
async function installForNode(folder: string, packages: readonly string[]): Promise<boolean> {
  await Deno.writeTextFile(`${folder}/package.json`, "{}");
  const args = ["install", "--ignore-scripts", "--no-save", "--no-audit", "--legacy-peer-deps"];
  try {
    const { success } = await new Deno.Command("npm", {
      args: [...args, ...packages],
      cwd: folder,
      stdout: "null",
      stderr: "inherit",
    }).output();
    return success;
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return false;
    throw thrown;
  }
}

async function inNode(folder: string, { name, code }: Case): Promise<string> {
  await Deno.writeTextFile(`${folder}/${name}.mjs`, code);
  const { stdout } = await new Deno.Command("node", {
    args: [`${name}.mjs`],
    cwd: folder,
    env: { TZ: "UTC", NO_COLOR: "1" },
    stdin: "null",
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout).trimEnd();
}

async function measure(
  { url }: Service,
  one: Case,
  native: string,
): Promise<Pick<Row, "fuel" | "memoryBytes" | "verdict" | "isExpected">> {
  const imports = one.requests.map((id) => `import "${id.replace(/(.)@[^/]*$/, "$1")}";`).join(
    "\n",
  );
  const { result: imported } = await execute(url, "javascript", imports);
  const { result } = await execute(url, "javascript", one.code);
  const isAlike = result.error === undefined &&
    result.logs.stdout.join("\n").trimEnd() === native;
  const reason = DIFFERENT.get(one.name);
  const shown = result.error?.message.split("\n")[0]?.slice(0, 100) ?? "another output";
  return {
    fuel: imported.error === undefined ? imported.usage?.fuelConsumed : undefined,
    memoryBytes: imported.usage?.memoryBytes ?? 0,
    verdict: isAlike ? "yes" : `no: ${reason ?? shown}`,
    isExpected: isAlike === (reason === undefined),
  };
}

function tableOf(rows: readonly Row[]): readonly string[] {
  const sorted = [...rows].sort((a, b) => (a.fuel ?? Infinity) - (b.fuel ?? Infinity));
  return [
    "| package | version | bundles, KiB | import, M fuel | memory, MiB | as Node |",
    "| --- | --- | --- | --- | --- | --- |",
    ...sorted.map(({ name, version, bytes, fuel, memoryBytes, verdict }) => {
      const cells = [
        name,
        version,
        (bytes / 1024).toFixed(0),
        fuel === undefined ? "–" : (fuel / 1e6).toFixed(0),
        memoryBytes === 0 ? "–" : (memoryBytes / MIB).toFixed(1),
        verdict,
      ];
      return `| ${cells.join(" | ")} |`;
    }),
  ];
}

async function main(root: string): Promise<number> {
  const cases = await casesFor(Deno.args);
  const folder = `${root}/packages`;
  const refusals = new Map<string, string>();
  for (const { name, requests } of cases) {
    const refusal = await add(folder, requests);
    if (refusal === undefined) continue;
    if (/ cannot be read: /.test(refusal)) {
      say(`Nothing is compared: npm's registry cannot be reached (${refusal})`);
      return 0;
    }
    refusals.set(name, refusal);
  }
  const text = await Deno.readTextFile(`${folder}/${PACKAGES_LOCK}`);
  const locked = new Map(parsePackagesLock(text)?.packages.map((one) => [one.name, one]));
  const native = [...locked.values()].map(({ name, version }) => `${name}@${version}`);
  if (!await installForNode(root, native)) {
    say("Nothing is compared: npm and node are not installed, or npm has failed");
    return 0;
  }
  await using service = await startService({
    LANGUAGES: "javascript",
    JAVASCRIPT_PACKAGES: folder,
    CACHE_DIR: `${root}/cache`,
    KV_PATH: ":memory:",
    PAGE: "0",
    FUEL_JAVASCRIPT: FUEL,
  });
  const rows: Row[] = [];
  for (const one of cases) {
    const [first = ""] = one.requests;
    const name = /^(?:@[^/]+\/)?[^/@]+/.exec(first)?.[0] ?? "";
    const package_ = locked.get(name);
    const refusal = refusals.get(one.name);
    const measured = refusal === undefined
      ? await measure(service, one, await inNode(root, one))
      : {
        fuel: undefined,
        memoryBytes: 0,
        verdict: `no: ${DIFFERENT.get(one.name) ?? refusal}`,
        isExpected: DIFFERENT.has(one.name),
      };
    const bytes = package_?.files.reduce((sum, { size }) => sum + size, 0) ?? 0;
    rows.push({ name: one.name, version: package_?.version ?? "–", bytes, ...measured });
  }
  for (const line of tableOf(rows)) say(line);
  const wrong = rows.filter(({ isExpected }) => !isExpected);
  for (const { name, verdict } of wrong) say(`Not as expected: ${name}: ${verdict}`);
  const alike = rows.filter(({ verdict }) => verdict === "yes").length;
  say(`${alike} of ${rows.length} give Node's output`);
  return wrong.length === 0 ? 0 : 1;
}

if (import.meta.main) {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "belljar-npm-" }));
  try {
    Deno.exitCode = await main(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
  Deno.exit();
}
