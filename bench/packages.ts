/**
 * Measures what npm packages of the operator cost: size of the built engine, processor time of the
 * start of a service with one isolate, memory at rest, a trivial run, and the import of one package.
 * Without packages, with those of a folder, and with some of these in the image.
 *
 * Usage: `deno run --allow-all bench/packages.ts FOLDER PACKAGE [packages to preload]`, such as
 * `.belljar/packages lodash lodash,zod`. Prints Markdown. Needs a quiet machine.
 *
 * @module
 */
import { processorMs, processTree, treeMemory } from "../tests/support/process.ts";
import { execute, startService } from "../tests/support/service.ts";
import { ms, quantiles, table, times } from "./stats.ts";

const RUNS = 200;
const IMPORTS = 20;
const MIB = 1024 * 1024;
const MEGAFUEL = 1e6;
/** Time after which processes have given memory back, in milliseconds. */
const REST_MS = 3_000;

async function engineBytes(cache: string): Promise<number> {
  const sizes: number[] = [];
  for await (const { name } of Deno.readDir(cache)) {
    if (name.endsWith(".engine")) sizes.push((await Deno.stat(`${cache}/${name}`)).size);
  }
  return Math.max(...sizes);
}

/** The median time and the fuel of a program. */
async function costOf(url: string, count: number, code: string): Promise<readonly string[]> {
  let fuel = 0;
  const sample = await times(count, async () => {
    const { result: { error, usage } } = await execute(url, "javascript", code);
    if (error !== undefined) throw new Error(`${code} ended with ${error.message}`);
    fuel = usage?.fuelConsumed ?? 0;
  });
  return [ms(quantiles(sample).p50), (fuel / MEGAFUEL).toFixed(2)];
}

/** One row. The first start builds the engine; the second is measured. */
async function row(
  name: string,
  packages: Record<string, string>,
  imported: string | undefined,
): Promise<readonly string[]> {
  const cache = await Deno.makeTempDir();
  const settings = { LANGUAGES: "javascript", ISOLATES: "1", CACHE_DIR: cache, ...packages };
  try {
    await (await startService(settings))[Symbol.asyncDispose]();
    await using service = await startService(settings);
    const start = await processorMs(await processTree(service.pid));
    const trivial = await costOf(service.url, RUNS, "1+1");
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const memory = await treeMemory(service.pid);
    return [
      name,
      (await engineBytes(cache) / MIB).toFixed(1),
      start.toFixed(0),
      memory.toFixed(0),
      ...trivial,
      ...(imported === undefined
        ? ["", ""]
        : await costOf(service.url, IMPORTS, `import "${imported}"`)),
    ];
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
}

if (import.meta.main) {
  const [folder = "", imported = "", preload = ""] = Deno.args;
  const settings = { JAVASCRIPT_PACKAGES: folder };
  const rows = [await row("none", {}, undefined), await row("the folder's", settings, imported)];
  if (preload !== "") {
    const loaded = { ...settings, JAVASCRIPT_PRELOAD: preload };
    rows.push(await row(`with ${preload} in the image`, loaded, imported));
  }
  const head = ["packages", "engine MiB", "start, processor ms", "memory MiB", "1+1, p50 ms"];
  head.push("1+1, M fuel", `import ${imported}, p50 ms`, "M fuel");
  Deno.stdout.writeSync(new TextEncoder().encode(`${table(head, rows)}\n`));
}
