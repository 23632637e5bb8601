/**
 * Measures the first programs for data work of a new isolate's engine, without and with `PYTHON_WARM_UP`:
 * processor time of the start, of the first `import pandas`, and of the first figures. Each engine is in
 * a process of its own, because V8 shares compiled functions within a process.
 *
 * Usage: `deno run --allow-all bench/warm_up.ts .belljar/test-wheels [cache folder]`. Prints Markdown.
 * Builds the engine if the cache folder does not have it.
 *
 * @module
 */
import { readBuildInputs } from "../runtimes/builder/build_inputs.ts";
import { BuildCache } from "../runtimes/builder/cache.ts";
import { createPythonEngine } from "../runtimes/languages/python/create.ts";
import { MEMORY_BYTES } from "../shared/limits.ts";
import { runOn, WIDE_LIMITS } from "../tests/support/engine_runs.ts";
import { ownProcessorMs } from "../tests/support/process.ts";
import { table } from "./stats.ts";

const PANDAS = "import pandas";
const FIGURE = "import matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\n" +
  "plt.title('a title')\nplt.show()";
const PROGRAMS = [PANDAS, FIGURE, FIGURE, FIGURE];
const HEAD = ["`PYTHON_WARM_UP`", "start", "`import pandas`", "figure", "second", "third"];
/** The stack of an isolate. */
const FLAGS = "--v8-flags=--stack-size=4000,--expose-gc";
const [folder = "", cacheFolder = ".belljar/cache", mode] = Deno.args;

/** Processor milliseconds of some work. */
async function processorTime(work: () => unknown): Promise<string> {
  const before = ownProcessorMs();
  await work();
  return (ownProcessorMs() - before).toFixed(0);
}

async function openCache(): Promise<BuildCache> {
  return await BuildCache.open(cacheFolder, await readBuildInputs({ pythonWheels: folder }));
}

/** A row of the table, measured in this process. */
async function measure(warmPreloads: boolean): Promise<readonly string[]> {
  const built = await (await openCache()).read("python");
  const start = () =>
    createPythonEngine({ ...built, memoryBytes: MEMORY_BYTES.python, warmPreloads });
  const starting = Promise.withResolvers<Awaited<ReturnType<typeof start>>>();
  const row = [await processorTime(async () => starting.resolve(await start()))];
  const engine = await starting.promise;
  for (const code of PROGRAMS) {
    row.push(
      await processorTime(() => {
        engine.reset(true);
        const { ending } = runOn(engine, { code, preloaded: true, limits: WIDE_LIMITS });
        if (ending.kind !== "none") throw new Error(`${code} ended with ${JSON.stringify(ending)}`);
      }),
    );
  }
  return [warmPreloads ? "`1`" : "`0`", ...row];
}

/** The same in a new process. */
async function measured(mode: "0" | "1"): Promise<readonly string[]> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--allow-all",
      FLAGS,
      import.meta.filename ?? "",
      folder,
      cacheFolder,
      mode,
    ],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error("A measurement failed");
  return JSON.parse(new TextDecoder().decode(stdout));
}

if (import.meta.main) {
  const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text));
  if (mode === undefined) {
    await (await openCache()).build(["python"], () => undefined);
    print(`${table(HEAD, [await measured("0"), await measured("1")])}\n`);
  } else print(JSON.stringify(await measure(mode === "1")));
}
