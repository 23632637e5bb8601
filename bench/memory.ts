/**
 * Memory of the process tree, and cold starts: idle, each language alone, and one warm isolate of
 * each language together.
 *
 * @module
 */
import type { BundledLanguage as Language } from "../shared/languages.ts";
import { processTree } from "../tests/support/process.ts";
import { execute, startService } from "../tests/support/service.ts";
import { askBare, startBareServer } from "./bounds.ts";
import { table } from "./stats.ts";
import { TRIVIAL } from "./trivial_runs.ts";

/** Runs of each language before its memory counts as warm. */
const WARM_RUNS = 20;
/** Time without requests before a service counts as idle, in milliseconds. */
const IDLE_MS = 3_000;

interface Footprint {
  readonly processes: number;
  /** Proportional set size, in MiB: shared memory counts once. */
  readonly pss: number;
  /** Resident set sizes added up, in MiB. */
  readonly rss: number;
}

/** Sizes of a process in MiB, proportional and resident; none once it has ended. */
async function sizesOf(pid: number): Promise<{ readonly pss: number; readonly rss: number }> {
  try {
    const text = await Deno.readTextFile(`/proc/${pid}/smaps_rollup`);
    const field = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0) / 1024;
    return { pss: field("Pss"), rss: field("Rss") };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { pss: 0, rss: 0 };
    throw error;
  }
}

async function footprint(pids: readonly number[]): Promise<Footprint> {
  const sizes = await Promise.all(pids.map(sizesOf));
  return {
    processes: pids.length,
    pss: sizes.reduce((sum, { pss }) => sum + pss, 0),
    rss: sizes.reduce((sum, { rss }) => sum + rss, 0),
  };
}

function row(name: string, { processes, pss, rss }: Footprint): (string | number)[] {
  return [name, processes, Math.round(pss), Math.round(rss)];
}

/**
 * A service before its first request: its own process alone, and with the isolates that it starts.
 */
async function idle(): Promise<readonly [alone: Footprint, tree: Footprint]> {
  await using service = await startService({ ISOLATES: "1" });
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const tree = await processTree(service.pid);
  return [await footprint([service.pid]), await footprint(tree)];
}

async function warm(languages: readonly Language[], isolates = 1): Promise<Footprint> {
  const env = { ISOLATES: String(isolates), LANGUAGES: languages.join() };
  await using service = await startService(env);
  for (const language of languages) {
    for (let run = 0; run < WARM_RUNS; run++) {
      const atOnce = Array.from({ length: isolates }, () => TRIVIAL[language].code);
      await Promise.all(atOnce.map((code) => execute(service.url, language, code)));
    }
  }
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS)); // processes give memory back by then
  return await footprint(await processTree(service.pid));
}

/** A server of Deno's own without anything of the product's, from its start to its first answer. */
async function bareStart(): Promise<number> {
  const began = performance.now();
  await using server = await startBareServer();
  await askBare(server.url, "/100", 100);
  return performance.now() - began;
}

/** The same server's memory. */
async function bareMemory(): Promise<Footprint> {
  await using server = await startBareServer();
  for (let run = 0; run < WARM_RUNS; run++) await askBare(server.url, "/100", 100);
  return await footprint([server.pid]);
}

/** A table of the tree's memory: idle, a warm isolate of each language, and all of them. */
export async function memoryTable(languages: readonly Language[]): Promise<string> {
  const [alone, tree] = await idle();
  const rows = [
    row("a bare Deno server: the bound of each process", await bareMemory()),
    row("idle, its own process", alone),
    row("idle, isolates started ahead", tree),
  ];
  for (const language of languages) rows.push(row(`one warm: ${language}`, await warm([language])));
  for (const [name, isolates] of [["one", 1], ["two", 2]] as const) {
    rows.push(
      row(`${name} warm of each: ${languages.join(", ")}`, await warm(languages, isolates)),
    );
  }
  return table(["service", "processes", "PSS, MiB", "RSS, MiB"], rows);
}

/** Starts of each language, in milliseconds: from starting the service, built, to an answer. */
export async function coldStartTable(languages: readonly Language[]): Promise<string> {
  const rows: (string | number)[][] = [];
  for (const language of languages) {
    const began = performance.now();
    await using service = await startService({ LANGUAGES: language });
    const listening = performance.now();
    await execute(service.url, language, TRIVIAL[language].code);
    const answered = performance.now();
    const bound = await bareStart();
    rows.push([
      language,
      Math.round(listening - began),
      Math.round(answered - began),
      Math.round(bound),
      ((answered - began) / bound).toFixed(1),
    ]);
  }
  const head = ["cold start", "listening, ms", "first answer, ms", "bare server, ms", "ratio"];
  return table(head, rows);
}
