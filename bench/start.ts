/**
 * Starts of a built service with all languages: from spawning it to listening, and to the first
 * answer of one language, whose request is there as soon as the service listens.
 *
 * `deno run --allow-all bench/start.ts [rounds]`
 *
 * @module
 */
import { BUNDLED_LANGUAGES as LANGUAGES } from "../shared/languages.ts";
import { execute, startService } from "../tests/support/service.ts";
import { processTree } from "../tests/support/process.ts";
import { quantile, table } from "./stats.ts";
import { TRIVIAL } from "./trivial_runs.ts";

const ROUNDS = 5;

/** The median of each column, by language; rounds go through the languages in turn. */
async function startTable(rounds: number): Promise<string> {
  const rows = LANGUAGES.map((language) => ({
    language,
    listening: [] as number[],
    answered: [] as number[],
    isolates: [] as number[],
  }));
  for (let round = 0; round < rounds; round++) {
    for (const { language, listening, answered, isolates } of rows) {
      const began = performance.now();
      await using service = await startService();
      listening.push(performance.now() - began);
      await execute(service.url, language, TRIVIAL[language].code);
      answered.push(performance.now() - began);
      isolates.push((await processTree(service.pid)).length - 1);
    }
  }
  const median = (sample: readonly number[]) => Math.round(quantile(sample, 0.5));
  return table(
    ["first request", "listening, ms", "first answer, ms", "isolates then"],
    rows.map(({ language, listening, answered, isolates }) => [
      language,
      median(listening),
      median(answered),
      median(isolates),
    ]),
  );
}

if (import.meta.main) {
  const load = Deno.loadavg().map((value) => value.toFixed(1)).join(" ");
  const text = await startTable(Number(Deno.args[0] ?? ROUNDS));
  Deno.stdout.writeSync(
    new TextEncoder().encode(`Load ${load}, Deno ${Deno.version.deno}\n\n${text}\n`),
  );
}
