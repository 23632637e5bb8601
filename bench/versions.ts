/**
 * This checkout beside another one, both started anew for each round: trivial runs and context
 * steps, one after the other, at a slow pace and over eight connections, with the processor time of
 * the service's own process and of its isolates, and the memory of all.
 *
 * `deno run --allow-all bench/versions.ts FOLDER [rounds] [languages]`; FOLDER is a checkout of
 * another version, in which `deno task build` has run.
 *
 * @module
 */
import type { Language } from "../client/protocol/types.ts";
import { processorMs, processTree, treeMemory } from "../tests/support/process.ts";
import { type Program, startProgram } from "../tests/support/program.ts";
import { pause } from "../tests/support/wait.ts";
import { quantile, table } from "./stats.ts";
import { TRIVIAL } from "./trivial_runs.ts";

const ROUNDS = 3;
/** In each round, the versions take turns so often with each kind of call. */
const TURNS = 3;
const WARM_UP_CALLS = 800;
const CALLS = 150;
const PACED_CALLS = 15;
const PAUSE_MS = 100;
const CONNECTIONS = 8;
const MANY_CALLS = 400;
const HERE = new URL("../", import.meta.url).pathname;

/** A call that is measured. */
interface Kind {
  readonly name: string;
  /** The path for the nth of several callers. */
  readonly path: (caller: number) => string;
  readonly code: string;
}

/** Programs that change one variable of a context. */
const STEPS: { readonly [L in Language]?: string } = {
  javascript: "globalThis.n = (globalThis.n ?? 0) + 1",
  python: "n = globals().get('n', 0) + 1\nn",
  perl: "our $n; $n = ($n // 0) + 1; $n",
};

function kindsOf(languages: readonly Language[]): readonly Kind[] {
  return languages.flatMap((language) => {
    const run: Kind = {
      name: `run, ${language}`,
      path: () => `/execute/${language}`,
      code: TRIVIAL[language].code,
    };
    const code = STEPS[language];
    if (code === undefined) return [run];
    const path = (caller: number) => `/languages/${language}/sandboxes/step-${caller}/execute`;
    return [run, { name: `context step, ${language}`, path, code }];
  });
}

/** What one round found for a kind, in ms, and calls per second. */
interface Sample {
  readonly tight: number;
  readonly own: number;
  readonly isolates: number;
  readonly paced: number;
  readonly perSecond: number;
}

/** A version that runs, and what was measured on it. */
interface Version {
  readonly program: Program;
  readonly samples: Map<string, Sample[]>;
}

async function call({ url }: Program, { path, code }: Kind, caller = 0): Promise<number> {
  const began = performance.now();
  const answer = await fetch(`${url}${path(caller)}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${path(caller)}: ${answer.status}`);
  return performance.now() - began;
}

