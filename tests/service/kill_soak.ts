/**
 * The long storm of kills: `deno run -A tests/service/kill_soak.ts [kills] [seed]`. Prints figures
 * as it runs.
 *
 * @module
 */
import type { LoadCounts } from "../support/kill_load.ts";
import { killStorm } from "../support/kill_storm.ts";

function line(kills: number, counts: LoadCounts): string {
  const { statuses, longestMs, ...others } = counts;
  const figures = { kills, ...others, longestMs: Math.round(longestMs) };
  return `${JSON.stringify({ ...figures, statuses: Object.fromEntries(statuses) })}\n`;
}

if (import.meta.main) {
  const [kills = "300", seed = String(Date.now() % 1_000_000)] = Deno.args;
  const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(text));
  print(`seed ${seed}\n`);
  await killStorm({
    kills: Number(kills),
    seed: Number(seed),
    between: 20,
    leaseMs: 2_000,
    onLook: (done, counts) => print(line(done, counts)),
  });
  print("nothing lost, nothing left\n");
}
