/**
 * Measures the cost of wheels with native code: size of the built engine, processor time of the start
 * of a service with one isolate, memory at rest, `1+1`, and the import of the first wheel's module.
 * The sets are no wheel, one, five with the pure wheels of the folder, and these with modules in the
 * image.
 *
 * Usage: `deno run --allow-all bench/wheels.ts FOLDER [modules to preload]`, such as
 * `.belljar/test-wheels numpy,pydantic_core`. Prints Markdown. Needs a quiet machine.
 *
 * @module
 */
import { processorMs, processTree, treeMemory } from "../tests/support/process.ts";
import { execute, startService } from "../tests/support/service.ts";
import { ms, quantiles, table, times } from "./stats.ts";

const RUNS = 200;
const IMPORTS = 20;
const MOST_WHEELS = 5;
const MIB = 1024 * 1024;
const NATIVE = /_wasm32\.whl$/;
/** Time after which processes have given memory back, in milliseconds. */
const REST_MS = 3_000;

/** A temporary folder with links to some wheels. */
async function folderOf(wheels: readonly string[], folder: string): Promise<string> {
  const made = await Deno.makeTempDir();
  const from = await Deno.realPath(folder);
  for (const wheel of wheels) await Deno.symlink(`${from}/${wheel}`, `${made}/${wheel}`);
  return made;
}

async function engineBytes(cache: string): Promise<number> {
  const sizes: number[] = [];
  for await (const { name } of Deno.readDir(cache)) {
    if (name.endsWith(".engine")) sizes.push((await Deno.stat(`${cache}/${name}`)).size);
  }
  return Math.max(...sizes);
}

/** A set of wheels to measure. */
interface Measured {
  readonly name: string;
  readonly wheels: readonly string[];
  readonly preload: string;
  /** Module whose import is measured; none: no wheel has one. */
  readonly imported: string | undefined;
}

async function medianRun(url: string, count: number, code: string): Promise<string> {
  const sample = await times(count, async () => {
    const { result: { error } } = await execute(url, "python", code);
    if (error !== undefined) throw new Error(`${code} ended with ${error.message}`);
  });
  return ms(quantiles(sample).p50);
}

/** One row. The first start builds the engine; the second is measured. */
async function row({ name, wheels, preload, imported }: Measured, folder: string) {
  const made = await folderOf(wheels, folder);
  const cache = await Deno.makeTempDir();
  const settings = {
    LANGUAGES: "python",
    ISOLATES: "1",
    CACHE_DIR: cache,
    ...(wheels.length === 0 ? {} : { PYTHON_WHEELS: made, PYTHON_PRELOAD: preload }),
  };
  try {
    await (await startService(settings))[Symbol.asyncDispose]();
    await using service = await startService(settings);
    const pids = await processTree(service.pid);
    const start = await processorMs(pids);
    const median = await medianRun(service.url, RUNS, "1+1");
    const spent = await processorMs(pids) - start;
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const memory = await treeMemory(service.pid);
    return [
      name,
      (await engineBytes(cache) / MIB).toFixed(1),
      start.toFixed(0),
      memory.toFixed(0),
      median,
      (spent / RUNS).toFixed(2),
      imported === undefined ? "" : await medianRun(service.url, IMPORTS, `import ${imported}`),
    ];
  } finally {
    await Deno.remove(made, { recursive: true });
    await Deno.remove(cache, { recursive: true });
  }
}

/** The wheels of a folder: five native ones, numpy first as the largest, and all pure ones. */
function wheelsIn(folder: string): { readonly native: string[]; readonly pure: string[] } {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.endsWith(".whl")).sort();
  const native = names.filter((name) => NATIVE.test(name))
    .sort((a, b) => Number(isNumpy(b)) - Number(isNumpy(a))).slice(0, MOST_WHEELS);
  return { native, pure: names.filter((name) => !NATIVE.test(name)) };
}

function isNumpy(name: string): boolean {
  return name.startsWith("numpy-");
}

if (import.meta.main) {
  const [folder = "", preload = ""] = Deno.args;
  const { native, pure } = wheelsIn(folder);
  const [first = ""] = native;
  const wheels = [...native, ...pure];
  const imported = first.slice(0, first.indexOf("-"));
  const sets: Measured[] = [
    { name: "0", wheels: [], preload: "", imported: undefined },
    { name: "1", wheels: [first], preload: "", imported },
    { name: `${native.length}`, wheels, preload: "", imported },
  ];
  if (preload !== "") {
    sets.push({
      name: `${native.length}, with ${preload} in the image`,
      wheels,
      preload,
      imported,
    });
  }
  const rows: string[][] = [];
  for (const set of sets) rows.push(await row(set, folder));
  const head = ["wheels", "engine MiB", "start, processor ms", "memory MiB", "1+1, p50 ms"];
  head.push("1+1, processor ms", "import, p50 ms");
  Deno.stdout.writeSync(new TextEncoder().encode(`${table(head, rows)}\n`));
}
