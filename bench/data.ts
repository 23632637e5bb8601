/**
 * Measures programs for data work beside others, in a service with one isolate of Python: without
 * wheels and with all wheels of a folder. Size of the built engine, processor time of the start, memory
 * at rest, a trivial program, and programs that import pandas or draw a figure: the first one of a
 * service, the median of later ones, and the median where each follows a trivial program.
 *
 * Usage: `deno run --allow-all bench/data.ts .belljar/test-wheels`. Prints Markdown. Needs a quiet
 * machine.
 *
 * @module
 */
import { processorMs, processTree, treeMemory } from "../tests/support/process.ts";
import { execute, type Service, startService } from "../tests/support/service.ts";
import { ms, quantiles, table, times } from "./stats.ts";

const TRIVIAL = "1+1";
const PROGRAMS: readonly (readonly [name: string, code: string])[] = [
  ["`import pandas`", "import pandas"],
  [
    "a `groupby`",
    "import pandas as pd\npd.DataFrame({'a': [1, 1, 2], 'b': [3, 4, 5]}).groupby('a').b.sum().to_dict()",
  ],
  [
    "a figure",
    "import matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.title('a title')\nplt.show()",
  ],
];
const TRIVIAL_RUNS = 200;
const RUNS = 20;
const MIB = 1024 * 1024;
/** Time after which processes have given memory back, in milliseconds. */
const REST_MS = 3_000;

async function engineBytes(cache: string): Promise<number> {
  const sizes: number[] = [];
  for await (const { name } of Deno.readDir(cache)) {
    if (name.endsWith(".engine")) sizes.push((await Deno.stat(`${cache}/${name}`)).size);
  }
  return Math.max(...sizes);
}

async function run(url: string, code: string): Promise<void> {
  const { result: { error } } = await execute(url, "python", code);
  if (error !== undefined) throw new Error(`${code} ended with ${error.message}`);
}

/** The median time of the last of some programs, and the processor time of the service for all of them. */
async function measured(
  { url, pid }: Service,
  count: number,
  codes: readonly string[],
): Promise<readonly [p50: string, processor: string]> {
  const pids = await processTree(pid);
  const before = await processorMs(pids);
  const sample: number[] = [];
  for (let index = 0; index < count; index++) {
    for (const [place, code] of codes.entries()) {
      const [taken = 0] = await times(1, () => run(url, code));
      if (place === codes.length - 1) sample.push(taken);
    }
  }
  return [ms(quantiles(sample).p50), ((await processorMs(pids) - before) / count).toFixed(1)];
}

interface Measured {
  readonly engine: readonly string[];
  readonly programs: readonly (readonly string[])[];
}

/** Measures one service. The first start builds the engine; the others are measured. */
async function measure(wheels: string): Promise<Measured> {
  const cache = await Deno.makeTempDir();
  const settings = {
    LANGUAGES: "python",
    ISOLATES: "1",
    CACHE_DIR: cache,
    ...(wheels === "" ? {} : { PYTHON_WHEELS: wheels }),
  };
  try {
    await (await startService(settings))[Symbol.asyncDispose]();
    const programs: string[][] = [];
    for (const [name, code] of wheels === "" ? [] : PROGRAMS) {
      await using service = await startService(settings);
      await run(service.url, TRIVIAL); // the isolate has started
      const first = await measured(service, 1, [code]);
      const later = await measured(service, RUNS, [code]);
      const alternating = await measured(service, RUNS, [TRIVIAL, code]);
      programs.push([name, ...first, ...later, ...alternating]);
    }
    await using service = await startService(settings);
    await run(service.url, TRIVIAL);
    const start = await processorMs(await processTree(service.pid));
    const trivial = await measured(service, TRIVIAL_RUNS, [TRIVIAL]);
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const engine = [
      wheels === "" ? "none" : "all",
      (await engineBytes(cache) / MIB).toFixed(1),
      start.toFixed(0),
      (await treeMemory(service.pid)).toFixed(0),
      ...trivial,
    ];
    return { engine, programs };
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
}

if (import.meta.main) {
  const [folder = ""] = Deno.args;
  const without = await measure("");
  const all = await measure(await Deno.realPath(folder));
  const engines = table(
    [
      "wheels",
      "engine, MiB",
      "start, processor ms",
      "memory, MiB",
      "`1+1`, p50 ms",
      "processor ms",
    ],
    [without.engine, all.engine],
  );
  const head = ["first, ms", "later, p50 ms", "after `1+1`, p50 ms"];
  const programs = table(
    ["program", ...head.flatMap((name) => [name, "processor ms"])],
    all.programs,
  );
  Deno.stdout.writeSync(new TextEncoder().encode(`${engines}\n\n${programs}\n`));
}
