/**
 * Measures the time of a run's fuel: an endless loop in each language, at the service's own limits,
 * in a separate isolate. Usage: `deno run --allow-all bench/endless_loops.ts [share]`. Prints
 * Markdown. With a share such as 0.1 the loop gets that part of the default fuel.
 *
 * @module
 */
import type { ExecutionResult, Language } from "../client/protocol/types.ts";
import { processorMs, processTree } from "../tests/support/process.ts";
import { SERVICE_LIMITS } from "../tests/support/run_limits.ts";
import { startService } from "../tests/support/service.ts";
import { type ByLanguage, LANGUAGES } from "../wire/languages.ts";
import { FUEL } from "../wire/limits.ts";
import { table } from "./stats.ts";

/** An endless loop in each language. */
export const ENDLESS_LOOPS: ByLanguage<string> = {
  javascript: "for (;;);",
  python: "while True: pass",
  perl: "1 while 1;",
  ruby: "loop {}",
};
/** Longer than any loop takes, even on a busy machine. */
const WALL_MS = "300000";

async function loop(url: string, language: Language, fuel: number): Promise<ExecutionResult> {
  const answer = await fetch(`${url}/execute/${language}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: ENDLESS_LOOPS[language], limits: { fuel } }),
  });
  return await answer.json();
}

/** One row. The processor time is that of the isolate and of the service's own process. */
async function row(language: Language, share: number): Promise<(string | number)[]> {
  await using service = await startService({
    ...SERVICE_LIMITS,
    WALL_MS,
    LANGUAGES: language,
    ISOLATES: "1",
  });
  await loop(service.url, language, 1_000_000); // warm
  const before = await processorMs(await processTree(service.pid));
  const began = performance.now();
  const { error } = await loop(service.url, language, Math.round(FUEL[language] * share));
  const seconds = (performance.now() - began) / 1_000;
  const processor = (await processorMs(await processTree(service.pid)) - before) / 1_000;
  const ended = error?.message ?? "a value";
  return [language, FUEL[language], processor.toFixed(2), seconds.toFixed(2), ended];
}

if (import.meta.main) {
  const share = Number(Deno.args[0] ?? 1);
  const rows: (string | number)[][] = [];
  for (const language of LANGUAGES) rows.push(await row(language, share));
  const head = ["language", "fuel", "processor s", "wall s", "ended by"];
  Deno.stdout.writeSync(new TextEncoder().encode(`${table(head, rows)}\n`));
}
