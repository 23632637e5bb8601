/**
 * `deno task bench`: measures the service on this machine, peers included, and prints
 * markdown. Every figure in the README comes from here.
 *
 * @module
 */
import { execute, startService, treeMemory } from "../tests/support/service.ts";
import type { Language, LanguageListing } from "../wire/types.ts";
import { meteringTable } from "./metering.ts";
import { quickJsTimes } from "./peers.ts";
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

async function enabledLanguages(url: string): Promise<readonly Language[]> {
  const response = await fetch(`${url}/languages`);
  const listing: { readonly languages: readonly LanguageListing[] } = await response.json();
  return listing.languages.filter(({ enabled }) => enabled).map(({ id }) => id);
}

async function runs(): Promise<readonly Language[]> {
  await using service = await startService({ ISOLATES: "2" });
  const languages = await enabledLanguages(service.url);
  print("## A trivial run over keep-alive loopback HTTP, two isolates");
  await trivialRuns(service, languages, print);
  const plain = quantile(await quickJsTimes(500), 0.5);
  print(`A plain quickjs-emscripten call in process, a context for each run: ${ms(plain)} ms`);
  return languages;
}

/** From starting the service, built, to the first answer of a language. */
async function coldStarts(languages: readonly Language[]): Promise<void> {
  for (const language of languages) {
    const start = performance.now();
    await using service = await startService({ LANGUAGES: language });
    await execute(service.url, language, TRIVIAL[language].code);
    const elapsed = performance.now() - start;
    print(`- ${language}: first answer ${Math.round(elapsed)} ms after a cold start`);
  }
}

async function memory(languages: readonly Language[]): Promise<void> {
  {
    await using service = await startService({ ISOLATES: "1" });
    for (const language of languages) {
      await execute(service.url, language, TRIVIAL[language].code);
    }
    const size = await treeMemory(service.pid);
    print(`- ${size.toFixed(0)} MiB with one warm isolate of each of ${languages.join(", ")}`);
  }
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
  const languages = await runs();
  print("## Cold start, from built engines");
  await coldStarts(languages);
  print("## What metering costs (JavaScript)");
  print(await meteringTable());
  print("## Memory of the process tree");
  await memory(languages);
}

if (import.meta.main) await main();
