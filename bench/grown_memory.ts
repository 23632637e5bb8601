/**
 * Programs that need more memory than the baseline has, one run after the other, with the processor
 * time of the isolates; in turns with another version.
 *
 * `deno run --allow-all bench/grown_memory.ts FOLDER [runs]`; FOLDER is a checkout of another version,
 * in which `deno task build` has run.
 *
 * @module
 */
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
} from "../shared/languages.ts";
import { processorMs, processTree } from "../tests/support/process.ts";
import type { Program } from "../tests/support/program.ts";
import { LeanClient } from "./lean_client.ts";
import { startVersion, THIS_VERSION } from "./other_version.ts";
import { quantile, table } from "./stats.ts";

const RUNS = 40;
const WARM_UP_RUNS = 20;
const TURNS = 3;

const PROGRAMS: readonly (readonly [language: Language, code: string])[] = [
  ["javascript", "1 + 1"],
  ["javascript", "new Uint8Array(10e6).fill(1).length"],
  ["javascript", "new Uint8Array(30e6).fill(1).length"],
  ["python", "1 + 1"],
  ["python", "len(bytearray(12_000_000))"],
  ["python", "len(bytearray(40_000_000))"],
  ["perl", "1 + 1"],
  ["perl", "length('x' x 12_000_000)"],
  ["ruby", "1 + 1"],
  ["ruby", "('x' * 30_000_000).size"],
];

/** Medians of one program in one version. */
interface Sample {
  readonly p50: number;
  readonly isolates: number;
}

async function sample(
  program: Program,
  client: LeanClient,
  [language, code]: (typeof PROGRAMS)[number],
  runs: number,
): Promise<Sample> {
  const body = JSON.stringify({ code });
  for (let n = 0; n < WARM_UP_RUNS; n++) await client.call(`/execute/${language}`, body);
  const isolates = (await processTree(program.pid)).slice(1);
  const before = await processorMs(isolates);
  const times: number[] = [];
  for (let n = 0; n < runs; n++) {
    const began = performance.now();
    await client.call(`/execute/${language}`, body);
    times.push(performance.now() - began);
  }
  return { p50: quantile(times, 0.5), isolates: (await processorMs(isolates) - before) / runs };
}

async function main(): Promise<void> {
  const [other, runs = RUNS] = Deno.args;
  if (other === undefined) throw new Error("Name the folder of another version's checkout");
  const folders = await Promise.all([other, THIS_VERSION].map(() => Deno.makeTempDir()));
  const started: { program: Program; client: LeanClient }[] = [];
  const found = PROGRAMS.map(() => [[], []] as [Sample[], Sample[]]);
  try {
    for (const [index, project] of [other, THIS_VERSION].entries()) {
      const program = await startVersion(project, LANGUAGES, folders[index] ?? "");
      started.push({ program, client: await LeanClient.open(program.url) });
    }
    for (let turn = 0; turn < TURNS; turn++) {
      for (const [number, each] of PROGRAMS.entries()) {
        for (const [index, { program, client }] of started.entries()) {
          found[number]?.[index === 0 ? 0 : 1].push(
            await sample(program, client, each, Number(runs)),
          );
        }
      }
    }
  } finally {
    for (const { client } of started) client[Symbol.dispose]();
    await Promise.all(started.map(({ program }) => program.end("SIGTERM")));
    for (const folder of folders) await Deno.remove(folder, { recursive: true });
  }
  const cell = (samples: readonly Sample[], field: keyof Sample) =>
    quantile(samples.map((one) => one[field]), 0.5).toFixed(1);
  const rows = PROGRAMS.map(([language, code], number) => {
    const [before, now] = found[number] ?? [[], []];
    const fields = ["p50", "isolates"] as const;
    return [
      `${language}: \`${code}\``,
      ...fields.map((field) => `${cell(before, field)} → ${cell(now, field)}`),
    ];
  });
  const head = ["medians", "a run, ms", "processor time of the isolates, ms"];
  await Deno.stdout.write(new TextEncoder().encode(`${table(head, rows)}\n`));
}

await main();
