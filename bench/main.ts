/**
 * `deno task bench`: measures the service on this machine, peers included, and prints markdown. The
 * figures of the README come from here, except those of telemetry (`tests/telemetry/cost.ts`).
 *
 * @module
 */
import { getQuickJS } from "quickjs-emscripten";
import type { LanguageListing } from "../client/protocol/types.ts";
import { type BundledLanguage, isBundled } from "../shared/languages.ts";
import { treeMemory } from "../tests/support/process.ts";
import { execute, startService } from "../tests/support/service.ts";
import { Bounds } from "./bounds.ts";
import { coldStartTable, memoryTable } from "./memory.ts";
import { meteringTable } from "./metering.ts";
import { nativeTables } from "./native.ts";
import { overloadTable } from "./overload.ts";
import { pythonBench } from "./python.ts";
import { sandboxesBench } from "./sandboxes.ts";
import { snapshotTables } from "./snapshots.ts";
import { tenantsTable } from "./tenants.ts";
import { ms, quantile, times } from "./stats.ts";
import { TRIVIAL, trivialRuns } from "./trivial_runs.ts";

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n\n`));
}

async function machine(): Promise<string> {
  const info = await Deno.readTextFile("/proc/cpuinfo").catch(() => "");
  const model = /^model name\s*:\s*(.*)$/m.exec(info)?.[1] ?? Deno.build.arch;
  const memory = Math.round(Deno.systemMemoryInfo().total / 2 ** 30);
  return `${navigator.hardwareConcurrency} cores (${model}), ${memory} GiB, Deno ${Deno.version.deno}`;
}

async function enabledLanguages(url: string): Promise<readonly BundledLanguage[]> {
  const response = await fetch(`${url}/languages`);
  const listing: { readonly languages: readonly LanguageListing[] } = await response.json();
  return listing.languages.filter(({ enabled }) => enabled).map(({ id }) => id)
    .filter(isBundled);
}

/** Times of a fresh context, in milliseconds. */
async function quickJsTimes(count: number): Promise<number[]> {
  const module = await getQuickJS();
  return await times(count, () => {
    const context = module.newContext();
    const log = context.newFunction("log", () => undefined);
    const console = context.newObject();
    context.setProp(console, "log", log);
    context.setProp(context.global, "console", console);
    context.unwrapResult(context.evalCode(TRIVIAL.javascript.code)).dispose();
    for (const handle of [log, console]) handle.dispose();
    context.dispose();
  });
}

async function runs(bounds: Bounds): Promise<readonly BundledLanguage[]> {
  await using service = await startService({ ISOLATES: "2" });
  const languages = await enabledLanguages(service.url);
  print("## A trivial run over keep-alive loopback HTTP, two isolates");
  await trivialRuns(service, languages, bounds, print);
  const plain = quantile(await quickJsTimes(500), 0.5);
  print(`A plain quickjs-emscripten call in process, a context for each run: ${ms(plain)} ms`);
  return languages;
}

/** Memory after 20,000 runs. */
async function growth(): Promise<void> {
  await using service = await startService({ ISOLATES: "2", LANGUAGES: "javascript" });
  const run = () => execute(service.url, "javascript", TRIVIAL.javascript.code);
  await Promise.all([run(), run(), run()]);
  await times(500, run);
  const early = await treeMemory(service.pid);
  await times(19_500, run);
  const late = await treeMemory(service.pid);
  print(
    `- JavaScript alone: ${early.toFixed(0)} MiB after 500 runs, ${
      late.toFixed(0)
    } MiB after 20,000: × ${(late / early).toFixed(2)}`,
  );
}

async function main(): Promise<void> {
  print(`# Belljar on ${await machine()}`);
  await using bounds = await Bounds.start();
  const languages = await runs(bounds);
  print("## Cold start, from built engines");
  print(await coldStartTable(languages));
  print("## What metering costs (JavaScript)");
  print(await meteringTable());
  print("## Python: metering, native python3, stock Pyodide");
  print(await pythonBench());
  print("## CPU-bound Perl and Ruby against native interpreters");
  await nativeTables(print);
  print("## Contexts: what a run writes, and what it takes");
  for (const text of await snapshotTables(languages, bounds)) print(text);
  print("## Sandboxes over HTTP, on a file");
  await sandboxesBench(bounds, print);
  print("## One tenant attacks, another makes trivial runs");
  print(await tenantsTable());
  print("## Overload");
  print(await overloadTable());
  print("## Memory of the process tree");
  print(await memoryTable(languages));
  await growth();
}

if (import.meta.main) await main();
