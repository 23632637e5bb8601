/**
 * Outages of the store: `deno task outages [count] [seed]`. With `KV_TEST_URL` the store is a KV
 * server that is cut off, otherwise a file with faults before it. Prints the outcomes of all calls;
 * ends with 1 when something was lost, done twice, or done although it was refused.
 *
 * @module
 */
import { runOutages } from "../support/outage_run.ts";

if (import.meta.main) {
  const outages = Number(Deno.args[0] ?? 200);
  const seed = Number(Deno.args[1] ?? Date.now() % 2 ** 32);
  const print = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
  print(`${outages} outages, seed ${seed}`);
  const kvUrl = Deno.env.get("KV_TEST_URL");
  const { wrong, statuses, log, ...figures } = await runOutages({ outages, seed, kvUrl });
  const counts = new Map<string, number>();
  for (const event of log) counts.set(event, (counts.get(event) ?? 0) + 1);
  print(JSON.stringify({ ...figures, statuses: [...statuses], log: [...counts] }));
  for (const line of wrong) print(`WRONG: ${line}`);
  print(wrong.length === 0 ? "Clean" : "NOT CLEAN");
  Deno.exit(wrong.length === 0 ? 0 : 1);
}