/** Flags of Deno in a checkout's own way to start. */
async function flagsOf(project: string): Promise<readonly string[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${project}/deno.json`));
  const command: string = tasks.start.command ?? tasks.start;
  return command.split(" ").filter((word) => word.startsWith("--"));
}

async function start(
  project: string,
  languages: readonly Language[],
  folder: string,
): Promise<Program> {
  return await startProgram({
    project,
    flags: await flagsOf(project),
    env: {
      LANGUAGES: languages.join(),
      ISOLATES: "2",
      KV_PATH: `${folder}/data.sqlite3`,
      CACHE_DIR: `${project}/.belljar/cache`,
    },
  });
}

async function sampleOf(program: Program, kind: Kind): Promise<Sample> {
  const isolates = (await processTree(program.pid)).slice(1);
  const before = [await processorMs([program.pid]), await processorMs(isolates)] as const;
  const tight: number[] = [];
  for (let n = 0; n < CALLS; n++) tight.push(await call(program, kind));
  const after = [await processorMs([program.pid]), await processorMs(isolates)] as const;
  const paced: number[] = [];
  for (let n = 0; n < PACED_CALLS; n++) {
    await pause(PAUSE_MS);
    paced.push(await call(program, kind));
  }
  let left = MANY_CALLS;
  const began = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, async (_, caller) => {
    while (left-- > 0) await call(program, kind, caller);
  }));
  const perSecond = MANY_CALLS / (performance.now() - began) * 1000;
  return {
    tight: quantile(tight, 0.5),
    own: (after[0] - before[0]) / CALLS,
    isolates: (after[1] - before[1]) / CALLS,
    paced: quantile(paced, 0.5),
    perSecond,
  };
}

/** The medians of a field with the other version first, and the median of the turns' ratios. */
function cells(
  [other = [], here = []]: readonly Sample[][],
  field: keyof Sample,
): readonly string[] {
  const median = (values: readonly number[]) => quantile(values, 0.5);
  const [before, now] = [other, here].map((samples) => median(samples.map((one) => one[field])));
  const ratios = here.map((sample, turn) => sample[field] / (other[turn]?.[field] ?? NaN));
  const digits = field === "perSecond" ? 0 : 2;
  const both = [before, now].map((value) => (value ?? NaN).toFixed(digits));
  return [both.join(" → "), median(ratios).toFixed(2)];
}

/** One round of two versions that have just started: a process keeps its luck until it ends. */
async function measure(versions: readonly Version[], kinds: readonly Kind[]): Promise<void> {
  for (const { program } of versions) {
    for (const kind of kinds) {
      for (let n = 0; n < WARM_UP_CALLS; n++) await call(program, kind, n % CONNECTIONS);
    }
  }
  for (let turn = 0; turn < TURNS; turn++) {
    for (const kind of kinds) {
      for (const { program, samples } of turn % 2 === 0 ? versions : versions.toReversed()) {
        samples.set(kind.name, [...samples.get(kind.name) ?? [], await sampleOf(program, kind)]);
      }
    }
  }
}

async function main(): Promise<void> {
  const [other, rounds = ROUNDS, names = "javascript,python"] = Deno.args;
  if (other === undefined) throw new Error("Name the folder of another version's checkout");
  const languages = String(names).split(",") as Language[];
  const kinds = kindsOf(languages);
  const projects = [other, HERE];
  const all = projects.map(() => new Map<string, Sample[]>());
  const sizes: number[][] = projects.map(() => []);
  for (let round = 0; round < Number(rounds); round++) {
    const folders = await Promise.all(projects.map(() => Deno.makeTempDir()));
    const versions: Version[] = [];
    try {
      for (const [index, project] of projects.entries()) {
        const program = await start(project, languages, folders[index] ?? "");
        versions.push({ program, samples: all[index] ?? new Map() });
      }
      await measure(versions, kinds);
      for (const [index, { program }] of versions.entries()) {
        sizes[index]?.push(await treeMemory(program.pid));
      }
    } finally {
      await Promise.all(versions.map(({ program }) => program.end("SIGTERM")));
      for (const folder of folders) await Deno.remove(folder, { recursive: true });
    }
  }
  const columns = [
    ["one after the other, ms", "tight"],
    ["processor time of the service, ms", "own"],
    ["of its isolates, ms", "isolates"],
    [`a call each ${PAUSE_MS} ms, ms`, "paced"],
    [`${CONNECTIONS} connections, calls/s`, "perSecond"],
  ] as const;
  const rows = kinds.map(({ name }) => {
    const both = all.map((samples) => samples.get(name) ?? []);
    return [name, ...columns.flatMap(([, field]) => cells(both, field))];
  });
  const head = ["medians", ...columns.flatMap(([title]) => [title, "×"])];
  const memory = sizes.map((each) => quantile(each, 0.5));
  const text = `Load ${Deno.loadavg()[0]?.toFixed(1)}, Deno ${Deno.version.deno}, ` +
    `memory of all processes ${memory.map((size) => `${size.toFixed(0)} MiB`).join(" → ")}\n\n` +
    `${table(head, rows)}\n`;
  await Deno.stdout.write(new TextEncoder().encode(text));
}

await main();
