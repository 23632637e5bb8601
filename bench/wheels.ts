/**
 * Measures what wheels cost: size of the built engine, processor time of the start of a service with
 * one isolate, memory, and processor time of `1+1`, with no wheel, one, and all of a folder.
 *
 * Usage: `deno run --allow-all bench/wheels.ts FOLDER [modules to preload]`. Prints markdown.
 *
 * @module
 */
import { processorMs, processTree, treeMemory } from "../tests/support/process.ts";
import { execute, startService } from "../tests/support/service.ts";
import { table } from "./stats.ts";

const RUNS = 200;
const MIB = 1024 * 1024;

/** A temporary folder with links to some wheels. */
async function folderOf(wheels: readonly string[], folder: string): Promise<string> {
  const made = await Deno.makeTempDir();
  for (const wheel of wheels) await Deno.symlink(`${folder}/${wheel}`, `${made}/${wheel}`);
  return made;
}

async function engineBytes(cache: string): Promise<number> {
  const sizes: number[] = [];
  for await (const { name } of Deno.readDir(cache)) {
    if (name.endsWith(".engine")) sizes.push((await Deno.stat(`${cache}/${name}`)).size);
  }
  return Math.max(...sizes);
}

/** One row. The first start builds the engine; the second is measured. */
async function row(wheels: readonly string[], folder: string, preload: string): Promise<string[]> {
  const made = await folderOf(wheels, folder);
  const cache = await Deno.makeTempDir();
  const settings = {
    LANGUAGES: "python",
    ISOLATES: "1",
    CACHE_DIR: cache,
    PYTHON_WHEELS: made,
    PYTHON_PRELOAD: preload,
  };
  try {
    await (await startService(settings))[Symbol.asyncDispose]();
    await using service = await startService(settings);
    const pids = await processTree(service.pid);
    const start = await processorMs(pids);
    for (let run = 0; run < RUNS; run++) await execute(service.url, "python", "1+1");
    const spent = await processorMs(pids) - start;
    const memory = await treeMemory(service.pid);
    return [
      `${wheels.length}${preload === "" ? "" : `, with ${preload}`}`,
      (await engineBytes(cache) / MIB).toFixed(1),
      start.toFixed(0),
      memory.toFixed(0),
      (spent / RUNS).toFixed(2),
    ];
  } finally {
    await Deno.remove(made, { recursive: true });
    await Deno.remove(cache, { recursive: true });
  }
}

if (import.meta.main) {
  const [folder = "", preload = ""] = Deno.args;
  const wheels = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.endsWith(".whl")).sort();
  const sets: (readonly [readonly string[], string])[] = [
    [[], ""],
    [wheels.slice(0, 1), ""],
    [wheels, ""],
  ];
  if (preload !== "") sets.push([wheels, preload]);
  const rows: string[][] = [];
  for (const [set, names] of sets) rows.push(await row(set, folder, names));
  const head = ["wheels", "engine MiB", "start, processor ms", "memory MiB", "1+1, processor ms"];
  Deno.stdout.writeSync(new TextEncoder().encode(`${table(head, rows)}\n`));
}
