/**
 * Overload: many callers at once, their answers, the memory used, and the speed of the service
 * afterwards.
 *
 * @module
 */
import { processTree, treeMemory } from "../tests/support/process.ts";
import { startService } from "../tests/support/service.ts";
import { calmRuns, storm } from "../tests/support/storm.ts";
import { ms, quantile, table } from "./stats.ts";

const CONNECTIONS = [400, 2_000];
const CALM_RUNS = 50;

/** One row: a separate service, a storm, and calm runs before and after. */
async function row(connections: number): Promise<(string | number)[]> {
  await using service = await startService({ LANGUAGES: "javascript", KV_PATH: ":memory:" });
  const calm = quantile(await calmRuns(service.url, CALM_RUNS), 0.5);
  const before = await treeMemory(service.pid);
  let most = before;
  const poll = setInterval(async () => {
    most = Math.max(most, await treeMemory(service.pid));
  }, 100);
  const { right, refused, wrong, ms: took } = await storm(service.url, connections);
  clearInterval(poll);
  const began = performance.now();
  const after = quantile(await calmRuns(service.url, CALM_RUNS), 0.5);
  const recovered = performance.now() - began;
  const processes = (await processTree(service.pid)).length;
  return [
    connections,
    right,
    refused,
    wrong.length,
    Math.round(took),
    Math.round(before),
    Math.round(most),
    ms(calm),
    ms(after),
    Math.round(recovered),
    processes,
  ];
}

/** A table of storms. */
export async function overloadTable(): Promise<string> {
  const rows: (string | number)[][] = [];
  for (const connections of CONNECTIONS) rows.push(await row(connections));
  return table([
    "connections",
    "answered right",
    "429/503",
    "wrong",
    "all, ms",
    "memory before, MiB",
    "most, MiB",
    "calm run, ms",
    "calm after, ms",
    `${CALM_RUNS} runs after, ms`,
    "processes",
  ], rows);
}

if (import.meta.main) {
  const text = await overloadTable();
  await Deno.stdout.write(new TextEncoder().encode(`${text}\n`));
}
