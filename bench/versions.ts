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
import type { BundledLanguage } from "../shared/languages.ts";
import { processorMs, processTree, treeMemory } from "../tests/support/process.ts";
import type { Program } from "../tests/support/program.ts";
import { pause } from "../tests/support/wait.ts";
import { LeanClient } from "./lean_client.ts";
import { startVersion, THIS_VERSION } from "./other_version.ts";
import { quantile, table } from "./stats.ts";
import { TRIVIAL } from "./trivial_runs.ts";

const ROUNDS = 4;
/** In each round, the versions take turns so often with each kind of call. */
const TURNS = 3;
const WARM_UP_CALLS = 800;
const CALLS = 150;
const PACED_CALLS = 15;
const PAUSE_MS = 100;
const CONNECTIONS = 8;
const MANY_CALLS = 400;

/** A call that is measured. */
interface Kind {
  readonly name: string;
  /** The path for the nth of several callers. */
  readonly path: (caller: number) => string;
  /** The program; a call without one is a `GET`. */
  readonly code?: string;
}

/** The cost of a call that runs nothing. */
const HEALTH: Kind = { name: "`/healthz`", path: () => "/healthz" };

/** Programs that change one variable of a context. */
const STEPS: { readonly [L in BundledLanguage]?: string } = {
  javascript: "globalThis.n = (globalThis.n ?? 0) + 1",
  python: "n = globals().get('n', 0) + 1\nn",
  perl: "our $n; $n = ($n // 0) + 1; $n",
};

function kindsOf(languages: readonly BundledLanguage[]): readonly Kind[] {
  const calls = languages.flatMap((language) => {
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
  return [HEALTH, ...calls];
}

/** The results of one round for a kind, in ms, and calls per second. */
interface Sample {
  readonly tight: number;
  readonly own: number;
  readonly isolates: number;
  readonly paced: number;
  readonly perSecond: number;
}

/** A version that runs, its callers, and what was measured on it. */
interface Version {
  readonly program: Program;
  readonly callers: readonly LeanClient[];
  readonly samples: Map<string, Sample[]>;
  /** Memory of all its processes at the end of each round, in MiB. */
  readonly sizes: number[];
}

async function callersOf(
  program: Program,
  samples: Map<string, Sample[]>,
  sizes: number[],
): Promise<Version> {
  const open = () => LeanClient.open(program.url);
  const callers = await Promise.all(Array.from({ length: CONNECTIONS }, open));
  return { program, callers, samples, sizes };
}

async function call({ callers }: Version, { path, code }: Kind, caller = 0): Promise<number> {
  const began = performance.now();
  const body = code === undefined ? undefined : JSON.stringify({ code });
  await callers[caller]?.call(path(caller), body);
  return performance.now() - began;
}

async function sampleOf(version: Version, kind: Kind): Promise<Sample> {
  const { program } = version;
  const isolates = (await processTree(program.pid)).slice(1);
  const before = [await processorMs([program.pid]), await processorMs(isolates)] as const;
  const tight: number[] = [];
  for (let n = 0; n < CALLS; n++) tight.push(await call(version, kind));
  const after = [await processorMs([program.pid]), await processorMs(isolates)] as const;
  const paced: number[] = [];
  for (let n = 0; n < PACED_CALLS; n++) {
    await pause(PAUSE_MS);
    paced.push(await call(version, kind));
  }
  let left = MANY_CALLS;
  const began = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, async (_, caller) => {
    while (left-- > 0) await call(version, kind, caller);
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
  const ratios = here.map((sample, turn) => sample[field] / (other[turn]?.[field] || NaN))
    .filter((ratio) => !Number.isNaN(ratio));
  const digits = field === "perSecond" ? 0 : 2;
  const both = [before, now].map((value) => (value ?? NaN).toFixed(digits));
  return [both.join(" → "), ratios.length === 0 ? "–" : median(ratios).toFixed(2)];
}

/** One round of two versions that have just started: a process keeps its luck until it ends. */
async function measure(versions: readonly Version[], kinds: readonly Kind[]): Promise<void> {
  for (const version of versions) {
    for (const kind of kinds) {
      for (let n = 0; n < WARM_UP_CALLS; n++) await call(version, kind, n % CONNECTIONS);
    }
  }
  for (let turn = 0; turn < TURNS; turn++) {
    for (const kind of kinds) {
      for (const version of turn % 2 === 0 ? versions : versions.toReversed()) {
        const { samples } = version;
        samples.set(kind.name, [...samples.get(kind.name) ?? [], await sampleOf(version, kind)]);
      }
    }
  }
}

async function main(): Promise<void> {
  const [other, rounds = ROUNDS, names = "javascript,python"] = Deno.args;
  if (other === undefined) throw new Error("Name the folder of another version's checkout");
  const languages = String(names).split(",") as BundledLanguage[];
  const kinds = kindsOf(languages);
  const projects = [other, THIS_VERSION];
  const all = projects.map(() => new Map<string, Sample[]>());
  const sizes: number[][] = projects.map(() => []);
  for (let round = 0; round < Number(rounds); round++) {
    const folders = await Promise.all(projects.map(() => Deno.makeTempDir()));
    const versions: Version[] = [];
    // the second service to start is faster
    const order = [...projects.keys()];
    try {
      for (const index of round % 2 === 0 ? order : order.toReversed()) {
        const program = await startVersion(projects[index] ?? "", languages, folders[index] ?? "");
        versions.push(await callersOf(program, all[index] ?? new Map(), sizes[index] ?? []));
      }
      await measure(versions, kinds);
      for (const { program, sizes } of versions) sizes.push(await treeMemory(program.pid));
    } finally {
      for (const { callers } of versions) for (const caller of callers) caller[Symbol.dispose]();
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
